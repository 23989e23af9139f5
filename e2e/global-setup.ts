import { spawnSync } from 'node:child_process';
import { glob, stat } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
const BUILT = path.join(ROOT, 'app/dist/index.html');
const SOURCES = [
  'app/{src,public,vite}/**/*',
  'app/*.{ts,html}',
  'core/src/**/{ui,api,model,shell}/**/*',
  'sdk/src/**/*.ts',
];

const changedAt = async (file: string): Promise<number> =>
  stat(file).then(
    (entry) => entry.mtimeMs,
    () => 0,
  );

const newestSource = async (): Promise<number> => {
  let newest = 0;
  for await (const file of glob(SOURCES, { cwd: ROOT }))
    newest = Math.max(newest, await changedAt(path.join(ROOT, file)));
  return newest;
};

/** The journeys drive what a person gets, so the browser's code is built first when it is older than its sources. */
export default async (): Promise<void> => {
  if ((await changedAt(BUILT)) > (await newestSource())) return;
  const vite = path.join(ROOT, 'node_modules/.bin/vite');
  // Vitest says `test`, for which React would build its slow and chatty half.
  const env = { ...process.env, NODE_ENV: 'production' };
  const done = spawnSync(vite, ['build', 'app', '--logLevel', 'warn'], { cwd: ROOT, stdio: 'inherit', env });
  if (done.status !== 0) throw new Error('the browser build failed');
};
