import type { ObjectStore } from './objects.ts';

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

/** An entry of a tree as git stores it. */
interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly hash: string;
}

const FOLDER = '40000';
const HASH_BYTES = 20;

/** Reads the bytes of a tree: `mode name NUL hash`, one after the other. */
function parseTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at);
    const end = content.indexOf(0, space);
    const hash = content.subarray(end + 1, end + 1 + HASH_BYTES).toString('hex');
    entries.push({ mode: content.toString('utf8', at, space), name: content.toString('utf8', space + 1, end), hash });
    at = end + 1 + HASH_BYTES;
  }
  return entries;
}

const keyOf = ({ name, mode }: TreeEntry): Buffer => Buffer.from(mode === FOLDER ? `${name}/` : name);

function treeBytes(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries.toSorted((one, other) => Buffer.compare(keyOf(one), keyOf(other)));
  const parts = sorted.flatMap(({ mode, name, hash }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]);
  return Buffer.concat(parts);
}

/** Tree of a commit or of itself. */
async function treeOf(objects: ObjectStore, hash: string): Promise<TreeEntry[] | null> {
  const found = await objects.read(hash);
  if (found?.type === 'tree') return parseTree(found.content);
  const [, tree] =
    found?.type === 'commit' ? (/^tree ([0-9a-f]{40})\n/.exec(found.content.toString('utf8')) ?? []) : [];
  return tree === undefined ? null : treeOf(objects, tree);
}

/** Entry at a path of a tree. */
export async function entryAt(objects: ObjectStore, hash: string, path: string): Promise<TreeEntry | null> {
  let at = hash;
  let found: TreeEntry | undefined;
  for (const part of path.split('/')) {
    found = (await treeOf(objects, at))?.find(({ name }) => name === part);
    if (found === undefined) return null;
    at = found.hash;
  }
  return found ?? null;
}

const TYPES: Readonly<Record<string, string>> = { [FOLDER]: 'tree', '160000': 'commit' };

/** What stands in a tree, as `git ls-tree` lists it. @param isDeep also in the folders below, without themselves. @returns null for no tree */
export async function listTree(objects: ObjectStore, hash: string, isDeep: boolean): Promise<TreeRow[] | null> {
  const entries = await treeOf(objects, hash);
  if (entries === null) return null;
  const rows: TreeRow[] = [];
  for (const { mode, name, hash: blob } of entries) {
    if (mode !== FOLDER || !isDeep)
      rows.push({ path: name, mode: mode.padStart(6, '0'), type: TYPES[mode] ?? 'blob', blob });
    else
      for (const below of (await listTree(objects, blob, true)) ?? [])
        rows.push({ ...below, path: `${name}/${below.path}` });
  }
  return rows;
}

/** What changes below a folder, by the first part of its path. */
interface Level {
  readonly entries: Map<string, { mode: string; hash: string } | null>;
  readonly folders: Map<string, Level>;
}

const newLevel = (): Level => ({ entries: new Map(), folders: new Map() });

/** Parts of a path that git refuses or treats in a way of its own. */
const UNUSUAL = /^(|\.|\.\.|\.git([ .:].*)?|git~\d.*)$|[\\\0]/i;

function sortedIn(changes: readonly TreeChange[]): Level | null {
  const root = newLevel();
  for (const { path, blob, mode = '100644' } of changes) {
    const parts = path.split('/');
    const last = parts.pop() ?? '';
    if ([...parts, last].some((part) => UNUSUAL.test(part))) return null;
    let level = root;
    for (const part of parts) {
      const below = level.folders.get(part) ?? newLevel();
      level.folders.set(part, below);
      level = below;
    }
    level.entries.set(last, blob === null ? null : { mode, hash: blob });
  }
  return root;
}

/** @returns hash of the changed tree, '' for one with nothing in it, null where a file and a folder have one name. */
async function writeLevel(objects: ObjectStore, base: string | null, level: Level): Promise<string | null> {
  const entries = new Map(
    (base === null ? [] : ((await treeOf(objects, base)) ?? [])).map((entry) => [entry.name, entry]),
  );
  for (const [name, change] of level.entries) {
    const known = entries.get(name);
    if (level.folders.has(name) || known?.mode === FOLDER) return null;
    if (change === null) entries.delete(name);
    else entries.set(name, { name, ...change });
  }
  for (const [name, below] of level.folders) {
    const known = entries.get(name);
    if (known !== undefined && known.mode !== FOLDER) return null;
    const hash = await writeLevel(objects, known?.hash ?? null, below);
    if (hash === null) return null;
    if (hash === '') entries.delete(name);
    else entries.set(name, { name, mode: FOLDER, hash });
  }
  return entries.size === 0 ? '' : objects.write('tree', treeBytes([...entries.values()]));
}

/** Writes a tree with the changes. @returns null where git has to decide: names that it refuses, a file in place of a folder */
export async function writeChangedTree(
  objects: ObjectStore,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string | null> {
  const level = sortedIn(changes);
  if (level === null) return null;
  for (const { blob, mode = '100644' } of changes) {
    if (blob === null) continue;
    if (!/^100(644|755)$/.test(mode) || (await objects.read(blob))?.type !== 'blob') return null;
  }
  const hash = await writeLevel(objects, base, level);
  return hash === '' ? objects.write('tree', Buffer.alloc(0)) : hash;
}
