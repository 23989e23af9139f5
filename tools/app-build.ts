import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT, run } from './suites/run.ts';

const DIST = path.join(ROOT, 'app/dist');
const STAMP = path.join(DIST, '.sources');
/** What the browser application is made of. */
const SOURCES = ['app', 'core/src', 'core/languages', 'sdk/src', 'plugins', 'package-lock.json'];
/** Folders and files that never reach the browser. */
const IS_IRRELEVANT = /(^|\/)(node_modules|dist(\.\w+)?|server|__fixtures__|testing)(\/|$)|\.test\.tsx?$|\.test-d\.ts$/;

const filesOf = async (source: string): Promise<string[]> => {
  const absolute = path.join(ROOT, source);
  const entries = await readdir(absolute, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [source];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !IS_IRRELEVANT.test(file));
};

/** Digest of all sources of the browser application. */
export const sourcesDigest = async (): Promise<string> => {
  const files = (await Promise.all(SOURCES.map(filesOf))).flat().sort();
  const digest = createHash('sha256').update(process.version);
  for (const file of files) {
    const content = await readFile(path.join(ROOT, file)).catch(() => Buffer.alloc(0));
    digest.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
};

/**
 * Builds the browser application when its sources have changed since the last time. It is built beside the old one and
 * then put in its place, so that a running server never meets half of it.
 * @throws with the words of the build.
 */
export const buildAppWhenStale = async (say: (text: string) => void): Promise<boolean> => {
  const digest = await sourcesDigest();
  const known = await readFile(STAMP, 'utf8').catch(() => '');
  if (known === digest) return false;
  await buildApp(digest, say);
  return true;
};

/** Builds the browser application. @throws with the words of the build. */
export const buildApp = async (digest: string, say: (text: string) => void): Promise<void> => {
  say('Building the browser application …');
  const fresh = path.join(ROOT, `app/dist.${process.pid}`);
  const old = path.join(ROOT, `app/dist.old${process.pid}`);
  try {
    const build = await run('bin:vite', ['build', 'app', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'], {
      isQuiet: true,
      // A test runner says `test`, for which React would build its slow and chatty half.
      environment: { ...process.env, NODE_ENV: 'production' },
    });
    if (build.code !== 0) throw new Error(`The browser application could not be built.\n${build.output.trimEnd()}`);
    await writeFile(path.join(fresh, '.sources'), digest);
    await mkdir(DIST, { recursive: true });
    await rename(DIST, old);
    await rename(fresh, DIST);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
};
