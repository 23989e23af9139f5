import { execFile, type SpawnOptions } from 'node:child_process';
import { chown, readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The user "nobody" of every Linux. */
const NOBODY = 65534;

/** How to start PostgreSQL, which refuses to run as root. */
export interface Launch {
  /** Turns a program and its arguments into what is really spawned. */
  command(file: string, args: string[]): [file: string, args: string[]];
  options: SpawnOptions;
  /** User that must own the data folder. */
  owner: number | undefined;
}

const canOthersEnter = async (folder: string): Promise<boolean> => {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const { mode } = await stat(current);
    if ((mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
};

/** PostgreSQL wants to know the name of its user; in a container there may be none for the number. */
const hasName = (): boolean => {
  try {
    return os.userInfo().username !== '';
  } catch {
    return false;
  }
};

const canUnshare = (): Promise<boolean> =>
  run('unshare', ['--user', 'true']).then(
    () => true,
    () => false,
  );

/**
 * Not root: as we are, or in a user namespace where our user has no name. Root: as the user "nobody" where that user can reach the folders, else in a user namespace of its
 * own, where root is nobody too.
 * @param folders every folder that PostgreSQL must reach.
 * @throws with what to do, where neither is possible.
 */
export const chooseLaunch = async (folders: string[]): Promise<Launch> => {
  const asIs: Launch = { command: (file, args) => [file, args], options: { cwd: '/' }, owner: undefined };
  const inNamespace = (owner: number | undefined): Launch => ({
    ...asIs,
    command: (file, args) => ['unshare', ['--user', file, ...args]],
    owner,
  });
  if (process.getuid?.() !== 0) return hasName() || !(await canUnshare()) ? asIs : inNamespace(undefined);
  const isReachable = (await Promise.all(folders.map(canOthersEnter))).every(Boolean);
  if (isReachable) return { ...asIs, options: { cwd: '/', uid: NOBODY, gid: NOBODY }, owner: NOBODY };
  if (await canUnshare()) return inNamespace(0);
  throw new Error(
    `PostgreSQL does not run as root, and the user "nobody" cannot reach ${folders.join(' or ')}. ` +
      'Start Breakwater as an ordinary user, move it to a folder that others may enter (chmod o+x), or set DATABASE_URL.',
  );
};

/** Gives a folder with all in it to a user, when it is not his yet. */
export const giveTo = async (owner: number | undefined, folder: string): Promise<void> => {
  if (owner === undefined || (await stat(folder)).uid === owner) return;
  const entries = await readdir(folder, { recursive: true });
  await Promise.all(entries.map((entry) => chown(path.join(folder, entry), owner, owner)));
  await chown(folder, owner, owner);
};
