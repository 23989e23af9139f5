import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSpool, removeLeftoverUploads } from './spool.ts';

const SPOOL = new URL('./spool.ts', import.meta.url).href;
const isThere = async (folder: string): Promise<boolean> =>
  (await readdir(os.tmpdir())).includes(path.basename(folder));

/** Another process with an upload on its way. */
const spoolElsewhere = async () => {
  const text = `import { createSpool } from '${SPOOL}'; console.log((await createSpool()).folder); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const folder = String(line).trim();
  await writeFile(path.join(folder, 'report.zst'), 'half');
  return { child, folder };
};

test('uploads of a killed process are removed at start, those of a running one are not', async () => {
  const [killed, running] = [await spoolElsewhere(), await spoolElsewhere()];
  try {
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(await removeLeftoverUploads()).toBeGreaterThanOrEqual(1);
    expect([await isThere(killed.folder), await isThere(running.folder)]).toEqual([false, true]);
  } finally {
    running.child.kill('SIGKILL');
  }
});

test('what another machine left in a shared folder is removed after a day; and a restarted container has its old number', async () => {
  const folders = ['other-host-1-abc', 'other-host-2-abc'].map((name) =>
    path.join(os.tmpdir(), `breakwater-upload-${name}`),
  );
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const [old = '', fresh = ''] = folders;
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
  await utimes(old, twoDaysAgo, twoDaysAgo);
  const own = await createSpool();
  await removeLeftoverUploads();
  expect([await isThere(old), await isThere(fresh), await isThere(own.folder)]).toEqual([false, true, false]);
});
