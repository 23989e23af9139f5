import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkPlugins } from './checks.ts';

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const tree = async (files: Record<string, string>): Promise<string> => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'breakwater-plugins-'));
  folders.push(root);
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(root, 'plugins', file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return root;
};

const good = {
  'demo/README.md': '# Demo',
  'demo/src/plugin.ts': 'export default definePlugin({});',
  'demo/package.json': JSON.stringify({
    name: '@breakwater/plugin-demo',
    private: true,
    scripts: { test: 'node ../../tools/bootstrap.mjs test-plugin demo' },
    dependencies: { '@breakwater/sdk': '0.1.0', saxes: '6.0.0' },
  }),
};

test('a well-shaped plugin passes', async () => {
  expect(await checkPlugins(await tree(good))).toEqual([]);
});

test('a missing README is named', async () => {
  const { 'demo/README.md': _, ...rest } = good;
  expect(await checkPlugins(await tree(rest))).toEqual([{ where: 'plugins/demo', what: 'has no README.md' }]);
});

test('core, loose versions, wrong names and tables are refused', async () => {
  const root = await tree({
    ...good,
    'demo/package.json': JSON.stringify({
      name: 'demo',
      dependencies: { '@breakwater/sdk': '0.1.0', '@breakwater/core': '0.1.0', saxes: '^6.0.0' },
    }),
    'demo/migrations/1.sql': 'create table x ();',
    'demo/src/plugin.ts': 'export default {};',
  });
  expect((await checkPlugins(root)).map((issue) => issue.what)).toEqual([
    'is not named @breakwater/plugin-demo',
    'is not private',
    'has no script "test": "node ../../tools/bootstrap.mjs test-plugin demo"',
    'depends on @breakwater/core; a plugin sees sdk only',
    'saxes is not pinned to one version',
    'calls no definePlugin',
    'a plugin owns no tables',
  ]);
});

test('our own plugins are well-shaped', async () => {
  expect(await checkPlugins(path.join(import.meta.dirname, '..'))).toEqual([]);
});
