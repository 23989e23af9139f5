import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder is claimed once and given back', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`already running on ${folder} (process ${process.pid})`);
  await unlock();
  expect(await readdir(folder)).toEqual([]);
  await (await lockFolder(folder))();
});

test.each(['', 'nonsense', '999999999 1', '1 not-its-start'])('a stale claim (%j) needs no person', async (claim) => {
  await writeFile(path.join(folder, 'server.lock'), claim);
  await (await lockFolder(folder))();
});

test('of ten processes that meet a stale claim at once exactly one gets the folder', async () => {
  await writeFile(path.join(folder, 'server.lock'), '999999999 1');
  const module = path.join(import.meta.dirname, 'folder-lock.ts');
  const script = `
    import { lockFolder } from ${JSON.stringify(module)};
    await lockFolder(${JSON.stringify(folder)}).then(() => console.log('mine'), (error) => console.log(error.message));
    process.stdin.resume();`;
  const children = Array.from({ length: 10 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const lines = await Promise.all(
    children.map(
      (child) =>
        new Promise<string>((resolve) => {
          child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
        }),
    ),
  );
  for (const child of children) child.stdin.end();
  expect(lines.filter((line) => line === 'mine')).toHaveLength(1);
  expect(lines.filter((line) => line.includes('already running'))).toHaveLength(9);
});
