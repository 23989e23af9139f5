import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a tool writes, or what is no source of the connector. */
const LEFT_OUT = new Set(['node_modules', 'build', 'dist']);
/** An editor writes a file in several steps. */
const SETTLE_MS = 40;

/** Calls after files below a folder have changed, once for changes at the same time. @returns what ends it */
export async function watchFolder(folder: string, handleChange: () => void): Promise<() => void> {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void watchAll().then(() => {
        if (!isClosed) handleChange();
      });
    }, SETTLE_MS);
  };
  const watchAll = async (): Promise<void> => {
    for (const one of await foldersBelow(folder)) {
      if (watchers.has(one) || isClosed) continue;
      const watcher = watch(one, (_, name) => {
        if (name === null || !isLeftOut(name)) changed();
      });
      // a folder that was deleted is watched no longer
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(one);
      });
      watchers.set(one, watcher);
    }
  };
  await watchAll();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

const isLeftOut = (name: string): boolean => LEFT_OUT.has(name) || name.startsWith('.');

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = entries.filter((entry) => entry.isDirectory() && !isLeftOut(entry.name));
  const below = await Promise.all(own.map(({ name }) => foldersBelow(join(folder, name))));
  return [folder, ...below.flat()];
}
