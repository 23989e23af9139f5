import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ArchiveFiles } from './plugin-archive.ts';

const PREFIX = 'breakwater-plugins-';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

let own: string | undefined;

/** Deletes what killed processes left. */
const deleteLeftovers = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && pid !== process.pid && !isRunning(pid))
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
  }
};

/** Where this process unpacks plugins; deleted when it ends. */
const ownFolder = (): string => {
  if (own !== undefined) return own;
  deleteLeftovers();
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`)));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  own = folder;
  return folder;
};

/** Writes files into a new folder of this process, which only it can read. @returns its real path */
export const unpackInto = (name: string, files: ArchiveFiles): string => {
  const folder = mkdtempSync(path.join(ownFolder(), `${name}-`));
  for (const [file, bytes] of files) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, bytes, { mode: 0o600 });
  }
  return folder;
};

export const deleteUnpacked = (folder: string): void => rmSync(folder, { recursive: true, force: true });
