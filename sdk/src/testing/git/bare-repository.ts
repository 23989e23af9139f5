import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommitParts, commitBytes, type GitCommit, readLine } from './history.ts';
import type { GitObject } from './object-reader.ts';
import { type ObjectStore, openObjects } from './objects.ts';
import { readBranch, readBranches, writeBranch } from './refs.ts';
import { type GitOutput, git, MADE_AT, tryGit } from './run-git.ts';
import { entryAt, listTree, type TreeChange, type TreeRow, writeChangedTree } from './trees.ts';

export interface GitFile {
  readonly blob: string;
  readonly content: Buffer;
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

const AUTHOR = { name: 'Ada Fake', email: 'ada@example.com' };
const IDENTITY = ['-c', `user.name=${AUTHOR.name}`, '-c', `user.email=${AUTHOR.email}`];
const SECONDS = Date.parse(MADE_AT) / 1000;
const HASH = /^[0-9a-f]{40}$/;
const NO_COMMIT = '0'.repeat(40);
const SEPARATOR = '\u001e';

/** Makes an empty repository below the system's folder for temporary files. */
export async function createBareRepository(): Promise<BareRepository> {
  const folder = await newFolder();
  await git({ args: ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder] });
  return openBareRepository(folder, openObjects(folder));
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'breakwater-git-'));

/** What the parts of a repository are made with. */
interface Workshop {
  readonly folder: string;
  readonly objects: ObjectStore;
  /** Output of git. @throws with its words */
  run(args: readonly string[], input?: string | Uint8Array): Promise<string>;
  /** The same without throwing. */
  attempt(...args: string[]): Promise<GitOutput>;
}

