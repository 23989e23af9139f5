import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OWN_PROGRAM, pluginCommand } from '../plugin-command.ts';
import { createPlainProgram } from './plain-program.ts';

let parent: string;
beforeEach(async () => {
  parent = await realpath(await mkdtemp(path.join(tmpdir(), 'breakwater-plain-')));
});
afterEach(() => rm(parent, { recursive: true }));

const filesOf = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
};

test('the program is JavaScript without TypeScript among its imports, and runs with rights to its folder alone', async () => {
  const program = createPlainProgram(OWN_PROGRAM, parent)();
  const files = await filesOf(parent);
  expect(files).toContain(program.file);
  expect(files.filter((file) => !file.endsWith('.js') || !file.startsWith(program.folder))).toEqual([]);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(texts.filter((text) => /\bfrom '[^']+\.ts'/.test(text))).toEqual([]);
  const [file, ...args] = pluginCommand({ readable: [], limits: { heapMb: 64, dataMb: 1_024 } }, program);
  // nobody listens: it says that it is ready and ends
  const { status, stdout } = spawnSync(file, args, { env: {}, cwd: '/', input: '' });
  expect({ status, said: stdout.toString('latin1') }).toMatchObject({
    status: 0,
    said: expect.stringContaining('"ready"'),
  });
});

test('what was tidied up is written again', async () => {
  const program = createPlainProgram(OWN_PROGRAM, parent);
  program();
  const files = await filesOf(parent);
  await rm(files.find((file) => file.endsWith('frames.js')) ?? '');
  program();
  expect(await filesOf(parent)).toEqual(files);
});

test('where nothing can be written, the program is TypeScript, and nothing half written is left', async () => {
  await writeFile(path.join(parent, 'program'), '');
  const program = createPlainProgram(OWN_PROGRAM, parent);
  expect(program()).toBe(OWN_PROGRAM);
  expect(await filesOf(parent)).toEqual([]);
});

test('a program that is JavaScript already is left as it is', async () => {
  const built = { folder: `${parent}/built/`, file: `${parent}/built/runner.js` };
  await mkdir(built.folder);
  expect(createPlainProgram(built, parent)()).toBe(built);
  expect(await readdir(parent)).toEqual(['built']);
});
