import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { analyseFolder, LIMITS } from './analyse-folder.ts';

const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-reach-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
};
const analyse = (folder: string) => analyseFolder(folder, new AbortController().signal);

test('counts files by name and leaves out what is not the application: packages, what was built, types', async () => {
  const folder = await folderWith({
    'package.json': '{"dependencies":{"express":"4"}}',
    'web/package.json': '{"devDependencies":{"vite":"5"}}',
    'src/a.js': "require('express')",
    'src/b.ts': "import express from 'express';",
    'src/c.d.ts': "import x from 'only-types';",
    'node_modules/express/index.js': "require('qs')",
    'vendor/x.js': "require('vendored')",
    'bundle.js': `require('bundled');${' '.repeat(LIMITS.fileBytes)}`,
    'tool.py': 'import yaml',
    'App.vue': '<template>\n<p/>\n</template>\n<script setup lang="ts">\nimport { ref } from \'vue\';\n</script>',
  });
  expect(await analyse(folder)).toEqual([
    {
      ...{ ecosystem: 'npm', declared: ['express', 'vite'], aliases: {}, isDynamic: false, isComplete: true },
      imports: [
        { name: 'vue', files: 1, path: 'App.vue', line: 5 },
        { name: 'express', files: 2, path: 'src/a.js', line: 1 },
      ],
    },
    {
      ...{ ecosystem: 'pypi', declared: undefined, aliases: {}, isDynamic: false, isComplete: true },
      imports: [{ name: 'yaml', files: 1, path: 'tool.py', line: 1 }],
    },
  ]);
});

test('a manifest that cannot be read leaves open what is declared', async () => {
  const folder = await folderWith({ 'a.py': 'import a', 'requirements.txt': 'flask', 'setup.py': 'setup()' });
  expect((await analyse(folder))[0]?.declared).toBeUndefined();
});

test('links out of the folder are not followed, and names may be anything', async () => {
  const outside = await folderWith({ 'secret.js': "require('outside')" });
  const folder = await folderWith({ '-rf \u202e\n.js': "require('inside')" });
  await symlink(outside, path.join(folder, 'folder'));
  await symlink(path.join(outside, 'secret.js'), path.join(folder, 'link.js'));
  expect((await analyse(folder)).flatMap(({ imports }) => imports.map(({ name }) => name))).toEqual(['inside']);
});

test('component files with broken script tags are read once, however many there are', async () => {
  const folder = await folderWith({ 'a.vue': '<script'.repeat(100_000), 'b.vue': `${'<script>'.repeat(50_000)}` });
  expect((await analyse(folder))[0]?.imports).toEqual([]);
});

test('stops when it is told to', async () => {
  const folder = await folderWith({ 'a.js': '' });
  await expect(analyseFolder(folder, AbortSignal.abort())).rejects.toThrow(/abort/i);
});

test('names that are no UTF-8, and folders too deep, leave open what is not imported', async () => {
  const folder = await folderWith({ 'a.js': "require('a')" });
  expect((await analyse(folder))[0]?.isComplete).toBe(true);
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.js')]), "require('b')");
  expect((await analyse(folder))[0]).toMatchObject({ isComplete: false, imports: [{ name: 'a' }] });

  const deep = await folderWith({ 'a.js': "require('a')", [`${'d/'.repeat(LIMITS.depth + 1)}b.js`]: "require('b')" });
  expect((await analyse(deep))[0]).toMatchObject({ isComplete: false, imports: [{ name: 'a' }] });
});

test('names longer than any package, or with a NUL, are cut or left out: they are to be stored', async () => {
  const folder = await folderWith({
    'package.json': JSON.stringify({
      dependencies: { a: '1', 'b\0': '1', ['c'.repeat(100_000)]: '1', 'd\0': 'npm:e@1' },
    }),
    'a.js': `require('a/${'x'.repeat(100_000)}'); require('b\0')`,
  });
  const [npm] = await analyse(folder);
  expect(npm).toMatchObject({ declared: expect.arrayContaining(['a']), aliases: {}, isComplete: true });
  expect(JSON.stringify(npm)).not.toContain('\\u0000');
  expect(JSON.stringify(npm).length).toBeLessThan(1000);
});
