import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { ScanError } from './clone-error.ts';
import type { Cloned, CloneTask } from './git-clone.ts';

/** The folder itself or one above it. Both without links. */
const isInside = (root: string, folder: string): boolean => {
  const relative = path.relative(root, folder);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
};

/** What a folder of the server really is, links resolved; null where the operator did not allow it. */
const allowedFolder = async (roots: readonly string[], folder: string): Promise<string | null> => {
  if (!path.isAbsolute(folder) || folder.includes('\0')) return null;
  const found = await realpath(folder).catch(() => null);
  if (found === null) return null;
  for (const root of roots) {
    const real = await realpath(root).catch(() => null);
    if (real !== null && isInside(real, found)) return found;
  }
  return null;
};

/** What is wrong with the address of a local repository; undefined for a sound one. Says the same of a folder that is not there and one outside. */
export const localFolderIssue = async (roots: readonly string[], folder: string): Promise<string | undefined> => {
  if (roots.length === 0) return msg('The operator of this server has not allowed folders of the server to be read.');
  if ((await allowedFolder(roots, folder)) !== null) return undefined;
  return msg(
    'It is no folder that the operator allows to be read (BREAKWATER_LOCAL_FOLDERS). Give its whole path on the server.',
  );
};

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

const readSmall = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** The commit that is checked out, read without git: the folder's own settings are not to be obeyed. */
const readCommit = async (folder: string): Promise<string | null> => {
  const head = (await readSmall(path.join(folder, '.git', 'HEAD'))).trim();
  if (HASH.test(head)) return head;
  const ref = /^ref: (refs\/heads\/[\w./-]{1,255})$/.exec(head)?.[1];
  if (ref === undefined || ref.includes('..')) return null;
  const loose = (await readSmall(path.join(folder, '.git', ref))).trim();
  if (HASH.test(loose)) return loose;
  const packed = await readSmall(path.join(folder, '.git', 'packed-refs'));
  const line = packed.split('\n').find((text) => text.endsWith(` ${ref}`)) ?? '';
  return HASH.test(line.slice(0, line.indexOf(' '))) ? line.slice(0, line.indexOf(' ')) : null;
};

/** Copies one plain file; what has become a link meanwhile is left out. @returns its size */
const copyFile = async (from: string, to: string): Promise<number> => {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (source === null) return 0;
  try {
    const found = await source.stat();
    if (!found.isFile()) return 0;
    const target = await open(to, 'wx', 0o600);
    await pipeline(source.createReadStream({ autoClose: false }), target.createWriteStream());
    return found.size;
  } finally {
    await source.close();
  }
};

/**
 * Copies the files of a folder of the server into the work folder, without its `.git` and without links: nothing outside of the folder is read, and
 * scanners write nothing into it. @throws ScanError
 */
export const cloneLocalFolder = async (
  { roots, folder }: { roots: readonly string[]; folder: string },
  { work, limits, signal }: CloneTask,
): Promise<Cloned> => {
  const source = await allowedFolder(roots, folder);
  if (source === null) {
    throw new ScanError(
      'clone_refused',
      msg('The folder does not exist or is none that the operator allows to be read (BREAKWATER_LOCAL_FOLDERS).'),
    );
  }
  const deadline = Date.now() + limits.timeoutMs;
  let [files, bytes] = [0, 0];
  const waiting: string[] = [''];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const entry of await opendir(path.join(source, next))) {
      signal.throwIfAborted();
      const relative = path.join(next, entry.name);
      if (entry.name === '.git') continue;
      const target = path.join(work.clone, relative);
      if (entry.isDirectory()) {
        await mkdir(target, { mode: 0o700 });
        waiting.push(relative);
      } else if (entry.isFile()) {
        const { size } = await lstat(path.join(source, relative));
        if (bytes + size <= limits.bytes) bytes += await copyFile(path.join(source, relative), target);
        else bytes += size;
        files += 1;
      }
      if (files + waiting.length > limits.files || bytes > limits.bytes) {
        throw new ScanError(
          'clone_too_large',
          sayEnglish('The folder holds more than a scan may: {files} files, {bytes} MB.', {
            files: limits.files,
            bytes: Math.floor(limits.bytes / 1024 / 1024),
          }),
        );
      }
      if (Date.now() > deadline) throw new ScanError('clone_timeout', msg('The folder was not copied in time.'));
    }
  }
  return { commit: await readCommit(source), files };
};
