import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { finding } from '../../../../testing/planned-fix.ts';
import type { FixRequest } from '../../../model/fix.ts';
import { planFix } from '../plan-fix.ts';
import { readPnpmLock, readYarnLock } from './installed-copies.ts';

/** Lock files as yarn 1.22.22, yarn 4.9.0 and pnpm 10.20.0 wrote them for `accepts` 1.3.5. */
const recorded = (name: string): Promise<string> =>
  readFile(path.join(import.meta.dirname, '__fixtures__', name), 'utf8');

const MANIFEST = '{\n  "name": "shop",\n  "dependencies": {\n    "accepts": "1.3.5"\n  }\n}\n';

/** As the registry tells them. */
const ACCEPTS = [
  { version: '1.3.5', dependencies: { 'mime-types': '~2.1.18', negotiator: '0.6.1' } },
  { version: '1.3.6', dependencies: { 'mime-types': '~2.1.24', negotiator: '0.6.1' } },
  { version: '1.3.7', dependencies: { 'mime-types': '~2.1.24', negotiator: '0.6.2' } },
  { version: '1.3.8', dependencies: { 'mime-types': '~2.1.34', negotiator: '0.6.3' } },
];

const planned = async (
  files: Readonly<Record<string, string>>,
  versions: Awaited<ReturnType<NonNullable<FixRequest['versionsOf']>>> = ACCEPTS,
) => {
  const plan = await planFix({
    finding: finding('1', { name: 'negotiator', version: '0.6.1', fixedVersion: '0.6.2' }, 'package.json'),
    related: [],
    files: Object.entries(files).map(([name, content]) => ({ path: name, content })),
    versionsOf: async (name) => (name === 'accepts' ? versions : []),
  });
  if (plan.kind !== 'change') throw new Error(JSON.stringify(plan));
  return plan;
};

const LOCKS = [
  ['yarn 1', 'yarn-1', 'yarn.lock', 'yarn install --ignore-scripts'],
  ['yarn 4', 'yarn-4', 'yarn.lock', 'yarn install --ignore-scripts'],
  ['pnpm 10', 'pnpm-10', 'pnpm-lock.yaml', 'pnpm install --lockfile-only --ignore-scripts'],
] as const;

describe.each(LOCKS)('a package that another one brings along, with %s', (_title, folder, name, command) => {
  it('is fixed by raising what brings it along; the text says which command completes the lock file', async () => {
    const plan = await planned({ 'package.json': MANIFEST, [name]: await recorded(`${folder}/${name}`) });
    expect(plan.changes).toMatchObject([{ path: 'package.json', after: MANIFEST.replace('1.3.5', '1.3.7') }]);
    expect(plan.description).toContain('`accepts`, which brings it along, goes from `1.3.5` to `1.3.7`');
    expect(plan.description).toContain(`Run \`${command}\` beside \`${name}\`.`);
    expect(plan.staleLocks).toMatchObject([{ path: name, command }]);
  });

  it('is overridden where no version of what brings it along asks for the fixed one', async () => {
    const files = { 'package.json': MANIFEST, [name]: await recorded(`${folder}/${name}`) };
    const plan = await planned(files, ACCEPTS.slice(0, 2));
    expect(JSON.parse(plan.changes[0]?.after ?? '')).toMatchObject(
      name === 'yarn.lock'
        ? { resolutions: { negotiator: '^0.6.2' } }
        : { pnpm: { overrides: { 'negotiator@<0.6.2': '^0.6.2' } } },
    );
    expect(plan.description).toContain(`Run \`${command}\` beside \`${name}\`.`);
  });

  it('is overridden where the raised one would still allow what the lock file holds', async () => {
    const files = { 'package.json': MANIFEST, [name]: await recorded(`${folder}/${name}`) };
    const loose = [...ACCEPTS.slice(0, 2), { version: '1.3.7', dependencies: { negotiator: '>=0.6.1' } }];
    expect(JSON.parse((await planned(files, loose)).changes[0]?.after ?? '')).toMatchObject({
      dependencies: { accepts: '1.3.5' },
    });
  });

  it('is read with every copy and what it asks for', async () => {
    const text = await recorded(`${folder}/${name}`);
    const copies = name === 'yarn.lock' ? readYarnLock(text) : readPnpmLock(text, name);
    const versions = copies.filter((copy) => copy.name !== 'shop').map((copy) => `${copy.name}@${copy.version}`);
    expect(versions).toEqual(['accepts@1.3.5', 'mime-db@1.52.0', 'mime-types@2.1.35', 'negotiator@0.6.1']);
    expect(copies[0]?.dependencies).toEqual({
      'mime-types': name === 'yarn.lock' ? '~2.1.18' : '2.1.35',
      negotiator: '0.6.1',
    });
  });
});

describe('overrides of pnpm', () => {
  const override = async (manifest: string, workspace?: string) => {
    const lock = { 'pnpm-lock.yaml': await recorded('pnpm-10/pnpm-lock.yaml') };
    const settings: Record<string, string> = workspace === undefined ? {} : { 'pnpm-workspace.yaml': workspace };
    const plan = await planned({ 'package.json': manifest, ...lock, ...settings }, []);
    return plan.changes.map(({ path: file, after }) => [file, after]);
  };
  const pinned = MANIFEST.replace('{\n', '{\n  "packageManager": "pnpm@11.0.1",\n');

  it.each([
    [
      'that is where settings are kept',
      MANIFEST,
      'overrides:\n  qs: 6.5.3\n',
      'overrides:\n  qs: 6.5.3\n  "negotiator@<0.6.2": "^0.6.2"\n',
    ],
    [
      'a pnpm that reads no other place',
      pinned,
      'packages:\n  - apps/*\n',
      'packages:\n  - apps/*\noverrides:\n  "negotiator@<0.6.2": "^0.6.2"\n',
    ],
  ])('stand in pnpm-workspace.yaml: %s', async (_why, manifest, before, after) => {
    expect(await override(manifest, before)).toEqual([['pnpm-workspace.yaml', after]]);
  });

  it('stand in package.json where pnpm-workspace.yaml names packages alone, or overrides stand there already', async () => {
    expect((await override(MANIFEST, 'packages:\n  - apps/*\n')).map(([file]) => file)).toEqual(['package.json']);
    const held = MANIFEST.replace('{\n', '{\n  "pnpm": { "overrides": { "qs": "6.5.3" } },\n');
    expect((await override(held, 'overrides:\n  qs: 6.5.3\n')).map(([file]) => file)).toEqual(['package.json']);
  });
});
