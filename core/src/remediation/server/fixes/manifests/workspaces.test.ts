import { describe, expect, it } from 'vitest';
import { change, finding } from '../../../../testing/planned-fix.ts';

const FILE = 'packages/api/package.json';
const MANIFEST = `${JSON.stringify({ name: 'api', dependencies: { lodash: '^4.17.15' } }, null, 2)}\n`;
const lodash = finding('1', { ecosystem: 'npm', name: 'lodash', version: '4.17.15', fixedVersion: '4.17.21' }, FILE);

const YARN_LOCK = 'lodash@^4.17.15:\n  version "4.17.15"\n';
const importers = (...names: string[]): string =>
  `lockfileVersion: '9.0'\n\nimporters:\n\n${names.map((name) => `  ${name}:\n    dependencies: {}\n`).join('')}`;

/** Lock files that the upgrade of a workspace leaves to be renewed, with the command. */
const staleOf = async (files: Record<string, string>) =>
  (await change(lodash, { [FILE]: MANIFEST, ...files })).staleLocks.map(({ path, command }) => [path, command]);

describe('a package of a workspace', () => {
  it.each([
    ['a list', { workspaces: ['packages/*'] }],
    ['a list below an object', { workspaces: { packages: ['./packages/*/'] } }],
    ['its own path', { workspaces: ['apps/*', 'packages/api'] }],
    ['any depth', { workspaces: ['**'] }],
  ])('of yarn renews the lock file of the root: %s', async (_name, root) => {
    expect(await staleOf({ 'package.json': JSON.stringify(root), 'yarn.lock': YARN_LOCK })).toEqual([
      ['yarn.lock', 'yarn install --ignore-scripts'],
    ]);
  });

  it('of pnpm renews the lock file that names it', async () => {
    expect(await staleOf({ 'package.json': '{}', 'pnpm-lock.yaml': importers('.', 'packages/api') })).toEqual([
      ['pnpm-lock.yaml', 'pnpm install --lockfile-only --ignore-scripts'],
    ]);
  });

  it.each([
    ['yarn without workspaces', { 'package.json': '{}', 'yarn.lock': YARN_LOCK }],
    ['yarn with others', { 'package.json': '{"workspaces": ["apps/*"]}', 'yarn.lock': YARN_LOCK }],
    ['yarn that leaves it out', { 'package.json': '{"workspaces": ["packages/*", "!packages/api"]}', 'yarn.lock': '' }],
    ['yarn whose package.json cannot be read', { 'package.json': '{', 'yarn.lock': YARN_LOCK }],
    ['pnpm for others', { 'package.json': '{}', 'pnpm-lock.yaml': importers('.', 'packages/web') }],
    ['pnpm whose lock file cannot be read', { 'package.json': '{}', 'pnpm-lock.yaml': 'a: [' }],
  ])('is none of %s', async (_name, files) => {
    expect(await staleOf(files)).toEqual([]);
  });

  it('has a lock file of its own before that of the root', async () => {
    const root = { 'package.json': '{"workspaces": ["packages/*"]}', 'yarn.lock': YARN_LOCK };
    expect(await staleOf({ ...root, 'packages/api/yarn.lock': YARN_LOCK })).toEqual([
      ['packages/api/yarn.lock', 'yarn install --ignore-scripts'],
    ]);
  });
});
