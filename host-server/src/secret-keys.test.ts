import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecretKeys } from './secret-keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the first start makes a key that only its owner reads, later ones find it', async () => {
  const [first, second] = await Promise.all([loadSecretKeys(folder), loadSecretKeys(folder)]);
  expect(first).toEqual(second);
  expect(first[0]).toHaveLength(32);
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  expect((await readFile(path.join(folder, 'secret.key'), 'utf8')).trim()).toBe(first[0]?.toString('base64'));
});

test('a damaged file is never replaced: its secrets would be lost', async () => {
  await writeFile(path.join(folder, 'secret.key'), 'oops');
  await expect(loadSecretKeys(folder)).rejects.toThrow('damaged');
});