function openBareRepository(folder: string, objects: ObjectStore): BareRepository {
  const at = (args: readonly string[]): string[] => ['--git-dir', folder, ...IDENTITY, ...args];
  const shop: Workshop = {
    folder,
    objects,
    run: async (args, input) =>
      (await git({ args: at(args), ...(input === undefined ? {} : { input }) })).toString('utf8').trim(),
    attempt: (...args) => tryGit({ args: at(args) }),
  };
  const repository: BareRepository = {
    folder,
    ...objectsOf(shop),
    ...branchesOf(shop),
    ...historyOf(shop),
    commitFiles: (commit) => commitFiles(repository, commit),
    copy: async () => {
      const other = await newFolder();
      await cp(folder, other, { recursive: true });
      return openBareRepository(other, objects.copyTo(other));
    },
    remove: async () => {
      objects.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return repository;
}

type ObjectPart = Pick<
  BareRepository,
  'blob' | 'readBlob' | 'tree' | 'commit' | 'readFile' | 'listFiles' | 'listFolder'
>;

function objectsOf(shop: Workshop): ObjectPart {
  const { folder, objects, run } = shop;
  const list = async (name: string, isDeep: boolean): Promise<readonly TreeRow[]> => {
    const hash = await hashOf(shop, name);
    const rows = hash === null ? null : await listTree(objects, hash, isDeep);
    return rows ?? rowsIn(await run(['ls-tree', ...(isDeep ? ['-r'] : []), '-z', name]));
  };
  return {
    blob: (content) => objects.write('blob', Buffer.from(content)),
    readBlob: async (hash) => blobIn(await objects.read(hash))?.content ?? null,
    tree: async (base, changes) =>
      (await writeChangedTree(objects, base, changes)) ?? (await writeTree(folder, base, changes)),
    commit: (parts) => commit(shop, parts),
    readFile: async (name, path) => {
      const hash = await hashOf(shop, name);
      if (hash === null) return blobIn(await objects.read(`${name}:${path}`));
      const entry = await entryAt(objects, hash, path);
      return entry === null ? null : blobIn(await objects.read(entry.hash));
    },
    listFiles: (name) => list(name, true),
    listFolder: (name) => list(name, false),
  };
}

async function commit({ objects, run }: Workshop, parts: CommitParts): Promise<string> {
  const { tree, parents, message } = parts;
  const types = await Promise.all([tree, ...parents].map(async (hash) => (await objects.read(hash))?.type));
  const isPlain = types.every((type, index) => type === (index === 0 ? 'tree' : 'commit')) && !message.includes('\0');
  if (isPlain && new Set(parents).size === parents.length)
    return objects.write('commit', commitBytes(parts, `${AUTHOR.name} <${AUTHOR.email}>`, SECONDS));
  return run(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], message);
}

/** Commit of a branch or a hash, tree of a hash; null where git has to find out. */
async function hashOf({ folder, objects }: Workshop, name: string): Promise<string | null> {
  if (HASH.test(name)) return (await objects.read(name)) === null ? null : name;
  const hash = await readBranch(folder, name.replace(/^refs\/heads\//, ''));
  return hash ?? null;
}

type BranchPart = Pick<BareRepository, 'branches' | 'resolve' | 'setBranch' | 'setBranches'>;

function branchesOf(shop: Workshop): BranchPart {
  const { folder, objects, run, attempt } = shop;
  let before: Promise<unknown> = Promise.resolve();
  const setBranch: BranchPart['setBranch'] = async (branch, to, expected) => {
    const current = to === null ? undefined : await readBranch(folder, branch);
    if (to !== null && current !== undefined && (await objects.read(to))?.type === 'commit') {
      if (expected !== undefined && expected !== (current ?? NO_COMMIT)) return false;
      if (await writeBranch(folder, branch, to)) return true;
    }
    const args = to === null ? ['-d', `refs/heads/${branch}`] : [`refs/heads/${branch}`, to];
    return (await attempt('update-ref', ...args, ...(expected === undefined ? [] : [expected]))).code === 0;
  };
  return {
    branches: async () =>
      (await readBranches(folder)) ??
      branchesIn(await run(['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/'])),
    resolve: async (name) => {
      const hash = await hashOf(shop, name);
      const found = hash === null ? null : await objects.read(hash);
      if (found?.type === 'commit') return found.hash;
      return (await objects.read(`${name}^{commit}`))?.hash ?? null;
    },
    // one after the other: between the look at a branch and its move nobody else moves it
    setBranch: (...order) => {
      const done = before.then(() => setBranch(...order));
      before = done.catch(() => undefined);
      return done;
    },
    setBranches: async (branches) => {
      await run(
        ['update-ref', '--stdin'],
        [...branches].map(([name, to]) => `update refs/heads/${name} ${to}\n`).join(''),
      );
    },
  };
}

type HistoryPart = Pick<BareRepository, 'log' | 'isAncestor' | 'mergeBase'>;

function historyOf(shop: Workshop): HistoryPart {
  const { objects, run, attempt } = shop;
  const lineOf = async (name: string): Promise<readonly GitCommit[] | null> => {
    const hash = await hashOf(shop, name);
    return hash === null ? null : readLine(objects, hash);
  };
  const common = async (one: string, other: string): Promise<string | null | undefined> => {
    const [first, second] = [await lineOf(one), await lineOf(other)];
    if (first === null || second === null) return undefined;
    const known = new Set(first.map(({ hash }) => hash));
    return second.find(({ hash }) => known.has(hash))?.hash ?? null;
  };
  return {
    log: async (name, { without, limit } = {}) => {
      const line = await lineOf(name);
      const others = without === undefined ? [] : await lineOf(without);
      if (line !== null && others !== null) {
        const left = new Set(others.map(({ hash }) => hash));
        return line.filter(({ hash }) => !left.has(hash)).slice(0, limit);
      }
      const range = [name, ...(without === undefined ? [] : [`^${without}`])];
      const most = limit === undefined ? [] : [`--max-count=${limit}`];
      return commitsIn(
        await run(['log', '--topo-order', ...most, `--format=%H%n%T%n%P%n%B${SEPARATOR}`, ...range, '--']),
      );
    },
    isAncestor: async (old, younger) => {
      const base = await common(old, younger);
      if (base !== undefined) return base !== null && base === (await hashOf(shop, old));
      return (await attempt('merge-base', '--is-ancestor', old, younger)).code === 0;
    },
    mergeBase: async (one, other) => {
      const base = await common(one, other);
      if (base !== undefined) return base;
      const { code, output } = await attempt('merge-base', one, other);
      return code === 0 ? output.toString('utf8').trim() : null;
    },
  };
}

function blobIn(found: GitObject | null): GitFile | null {
  return found?.type === 'blob' ? { blob: found.hash, content: found.content } : null;
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
  const made = await repository.commit({ tree, parents: parent === null ? [] : [parent], message });
  await repository.setBranch(branch, made, parent ?? NO_COMMIT);
  return made;
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
