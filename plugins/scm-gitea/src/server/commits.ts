import { createHash } from 'node:crypto';
import {
  answerJson,
  branchPath,
  ConnectorError,
  type FileChange,
  filePath,
  hasKeyTrailer,
  isOwnCommit,
  readAnswer,
  type ScmWrite,
  withKeyTrailer,
} from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { Branch, Commits, Content, FilesCommit } from './answers.ts';
import { type OpenRepository, openRepository, refusalWords } from './requests.ts';

type Write = ScmWrite<GiteaForm>;

/** How often a commit is made anew because somebody changed one of its files meanwhile. */
const ATTEMPTS = 5;
/** Where the commit of a key is looked for: a page of a server as it is installed. */
const RECENT = 50;

/** Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/branches`. */
export const createBranch: Write['createBranch'] = async ({ http }, { repository, branch, from }) => {
  branchPath(branch);
  const open = await openRepository(http, repository, 'push');
  const start = await commitOf(open, from);
  const answer = await open.ask('repository', {
    method: 'POST',
    path: `${open.path}/branches`,
    body: { new_branch_name: branch, old_ref_name: start },
    accept: [409, 422],
  });
  if (answer.status < 400) {
    readAnswer(Branch, answerJson(answer));
    return;
  }
  const present = await headOf(open, branch);
  if (present === null) {
    throw new ConnectorError('config', `Gitea does not make the branch "${branch}": ${refusalWords(answer)}`);
  }
  if (present === start || (await holdsOnlyOwnCommits(open, start, present))) return;
  throw new ConnectorError('config', `The branch "${branch}" exists already and holds commits of others.`, {
    help: 'Delete the branch, or choose another name.',
  });
};

async function holdsOnlyOwnCommits(open: OpenRepository, start: string, head: string): Promise<boolean> {
  const { commits, total } = await recentCommits(open, { sha: head, not: start });
  return commits.length === total && commits.every(({ commit }) => isOwnCommit(commit.message));
}

/** The newest commits of a range, and how many there are; a server may give fewer than are asked for. */
async function recentCommits(open: OpenRepository, range: { readonly sha: string; readonly not?: string }) {
  const query = { ...range, stat: false, verification: false, files: false, limit: RECENT };
  const answer = await open.ask('repository', { path: `${open.path}/commits`, query });
  return { commits: readAnswer(Commits, answerJson(answer)), total: Number(answer.headers['x-total-count']) };
}

/** Commit of a branch; null where there is none. */
async function headOf(open: OpenRepository, branch: string): Promise<string | null> {
  const answer = await open.ask('repository', { path: `${open.path}/branches/${branchPath(branch)}`, accept: [404] });
  return answer.status === 404 ? null : readAnswer(Branch, answerJson(answer)).commit.id;
}

async function commitOf(open: OpenRepository, name: string): Promise<string> {
  const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name) ? name : await headOf(open, name);
  if (commit !== null) return commit;
  throw new ConnectorError('config', `${open.facts.full_name} has no branch "${name}".`, {
    help: 'Was it renamed or merged? An empty repository has no branches either.',
  });
}

/**
 * All files in one request. Each names the content that it takes the place of; where that has changed meanwhile, it is asked again.
 * Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/contents`.
 */
export const commitFiles: Write['commitFiles'] = async ({ http }, { repository, branch, message, files, ...rest }) => {
  const open = await openRepository(http, repository, 'push');
  for (const { path } of files) filePath(path);
  let said = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const head = await commitOf(open, branch);
    const { commits } = await recentCommits(open, { sha: head });
    const made = commits.find(({ commit }) => hasKeyTrailer(commit.message, rest.idempotencyKey));
    if (made !== undefined) return made.sha;
    const changes = (await Promise.all(files.map((file) => changeOf(open, head, file)))).flat();
    if (changes.length === 0) return head;
    const answer = await open.ask('repository', {
      method: 'POST',
      path: `${open.path}/contents`,
      body: { branch, message: withKeyTrailer(message, rest.idempotencyKey), files: changes },
      accept: [404, 409, 422],
    });
    if (answer.status < 400) return readAnswer(FilesCommit, answerJson(answer)).commit.sha;
    said = refusalWords(answer);
    // The branch stands where it stood: it is not somebody else's push that was in the way.
    if ((await headOf(open, branch)) === head) break;
  }
  throw new ConnectorError('config', `Gitea does not take the commit on "${branch}": ${said}`, {
    help: 'Is the branch protected, or pushed to all the time? Commit to a branch of its own and open a pull request.',
  });
};

/** What Gitea is to do with a file; nothing where it is so already. @throws ConnectorError config, where there is a folder */
async function changeOf(open: OpenRepository, head: string, { path, content }: FileChange) {
  const answer = await open.ask('repository', {
    path: `${open.path}/contents/${filePath(path)}`,
    query: { ref: head },
    accept: [404],
  });
  const present = answer.status === 404 ? null : readAnswer(Content, answerJson(answer));
  if (Array.isArray(present)) {
    throw new ConnectorError('config', `"${path}" is a folder, so no file can be written there.`);
  }
  const sha = present === null ? {} : { sha: present.sha };
  if (content === null) return present === null ? [] : [{ operation: 'delete', path, ...sha }];
  const bytes = Buffer.from(content);
  const isSame = present?.type === 'file' && present.sha === blobHash(bytes);
  const operation = present === null ? 'create' : 'update';
  return isSame ? [] : [{ operation, path, content: bytes.toString('base64'), ...sha }];
}

/** As git names the content of a file. */
function blobHash(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
