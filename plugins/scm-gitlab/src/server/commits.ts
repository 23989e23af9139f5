import { createHash } from 'node:crypto';
import {
  answerJson,
  ConnectorError,
  type FileChange,
  hasKeyTrailer,
  isOwnCommit,
  type Json,
  type NewBranch,
  type NewCommit,
  readAnswer,
  withKeyTrailer,
} from '@breakwater/sdk';
import { Branch, Commit, Commits, Project } from './answers.ts';
import { answered, type GitlabCtx, PAGE, projectPath, segment, write } from './requests.ts';

const RIGHTS = 'the role Developer and, for a protected branch, the right to push there';
/** So often is a commit built anew on a branch that others push to meanwhile. */
const ATTEMPTS = 4;

/** Source: GitLab REST API v4, "Branches". */
export async function createBranch(ctx: GitlabCtx, { repository, branch, from }: NewBranch): Promise<void> {
  const path = projectPath(repository, '/repository/branches');
  const answer = await write(ctx, { method: 'POST', path, body: { branch, ref: from } }, RIGHTS);
  if (answer.status === 400 && (await headOf(ctx, repository, branch)) !== null) {
    await refuseForeignCommits(ctx, { repository, branch, from });
    return;
  }
  if (answer.status === 400) await refuseEmpty(ctx, repository);
  readAnswer(Branch, answered(answer, `make the branch "${branch}" from "${from}"`));
}

type BranchFrom = Pick<NewBranch, 'repository' | 'branch' | 'from'>;

/** A branch that exists already must hold nothing but what stands at `from` and commits of ours. */
async function refuseForeignCommits({ http }: GitlabCtx, { repository, branch, from }: BranchFrom): Promise<void> {
  const path = projectPath(repository, '/repository/commits');
  const query = { ...PAGE, ref_name: `${from}..${branch}` };
  for await (const page of http.pages({ path, query }, { type: 'link' })) {
    const foreign = readAnswer(Commits, page).find(({ message }) => !isOwnCommit(message));
    if (foreign === undefined) continue;
    throw new ConnectorError('config', `There is a branch "${branch}" already that holds commits of others.`, {
      help: 'Delete or rename it in GitLab, or choose another name.',
    });
  }
}

/** @throws ConnectorError config, where nothing was ever pushed to the project */
async function refuseEmpty({ http }: GitlabCtx, repository: string): Promise<void> {
  const project = readAnswer(Project, await http.json({ path: projectPath(repository) }));
  if (project.empty_repo !== true) return;
  throw new ConnectorError('config', `The repository of "${project.path_with_namespace}" is empty.`, {
    help: 'Push a first commit to it, then try again.',
  });
}

/** Newest commit of a branch, null where there is no such branch. */
async function headOf({ http }: GitlabCtx, repository: string, branch: string): Promise<string | null> {
  const path = projectPath(repository, `/repository/branches/${segment(branch)}`);
  const answer = await http.request({ path, accept: [404] });
  return answer.status === 404 ? null : readAnswer(Branch, answerJson(answer)).commit.id;
}

/**
 * Looks at each file at the newest commit, because GitLab wants to be told whether it makes or changes it; where the branch moved
 * meanwhile, it looks again. Source: GitLab REST API v4, "Commits", create a commit with multiple files and actions.
 */
export async function commitFiles(ctx: GitlabCtx, commit: NewCommit): Promise<string> {
  const { repository, branch, message, idempotencyKey, files } = commit;
  for (let attempt = 1; ; attempt += 1) {
    const head = await headOf(ctx, repository, branch);
    if (head === null) {
      throw new ConnectorError('config', `There is no branch "${branch}" to commit to.`, {
        help: 'Where the repository is empty, push a first commit to it.',
      });
    }
    const earlier = await commitOfKey(ctx, { repository, head, idempotencyKey });
    if (earlier !== null) return earlier;
    const actions = await actionsOf(ctx, { repository, head, files });
    if (actions.length === 0) return head;
    const path = projectPath(repository, '/repository/commits');
    const body = { branch, commit_message: withKeyTrailer(message, idempotencyKey), actions, stats: false };
    const answer = await write(ctx, { method: 'POST', path, body }, RIGHTS);
    const isLate = answer.status === 400 && attempt < ATTEMPTS && (await headOf(ctx, repository, branch)) !== head;
    if (isLate) continue;
    return readAnswer(Commit, answered(answer, `commit to the branch "${branch}"`)).id;
  }
}

interface KeyedCommit {
  readonly repository: string;
  readonly head: string;
  readonly idempotencyKey: string;
}

/** The commit that the key has made, among the newest 100. */
async function commitOfKey({ http }: GitlabCtx, { repository, head, idempotencyKey }: KeyedCommit) {
  const path = projectPath(repository, '/repository/commits');
  const commits = readAnswer(Commits, await http.json({ path, query: { ...PAGE, ref_name: head } }));
  return commits.find(({ message }) => hasKeyTrailer(message, idempotencyKey))?.id ?? null;
}

interface Change {
  readonly repository: string;
  readonly head: string;
  readonly files: readonly FileChange[];
}

/** What differs from that commit. */
async function actionsOf(ctx: GitlabCtx, { repository, head, files }: Change): Promise<Json[]> {
  const actions: Json[] = [];
  for (const { path, content } of files) {
    const present = await hashOf(ctx, { repository, head, path });
    if (content === null) {
      if (present !== null) actions.push({ action: 'delete', file_path: path });
      continue;
    }
    const bytes = Buffer.from(content);
    if (present === createHash('sha256').update(bytes).digest('hex')) continue;
    const action = present === null ? 'create' : 'update';
    actions.push({ action, file_path: path, content: bytes.toString('base64'), encoding: 'base64' });
  }
  return actions;
}

/** SHA-256 of the file, null where there is no such file. */
async function hashOf({ http }: GitlabCtx, { repository, head, path }: Omit<Change, 'files'> & { path: string }) {
  const { status, headers } = await http.request({
    method: 'HEAD',
    path: projectPath(repository, `/repository/files/${segment(path)}`),
    query: { ref: head },
    accept: [404],
  });
  if (status === 404) return null;
  const hash = headers['x-gitlab-content-sha256'];
  if (hash !== undefined) return hash;
  throw new ConnectorError(
    'upstream',
    'GitLab did not say what a file holds: its answer lacks X-Gitlab-Content-Sha256.',
  );
}
