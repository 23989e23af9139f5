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
  type Static,
  withKeyTrailer,
} from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { CommitOfTree, Commits, Comparison, Reference, Sha, Tree } from './answers.ts';
import { type OpenRepository, openRepository, refusalWords } from './requests.ts';

type Write = ScmWrite<GithubForm>;

/** How often a commit is made anew because somebody pushed meanwhile. */
const ATTEMPTS = 5;
/** Where the commit of a key is looked for: GitHub's largest page. */
const RECENT = 100;

/** Source: GitHub REST API, "Create a reference", "Compare two commits". */
export const createBranch: Write['createBranch'] = async ({ http }, { repository, branch, from }) => {
  branchPath(branch);
  const open = await openRepository(http, repository, 'Contents');
  const start = await commitOf(open, from);
  const answer = await open.ask('Contents', {
    method: 'POST',
    path: `${open.path}/git/refs`,
    body: { ref: `refs/heads/${branch}`, sha: start },
    accept: [422],
  });
  if (answer.status !== 422) {
    readAnswer(Reference, answerJson(answer));
    return;
  }
  const present = await headOf(open, branch);
  if (present === null) {
    throw new ConnectorError('config', `GitHub does not make the branch "${branch}": ${refusalWords(answer)}`);
  }
  if (present === start || (await holdsOnlyOwnCommits(open, start, present))) return;
  throw new ConnectorError('config', `The branch "${branch}" exists already and holds commits of others.`, {
    help: 'Delete the branch, or choose another name.',
  });
};

async function holdsOnlyOwnCommits(open: OpenRepository, start: string, branch: string): Promise<boolean> {
  const path = `${open.path}/compare/${start}...${branch}`;
  const { ahead_by, commits } = readAnswer(Comparison, await open.json('Contents', { path }));
  return ahead_by === commits.length && commits.every(({ commit }) => isOwnCommit(commit.message));
}

/** Commit of a branch; null where there is none. */
async function headOf(open: OpenRepository, branch: string): Promise<string | null> {
  const path = `${open.path}/git/ref/heads/${branchPath(branch)}`;
  // 409: the repository is empty.
  const answer = await open.ask('Contents', { path, accept: [404, 409] });
  return answer.status >= 400 ? null : readAnswer(Reference, answerJson(answer)).object.sha;
}

async function commitOf(open: OpenRepository, name: string): Promise<string> {
  const commit = /^[0-9a-f]{40}$/.test(name) ? name : await headOf(open, name);
  if (commit !== null) return commit;
  throw new ConnectorError('config', `${open.facts.full_name} has no branch "${name}".`, {
    help: 'Was it renamed or merged? An empty repository has no branches either.',
  });
}

/**
 * By the objects of git, so that all files are one commit. Where somebody pushes meanwhile, the commit is made again on top of that.
 * Source: GitHub REST API, "Git trees", "Create a commit", "Update a reference".
 */
export const commitFiles: Write['commitFiles'] = async ({ http }, { repository, branch, message, files, ...rest }) => {
  const open = await openRepository(http, repository, 'Contents');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const head = await commitOf(open, branch);
    const made = await commitOfKey(open, head, rest.idempotencyKey);
    if (made !== null) return made;
    const base = readAnswer(CommitOfTree, await open.json('Contents', { path: `${open.path}/git/commits/${head}` }));
    const tree = await writeTree(open, base.tree.sha, files);
    if (tree === base.tree.sha) return head;
    const body = { message: withKeyTrailer(message, rest.idempotencyKey), tree, parents: [head] };
    const request = { method: 'POST', path: `${open.path}/git/commits`, body } as const;
    const { sha } = readAnswer(Sha, await open.json('Contents', request));
    if (await moveBranch(open, branch, { sha, from: head })) return sha;
  }
  throw new ConnectorError('upstream', `"${branch}" is pushed to all the time, so that the commit found no place.`, {
    help: 'Try again later.',
  });
};

