import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const HASH = /^[0-9a-f]{40}$/;
/** Names whose rules need no thought; git itself decides about the others. */
const PLAIN = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;

/** A name that `refs.ts` reads and writes itself: git would take it, and would store it in a file of this name. */
const isPlainBranch = (branch: string): boolean => PLAIN.test(branch) && branch !== 'HEAD' && !branch.startsWith('-');

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Branches of a repository whose branches are all in files of their own, else null: then git has to be asked. */
export async function readBranches(folder: string): Promise<ReadonlyMap<string, string> | null> {
  if (await isThere(join(folder, 'packed-refs'))) return null;
  const heads = join(folder, 'refs/heads');
  const entries = await readdir(heads, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return null;
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(
      async (file) => [file.slice(heads.length + 1), (await readFile(file, 'utf8').catch(() => '')).trim()] as const,
    ),
  );
  if (found.some(([, hash]) => !HASH.test(hash))) return null;
  // in the order of bytes, as git lists them
  return new Map(found.toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
}

/** Commit of a branch, null where there is none; undefined where git has to be asked. */
export async function readBranch(folder: string, branch: string): Promise<string | null | undefined> {
  if (!isPlainBranch(branch)) return undefined;
  const text = await readFile(join(folder, 'refs/heads', branch), 'utf8').catch(() => null);
  if (text !== null) return HASH.test(text.trim()) ? text.trim() : undefined;
  return (await isThere(join(folder, 'packed-refs'))) ? undefined : null;
}

/** Points a branch at a commit that exists. @returns false where git has to decide: the name is in the way of another, or unusual */
export async function writeBranch(folder: string, branch: string, commit: string): Promise<boolean> {
  if (!isPlainBranch(branch)) return false;
  const file = join(folder, 'refs/heads', branch);
  const draft = join(folder, `ref-${randomUUID()}`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, `${commit}\n`);
    await rename(draft, file);
    return true;
  } catch {
    return false;
  }
}
