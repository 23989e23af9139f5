import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitOutput, git, tryGit } from './run-git.ts';

/** A file of a tree: the blob that it becomes, or null to take it out. */
export interface TreeChange {
  readonly path: string;
  readonly blob: string | null;
  /** Default `100644`. */
  readonly mode?: string;
}

/** An entry of a folder. */
export interface TreeRow {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly blob: string;
}

export interface GitCommit {
  readonly hash: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export interface GitFile {
  readonly blob: string;
  readonly content: Buffer;
}

interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** One commit on top of a branch; the branch is made where it does not exist. */
interface FilesCommit {
  readonly branch: string;
  readonly message: string;
  /** Content by path; null deletes. */
  readonly files: Readonly<Record<string, string | Uint8Array | null>>;
}

/**
 * A real bare git repository for fakes of source-control providers, written by plumbing: nothing is checked out. Names and hashes
 * that do not exist are null, everything else that git refuses throws.
 */
export interface BareRepository {
  /** Its folder, for `serveGit`. */
  readonly folder: string;
  /** @returns the hash of the blob */
  blob(content: string | Uint8Array): Promise<string>;
  readBlob(hash: string): Promise<Buffer | null>;
  /** @param base tree or commit that the changes are made to; null for none. @returns the hash of the tree */
  tree(base: string | null, changes: readonly TreeChange[]): Promise<string>;
  /** @returns the hash of the commit, which no branch holds yet */
  commit(parts: CommitParts): Promise<string>;
  commitFiles(commit: FilesCommit): Promise<string>;
  /** Commits by branch, in the order of names. */
  branches(): Promise<ReadonlyMap<string, string>>;
  /** Commit of a branch, tag or hash. */
  resolve(name: string): Promise<string | null>;
  /** Moves, makes or (null) deletes a branch. @param expected what it must point at; false where it is something else */
  setBranch(branch: string, commit: string | null, expected?: string): Promise<boolean>;
  /** Many branches at once, of commits that exist. */
  setBranches(branches: ReadonlyMap<string, string>): Promise<void>;
  readFile(at: string, path: string): Promise<GitFile | null>;
  /** Paths of all files, with mode and blob. */
  listFiles(at: string): Promise<readonly TreeRow[]>;
  /** What stands in one folder. @param at tree or commit */
  listFolder(at: string): Promise<readonly TreeRow[]>;
  /** Newest first. @param without what is reachable from here is left out */
  log(at: string, options?: { readonly without?: string; readonly limit?: number }): Promise<readonly GitCommit[]>;
  /** Whether everything that `old` holds is in `younger`. */
  isAncestor(old: string, younger: string): Promise<boolean>;
  mergeBase(one: string, other: string): Promise<string | null>;
  /** Another repository with the same content: much faster than making it again. */
  copy(): Promise<BareRepository>;
  remove(): Promise<void>;
}

const AUTHOR = ['-c', 'user.name=Ada Fake', '-c', 'user.email=ada@example.com'];
const SEPARATOR = '\u001e';

/** Makes an empty repository below the system's folder for temporary files. */
export async function createBareRepository(): Promise<BareRepository> {
  const folder = await newFolder();
  await git({ args: ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder] });
  return openBareRepository(folder);
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'breakwater-git-'));

type Git = (args: readonly string[], input?: string | Uint8Array) => Promise<string>;