async function commitOfKey(open: OpenRepository, head: string, key: string): Promise<string | null> {
  const path = `${open.path}/commits`;
  const answer = await open.json('Contents', { path, query: { sha: head, per_page: RECENT } });
  return readAnswer(Commits, answer).find(({ commit }) => hasKeyTrailer(commit.message, key))?.sha ?? null;
}

/** @returns false where the branch has moved on meanwhile */
async function moveBranch(open: OpenRepository, branch: string, to: { sha: string; from: string }): Promise<boolean> {
  const answer = await open.ask('Contents', {
    method: 'PATCH',
    path: `${open.path}/git/refs/heads/${branchPath(branch)}`,
    body: { sha: to.sha, force: false },
    accept: [409, 422],
  });
  if (answer.status < 400) return readAnswer(Reference, answerJson(answer)).object.sha === to.sha;
  // Protected branches are refused with 422 too; then the branch stands where it stood.
  if ((await headOf(open, branch)) !== to.from) return false;
  throw new ConnectorError('config', `GitHub does not take a commit on "${branch}": ${refusalWords(answer)}`, {
    help: 'Is the branch protected? Commit to a branch of its own and open a pull request.',
  });
}

/** Files that changed, put into the tree of the branch. @returns the same tree where nothing changes */
async function writeTree(open: OpenRepository, base: string, files: readonly FileChange[]): Promise<string> {
  const folders: Folders = new Map();
  const changes = [];
  for (const file of files) {
    filePath(file.path);
    const present = await findEntry(open, folders, { tree: base, path: file.path });
    if (file.content === null) {
      if (present !== null) changes.push({ path: file.path, mode: '100644', type: 'blob', sha: null });
      continue;
    }
    if (present?.type === 'tree' || present?.type === 'commit') {
      throw new ConnectorError('config', `"${file.path}" is a folder, so no file can be written there.`);
    }
    // What could be run stays so; a link becomes a file, because its content would be taken for a path.
    const mode = present?.mode === '100755' ? '100755' : '100644';
    changes.push({ path: file.path, mode, type: 'blob', ...(await contentOf(open, file.content)) });
  }
  if (changes.length === 0) return base;
  const request = { method: 'POST', path: `${open.path}/git/trees`, body: { base_tree: base, tree: changes } } as const;
  return readAnswer(Sha, await open.json('Contents', request)).sha;
}

type Entry = Static<typeof Tree>['tree'][number];
/** Folders that were read, by their hash. */
type Folders = Map<string, readonly Entry[]>;

/** What stands at a path, found folder by folder: a listing of the whole tree is cut off in large repositories. */
async function findEntry(
  open: OpenRepository,
  folders: Folders,
  at: { tree: string; path: string },
): Promise<Entry | null> {
  const request = { path: `${open.path}/git/trees/${at.tree}` };
  const entries = folders.get(at.tree) ?? readAnswer(Tree, await open.json('Contents', request)).tree;
  folders.set(at.tree, entries);
  const [name, ...rest] = at.path.split('/');
  const entry = entries.find(({ path }) => path === name) ?? null;
  if (entry === null || rest.length === 0) return entry;
  if (entry.type === 'tree') return findEntry(open, folders, { tree: entry.sha, path: rest.join('/') });
  throw new ConnectorError('config', `"${name}" is no folder, so nothing can be written below it.`);
}

/** Text stands in the tree itself; bytes become a blob first. */
async function contentOf(
  open: OpenRepository,
  content: string | Uint8Array,
): Promise<{ content: string } | { sha: string }> {
  if (typeof content === 'string') return { content };
  const body = { content: Buffer.from(content).toString('base64'), encoding: 'base64' };
  const request = { method: 'POST', path: `${open.path}/git/blobs`, body } as const;
  return { sha: readAnswer(Sha, await open.json('Contents', request)).sha };
}
