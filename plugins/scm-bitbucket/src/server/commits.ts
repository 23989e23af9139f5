import {
  ConnectorError,
  type FileChange,
  hasKeyTrailer,
  isOwnCommit,
  type NewBranch,
  type NewCommit,
  readAnswer,
  withKeyTrailer,
} from '@breakwater/sdk';
import { Branch, Commit, Page } from './answers.ts';
import { rowsOf } from './pages.ts';
import { answered, type BitbucketCtx, commitAt, headOf, repositoryOf, repositoryPath, write } from './requests.ts';
import { contentOf, isPath, multipart, sourceEntry, type UploadedFile } from './source.ts';

const RIGHTS = 'the scope "repository:write", and its user the right to write';
/** So often is a commit built anew on a branch that others push to meanwhile. */
const ATTEMPTS = 4;

/** Source: Bitbucket Cloud REST API 2.0, `POST refs/branches`. */
export async function createBranch(ctx: BitbucketCtx, { repository, branch, from }: NewBranch): Promise<void> {
  const hash = await commitAt(ctx, repository, from);
  if (hash === null) return refuseMissing(ctx, repository, from);
  const path = repositoryPath(repository, '/refs/branches');
  const answer = await write(ctx, { method: 'POST', path, body: { name: branch, target: { hash } } }, RIGHTS);
  const present = answer.status === 400 || answer.status === 409 ? await headOf(ctx, repository, branch) : null;
  if (present === null) {
    readAnswer(Branch, answered(answer, `make the branch "${branch}" from "${from}"`));
    return;
  }
  const commits = repositoryPath(repository, '/commits');
  for await (const { message = '' } of rowsOf(ctx.http, commits, Commit, { include: present, exclude: hash })) {
    if (isOwnCommit(message)) continue;
    throw new ConnectorError('config', `There is a branch "${branch}" already that holds commits of others.`, {
      help: 'Delete or rename it in Bitbucket, or choose another name.',
    });
  }
}

/** @throws ConnectorError config: there is no repository, or no such branch in it */
async function refuseMissing(ctx: BitbucketCtx, repository: string, branch: string): Promise<never> {
  const { full_name: name, mainbranch } = await repositoryOf(ctx, repository);
  if (mainbranch?.name === undefined) {
    throw new ConnectorError('config', `The repository "${name}" is empty.`, {
      help: 'Push a first commit to it, then try again.',
    });
  }
  throw new ConnectorError('config', `The repository "${name}" has no branch "${branch}".`);
}

/** Source: Bitbucket Cloud REST API 2.0, `POST src`; 409 where the branch is not at the commit that `parents` names. */
export async function commitFiles(ctx: BitbucketCtx, commit: NewCommit): Promise<string> {
  const { repository, branch, message, idempotencyKey, files } = commit;
  for (let attempt = 1; ; attempt += 1) {
    const head = await headOf(ctx, repository, branch);
    if (head === null) return refuseMissing(ctx, repository, branch);
    const earlier = await commitOfKey(ctx, { repository, head, idempotencyKey });
    if (earlier !== null) return earlier;
    const change = await changeOf(ctx, { repository, head, files });
    if (change.deleted.length + change.files.length === 0) return head;
    const fields: [string, string][] = [
      ['message', withKeyTrailer(message, idempotencyKey)],
      ['branch', branch],
      ['parents', head],
      ...change.deleted.map((path): [string, string] => ['files', `/${path}`]),
    ];
    const { body, type } = multipart({ fields, files: change.files });
    const path = repositoryPath(repository, '/src');
    const answer = await write(ctx, { method: 'POST', path, raw: body, headers: { 'content-type': type } }, RIGHTS);
    if (answer.status === 409 && attempt < ATTEMPTS) continue;
    if (answer.status >= 300) answered(answer, `commit to the branch "${branch}"`);
    // Its answer has no body. The branch may have moved on since, so that the commit is looked for by its key.
    const made = await headOf(ctx, repository, branch);
    const found = made === null ? null : await commitOfKey(ctx, { repository, head: made, idempotencyKey });
    if (found !== null) return found;
    throw new ConnectorError('upstream', `Bitbucket took the commit to the branch "${branch}", but it is not there.`);
  }
}

interface KeyedCommit {
  readonly repository: string;
  readonly head: string;
  readonly idempotencyKey: string;
}

/** The commit that the key has made, among the newest 100. */
async function commitOfKey({ http }: BitbucketCtx, { repository, head, idempotencyKey }: KeyedCommit) {
  const query = { pagelen: 100, include: head };
  const { values } = readAnswer(Page(Commit), await http.json({ path: repositoryPath(repository, '/commits'), query }));
  return values.find(({ message = '' }) => hasKeyTrailer(message, idempotencyKey))?.hash ?? null;
}

interface Change {
  readonly repository: string;
  readonly head: string;
  readonly files: readonly FileChange[];
}

/** What differs from that commit. Bitbucket would make a commit without a change too. */
async function changeOf(ctx: BitbucketCtx, { repository, head, files }: Change) {
  const uploaded: UploadedFile[] = [];
  const deleted: string[] = [];
  for (const { path, content } of files) {
    const source = { repository, commit: head, path };
    const present = await sourceEntry(ctx, source);
    if (content === null) {
      if (present !== null) deleted.push(path);
      continue;
    }
    if (!isPath(path)) {
      throw new ConnectorError('config', `"${path.slice(0, 200)}" is no path inside a repository.`);
    }
    const bytes = Buffer.from(content);
    const isSame =
      present?.size === bytes.byteLength && bytes.equals(await contentOf(ctx, { ...source, size: present.size }));
    if (!isSame) uploaded.push({ path, content: bytes, isExecutable: present?.isExecutable ?? false });
  }
  return { files: uploaded, deleted };
}