function openBareRepository(folder: string): BareRepository {
  const at = (args: readonly string[]): string[] => ['--git-dir', folder, ...AUTHOR, ...args];
  const attempt = (...args: string[]): Promise<GitOutput> => tryGit({ args: at(args) });
  const run: Git = async (args, input) =>
    (await git({ args: at(args), ...(input === undefined ? {} : { input }) })).toString('utf8').trim();
  const found = async (...args: string[]): Promise<string | null> => {
    const { code, output } = await attempt(...args);
    return code === 0 ? output.toString('utf8').trim() : null;
  };
  const readBlob = async (hash: string): Promise<Buffer | null> => {
    const { code, output } = await attempt('cat-file', 'blob', hash);
    return code === 0 ? output : null;
  };
  const resolve = (name: string): Promise<string | null> =>
    found('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  const repository: BareRepository = {
    folder,
    blob: (content) => run(['hash-object', '-w', '--stdin'], content),
    readBlob,
    tree: (base, changes) => writeTree(folder, base, changes),
    commit: ({ tree, parents, message }) =>
      run(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], message),
    commitFiles: (commit) => commitFiles(repository, commit),
    branches: async () =>
      branchesIn(await run(['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/'])),
    resolve,
    setBranch: async (branch, commit, expected) => {
      const before = expected === undefined ? [] : [expected];
      const args = commit === null ? ['-d', `refs/heads/${branch}`] : [`refs/heads/${branch}`, commit];
      return (await attempt('update-ref', ...args, ...before)).code === 0;
    },
    setBranches: async (branches) => {
      await run(
        ['update-ref', '--stdin'],
        [...branches].map(([name, to]) => `update refs/heads/${name} ${to}\n`).join(''),
      );
    },
    readFile: async (name, path) => {
      const blob = await found('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}:${path}`);
      const content = blob === null ? null : await readBlob(blob);
      return blob === null || content === null ? null : { blob, content };
    },
    listFiles: async (name) => rowsIn(await run(['ls-tree', '-r', '-z', name])),
    listFolder: async (name) => rowsIn(await run(['ls-tree', '-z', name])),
    log: async (name, { without, limit } = {}) => {
      const range = [name, ...(without === undefined ? [] : [`^${without}`])];
      const most = limit === undefined ? [] : [`--max-count=${limit}`];
      return commitsIn(
        await run(['log', '--topo-order', ...most, `--format=%H%n%T%n%P%n%B${SEPARATOR}`, ...range, '--']),
      );
    },
    isAncestor: async (old, younger) => (await attempt('merge-base', '--is-ancestor', old, younger)).code === 0,
    mergeBase: (one, other) => found('merge-base', one, other),
    copy: () => copyOf(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  return repository;
}

async function copyOf(folder: string): Promise<BareRepository> {
  const other = await newFolder();
  await cp(folder, other, { recursive: true });
  return openBareRepository(other);
}

function branchesIn(output: string): ReadonlyMap<string, string> {
  const rows = output.split('\n').filter((line) => line !== '');
  return new Map(rows.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

function rowsIn(output: string): TreeRow[] {
  const rows = output.split('\0').filter((row) => row !== '');
  return rows.map((row) => {
    const tab = row.indexOf('\t');
    const [mode = '', type = '', blob = ''] = row.slice(0, tab).split(' ');
    return { path: row.slice(tab + 1), mode, type, blob };
  });
}

/** By an index of its own, so that trees can be made at the same time. */
async function writeTree(folder: string, base: string | null, changes: readonly TreeChange[]): Promise<string> {
  const place = await mkdtemp(join(folder, 'index-'));
  const variables = { GIT_INDEX_FILE: join(place, 'index') };
  const run = (args: string[], input = ''): Promise<Buffer> =>
    git({ args: ['--git-dir', folder, ...args], input, variables });
  try {
    if (base !== null) await run(['read-tree', base]);
    const lines = changes.map(({ path, blob, mode = '100644' }) =>
      blob === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${mode} ${blob}\t${path}\0`,
    );
    await run(['update-index', '-z', '--index-info'], lines.join(''));
    return (await run(['write-tree'])).toString('utf8').trim();
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function commitFiles(repository: BareRepository, { branch, message, files }: FilesCommit): Promise<string> {
  const parent = await repository.resolve(`refs/heads/${branch}`);
  const changes = await Promise.all(
    Object.entries(files).map(async ([path, content]) => ({
      path,
      blob: content === null ? null : await repository.blob(content),
    })),
  );
  const tree = await repository.tree(parent, changes);
  const commit = await repository.commit({ tree, parents: parent === null ? [] : [parent], message });
  await repository.setBranch(branch, commit, parent ?? '0'.repeat(40));
  return commit;
}

function commitsIn(output: string): GitCommit[] {
  const entries = output.split(SEPARATOR).map((entry) => entry.replace(/^\n/, ''));
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [hash = '', tree = '', parents = '', ...message] = entry.split('\n');
      return { hash, tree, parents: parents.split(' ').filter((parent) => parent !== ''), message: message.join('\n') };
    });
}
