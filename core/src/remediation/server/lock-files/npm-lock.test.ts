import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finding } from '../../../testing/planned-fix.ts';
import type { ChangeFix, FixFinding, FixRequest, LockedProject } from '../../model/fix.ts';
import { planFix } from '../fixes/plan-fix.ts';
import { createLockTools, type LockTools } from './run-tools.ts';

type Renew = NonNullable<FixRequest['renewLock']>;
type Entry = Record<string, unknown>;

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const planned = async (
  own: FixFinding,
  files: Record<string, string>,
  renewLock: Renew,
  versionsOf: FixRequest['versionsOf'] = undefined,
): Promise<ChangeFix> => {
  const listed = Object.entries(files).map(([name, content]) => ({ path: name, content }));
  const answer = await planFix({
    ...{ finding: own, related: [], renewLock, ...(versionsOf === undefined ? {} : { versionsOf }) },
    // what lies below the folders is only read where it is asked for
    files: listed.filter((file) => !file.path.startsWith('packages/b/')),
    readFiles: async (paths) => listed.filter((file) => paths.includes(file.path)),
  });
  if (answer.kind !== 'change') throw new Error(JSON.stringify(answer));
  return answer;
};
const changed = (fix: ChangeFix, name: string): string => fix.changes.find((one) => one.path === name)?.after ?? '';
const packagesOf = (lock: string): Record<string, Entry> => JSON.parse(lock).packages;

const toolsOf = (searchPath: string, dataDirectory: string): LockTools =>
  createLockTools({ searchPath, dataDirectory, registries: { npm: undefined, go: undefined, pypi: undefined } });

describe('npm itself', () => {
  let folder: string;
  let tools: LockTools;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-locks-'));
    tools = toolsOf(process.env['PATH'] ?? '', folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('changes the lock file alone where that is enough, keeps the registry of the project, and runs nothing', async () => {
    const ran = path.join(folder, 'ran');
    const scripts = Object.fromEntries(['preinstall', 'prepare', 'install'].map((name) => [name, `touch ${ran}`]));
    const manifest = { name: 'shop', version: '1.0.0', scripts, dependencies: { accepts: '1.3.8' } };
    const old = { ...manifest, overrides: { 'mime-types': '2.1.34' } };
    const made = await tools.renewLock({ files: new Map([['package.json', text(old)]]), lock: 'package-lock.json' });
    if ('refused' in made) throw new Error(made.refused);
    const lock = made.content.replaceAll(/https:\/\/[^/"]+\/(?=[^"]+\/-\/)/g, 'https://nexus.acme.example/npm/');
    const own = finding('1', { name: 'mime-types', version: '2.1.34', fixedVersion: '2.1.35' }, 'package-lock.json');
    const fix = await planned(own, { 'package.json': text(manifest), 'package-lock.json': lock }, tools.renewLock);
    expect(fix.changes.map((one) => one.path)).toEqual(['package-lock.json']);
    expect(fix).toMatchObject({ staleLocks: [], remaining: [] });
    const [before, after] = [packagesOf(lock), packagesOf(changed(fix, 'package-lock.json'))];
    expect(before['node_modules/mime-types']).toMatchObject({ version: '2.1.34' });
    expect(after['node_modules/mime-types']).toMatchObject({
      version: '2.1.35',
      resolved: 'https://nexus.acme.example/npm/mime-types/-/mime-types-2.1.35.tgz',
    });
    expect(after['node_modules/negotiator']).toEqual(before['node_modules/negotiator']);
    await expect(access(ran)).rejects.toThrow();
    expect((await readdir(path.join(folder, 'lock-files'))).filter((name) => name.startsWith('run-'))).toEqual([]);
  });

  it('knows the versions of a package from one upwards, and what they need', async () => {
    const known = await tools.versionsOf('accepts', '1.3.7');
    expect(known.slice(0, 2)).toMatchObject([
      { version: '1.3.7', dependencies: { 'mime-types': '~2.1.24' } },
      { version: '1.3.8', dependencies: { 'mime-types': '~2.1.34' } },
    ]);
    expect(await tools.versionsOf('accepts', '99.0.0')).toEqual([]);
  });

  it('raises the parent where no version that it allows is fixed, and sets no version from outside', async () => {
    const manifest = { name: 'shop', version: '1.0.0', dependencies: { accepts: '1.3.5' } };
    const made = await tools.renewLock({
      ...{ files: new Map([['package.json', text(manifest)]]), lock: 'package-lock.json' },
    });
    if ('refused' in made) throw new Error(made.refused);
    const own = finding('1', { name: 'negotiator', version: '0.6.1', fixedVersion: '0.6.2' }, 'package-lock.json');
    const files = { 'package.json': text(manifest), 'package-lock.json': made.content };
    const fix = await planned(own, files, tools.renewLock, tools.versionsOf);
    expect(JSON.parse(changed(fix, 'package.json'))).toEqual({ ...manifest, dependencies: { accepts: '1.3.7' } });
    const after = packagesOf(changed(fix, 'package-lock.json'));
    expect(after['node_modules/accepts']).toMatchObject({ version: '1.3.7' });
    expect(after['node_modules/negotiator']).toMatchObject({ version: '0.6.2' });
    expect(fix).toMatchObject({ isBreaking: false, staleLocks: [], remaining: [] });
    expect(fix.description).toContain('`accepts`, which brings it along, goes from `1.3.5` to `1.3.7`');
  });

  it('says what npm said, and what is left to a person', async () => {
    const manifest = text({ name: 'shop', dependencies: { accepts: '1.3.8' } });
    const own = finding('1', { name: 'accepts', version: '1.3.8', fixedVersion: '99.0.0' }, 'package-lock.json');
    const lock = text({ name: 'shop', lockfileVersion: 3, packages: { '': { name: 'shop' } } });
    const fix = await planned(own, { 'package.json': manifest, 'package-lock.json': lock }, tools.renewLock);
    expect(fix.changes.map((one) => one.path)).toEqual(['package.json']);
    expect(fix.staleLocks).toHaveLength(1);
    expect(fix.remaining.join()).toMatch(/still as it was: npm refused the project: ETARGET/);
    expect(fix.description).toContain('npm install --package-lock-only');
  });

  it('is told apart from a machine without npm', async () => {
    expect(await toolsOf('/nowhere', folder).renewLock({ files: new Map(), lock: 'package-lock.json' })).toEqual({
      refused: expect.stringContaining('not installed'),
    });
  });
});

const entry = (name: string, version: string, more: Entry = {}): Entry => ({
  version,
  resolved: `https://packages.example/${name}/-/${name}-${version}.tgz`,
  integrity: `sha512-${name}${version}`,
  ...more,
});
const LOCK = {
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': { name: 'shop', dependencies: { a: '1.0.0', other: '1.0.0' } },
    'node_modules/a': entry('a', '1.0.0', { dependencies: { needed: '^1.0.0' } }),
    'node_modules/needed': entry('needed', '1.0.0'),
    'node_modules/other': entry('other', '1.0.0'),
  },
};
const MANIFEST = { name: 'shop', dependencies: { a: '1.0.0', other: '1.0.0' } };
const OWN = finding('1', { name: 'a', version: '1.0.0', fixedVersion: '1.0.1' }, 'package-lock.json');
const withPackages = (packages: Record<string, Entry>) => ({ ...LOCK, packages: { ...LOCK.packages, ...packages } });
const UPGRADED = { 'node_modules/a': entry('a', '1.0.1', { dependencies: { needed: '^1.0.0' } }) };
const answering =
  (lock: object, seen: LockedProject[] = []): Renew =>
  async (project) => {
    seen.push(project);
    return { content: text(lock) };
  };
const plannedOf = (renew: Renew, manifest: object = MANIFEST, lock: object = LOCK) =>
  planned(OWN, { 'package.json': text(manifest), 'package-lock.json': text(lock) }, renew);

describe('what npm is given', () => {
  const never: Renew = async () => {
    throw new Error('npm was run');
  };
  const requiring = (requirement: string) => ({
    ...MANIFEST,
    dependencies: { ...MANIFEST.dependencies, b: requirement },
  });

  it.each([
    ['file:../../etc', requiring('file:../../etc')],
    ['link:/etc', requiring('link:/etc')],
    ['git+ssh://git@host/x.git', requiring('git+ssh://git@host/x.git')],
    ['github shorthand', requiring('acme/b#main')],
    ['address', requiring('http://169.254.169.254/latest')],
    ['folder', requiring('../b')],
    ['alias of a folder', requiring('npm:file:../b')],
    ['no text', { ...MANIFEST, devDependencies: { b: { x: 1 } } }],
    ['override', { ...MANIFEST, overrides: { other: { b: 'file:/etc' } } }],
    ['workspaces outside', { ...MANIFEST, workspaces: ['../*'] }],
    ['workspaces of the machine', { ...MANIFEST, workspaces: { packages: ['/etc/*'] } }],
  ])('never asks for anything but a registry: %s', async (_, manifest) => {
    const fix = await plannedOf(never, manifest);
    expect(fix.changes.map((one) => one.path)).toEqual(['package.json']);
    expect(fix.staleLocks).toHaveLength(1);
    expect(fix.remaining.join()).toContain('package-lock.json is still as it was:');
  });

  it.each([
    ['link outside', withPackages({ 'node_modules/b': { resolved: '../b', link: true } })],
    ['folder outside', withPackages({ '../b': { version: '1.0.0' } })],
    ['git', withPackages({ 'node_modules/b': { version: '1.0.0', resolved: 'git+ssh://git@host/b.git#1' } })],
    ['npm 6', { lockfileVersion: 1, dependencies: {} }],
    ['packages that are none', { lockfileVersion: 3, packages: { 'node_modules/a': { version: 1 } } }],
  ])('is no lock file with: %s', async (_, lock) => {
    const fix = await plannedOf(never, MANIFEST, lock);
    expect(fix.changes.map((one) => one.path)).toEqual(['package.json']);
    expect(fix.remaining).toHaveLength(1);
  });

  it('names no address, so that nobody but the registry is asked', async () => {
    const seen: LockedProject[] = [];
    const hostile = withPackages({
      'node_modules/other': { ...entry('other', '1.0.0'), resolved: 'http://10.0.0.1/x.tgz' },
    });
    const fix = await plannedOf(
      answering({ ...hostile, packages: { ...hostile.packages, ...UPGRADED } }, seen),
      MANIFEST,
      hostile,
    );
    expect(seen[0]?.files.get('package-lock.json')).not.toMatch(/https?:/);
    // what was there stays as it was
    expect(packagesOf(changed(fix, 'package-lock.json'))['node_modules/other']).toEqual(
      hostile.packages['node_modules/other'],
    );
  });

  it('holds all workspaces of the project around a manifest', async () => {
    const packages = {
      '': { name: 'shop', workspaces: ['packages/*'] },
      'packages/a': { name: 'a1', dependencies: { a: '1.0.0' } },
      'packages/b': { name: 'b1' },
      'node_modules/a1': { resolved: 'packages/a', link: true },
      'node_modules/b1': { resolved: 'packages/b', link: true },
      'node_modules/a': entry('a', '1.0.0'),
    };
    const files = {
      'package.json': text({ name: 'shop', workspaces: ['packages/*'] }),
      'package-lock.json': text({ lockfileVersion: 3, packages }),
      'packages/a/package.json': text({ name: 'a1', dependencies: { a: '1.0.0' } }),
      'packages/b/package.json': text({ name: 'b1' }),
    };
    const seen: LockedProject[] = [];
    const renewed = { ...packages, 'node_modules/a': entry('a', '1.0.1') };
    const own = { ...OWN, file: 'packages/a/package.json' };
    const fix = await planned(own, files, answering({ lockfileVersion: 3, packages: renewed }, seen));
    expect([...(seen[0]?.files.keys() ?? [])].toSorted()).toEqual(Object.keys(files).toSorted());
    expect(fix.changes.map((one) => one.path)).toEqual(['packages/a/package.json', 'package-lock.json']);
  });
});

describe('what npm answers', () => {
  it.each([
    ['another package', withPackages({ ...UPGRADED, 'node_modules/evil': entry('evil', '1.0.0') })],
    ['another version', withPackages({ ...UPGRADED, 'node_modules/other': entry('other', '2.0.0') })],
    [
      'other content',
      withPackages({ ...UPGRADED, 'node_modules/other': entry('other', '1.0.0', { integrity: 'sha512-x' }) }),
    ],
    ['a link', withPackages({ ...UPGRADED, 'node_modules/b': { resolved: '../b', link: true } })],
    ['a file', withPackages({ ...UPGRADED, 'node_modules/a': entry('a', '1.0.1', { resolved: 'file:../a.tgz' }) })],
    ['no proof', withPackages({ ...UPGRADED, 'node_modules/a': entry('a', '1.0.1', { integrity: undefined }) })],
    ['the affected version', LOCK],
    ['another layout', { ...withPackages(UPGRADED), lockfileVersion: 2 }],
  ])('is refused with %s', async (_, lock) => {
    const fix = await plannedOf(answering(lock));
    expect(fix.changes.map((one) => one.path)).toEqual(['package.json']);
    expect(fix.remaining).toHaveLength(1);
  });

  it('may bring what the package needs, at the registry of the project whichever mirror was asked', async () => {
    const mirrored = entry('fresh', '3.0.0', { resolved: 'http://mirror.local:4873/fresh/-/fresh-3.0.0.tgz' });
    const upgraded = { 'node_modules/a': entry('a', '1.0.1', { dependencies: { fresh: '^3.0.0' } }) };
    const { 'node_modules/needed': _, ...rest } = LOCK.packages;
    const packages = { ...rest, ...upgraded, 'node_modules/fresh': mirrored };
    const fix = await plannedOf(answering({ ...LOCK, packages }));
    expect(fix).toMatchObject({ staleLocks: [], remaining: [] });
    const lock = packagesOf(changed(fix, 'package-lock.json'));
    expect(lock['node_modules/fresh']).toEqual(entry('fresh', '3.0.0'));
    expect(lock).not.toHaveProperty('node_modules/needed');
  });

  it('gives the tree of npm 6 in a file of version 2 the same addresses', async () => {
    const two = {
      ...LOCK,
      lockfileVersion: 2,
      dependencies: { a: { version: '1.0.0', resolved: 'http://10.0.0.1/' } },
    };
    const seen: LockedProject[] = [];
    const tree = { a: { version: '1.0.1', integrity: 'sha512-a1.0.1', requires: { needed: '^1.0.0' } } };
    const renewed = { ...withPackages(UPGRADED), lockfileVersion: 2, dependencies: tree };
    const fix = await plannedOf(answering(renewed, seen), MANIFEST, two);
    expect(seen[0]?.files.get('package-lock.json')).not.toContain('10.0.0.1');
    expect(JSON.parse(changed(fix, 'package-lock.json')).dependencies.a.resolved).toBe(entry('a', '1.0.1')['resolved']);
  });
});

describe('a package that others bring along', () => {
  const MADE = { name: 'shop', dependencies: { parent: '^1.0.0' } };
  const TREE = {
    ...{ name: 'shop', lockfileVersion: 3 },
    packages: {
      '': MADE,
      'node_modules/parent': entry('parent', '1.0.0', { dependencies: { a: '1.0.0' } }),
      'node_modules/a': entry('a', '1.0.0'),
    },
  };
  /** npm that puts in what the manifest asks for. */
  const npm: Renew = async ({ files }) => {
    const manifest = JSON.parse(files.get('package.json') ?? '');
    const isRaised = manifest.dependencies.parent !== MADE.dependencies.parent;
    const version = isRaised || manifest.overrides !== undefined ? '1.0.1' : '1.0.0';
    const parent = isRaised
      ? entry('parent', '1.2.0', { dependencies: { a: '^1.0.1' } })
      : entry('parent', '1.0.0', { dependencies: { a: '1.0.0' } });
    const given = packagesOf(files.get('package-lock.json') ?? '');
    const packages = { ...given, '': manifest, 'node_modules/parent': parent, 'node_modules/a': entry('a', version) };
    return { content: text({ ...TREE, packages }) };
  };
  const KNOWN = [
    { version: '1.1.0', dependencies: { a: '1.0.0' } },
    { version: '2.0.0', dependencies: {} },
    { version: '1.2.0-rc.1', dependencies: {} },
    { version: '1.2.0', dependencies: { a: '^1.0.1' } },
  ];
  const fixed = (known: typeof KNOWN | undefined, tree: object = TREE) =>
    planned(
      OWN,
      { 'package.json': text(MADE), 'package-lock.json': text(tree) },
      npm,
      known === undefined ? undefined : async () => known,
    );

  it('comes fixed by the lowest version of its parent that lets it in', async () => {
    const fix = await fixed(KNOWN);
    expect(JSON.parse(changed(fix, 'package.json'))).toEqual({ ...MADE, dependencies: { parent: '^1.2.0' } });
    expect(packagesOf(changed(fix, 'package-lock.json'))['node_modules/a']).toMatchObject({ version: '1.0.1' });
    expect(fix).toMatchObject({ isBreaking: false, staleLocks: [] });
  });

  it.each([
    ['no version of its parent lets it in', KNOWN.slice(0, 1), TREE],
    ['nobody tells its versions', undefined, TREE],
    [
      'its parent is one of another package',
      KNOWN,
      {
        ...TREE,
        packages: {
          ...TREE.packages,
          'node_modules/b/node_modules/inner': entry('inner', '1.0.0', { dependencies: { a: '1.0.0' } }),
        },
      },
    ],
  ])('is set from outside where %s', async (_, known, tree) => {
    const { overrides, dependencies } = JSON.parse(changed(await fixed(known, tree), 'package.json'));
    expect({ overrides, dependencies }).toEqual({
      overrides: { 'a@>=1.0.0 <1.0.1': '^1.0.1' },
      dependencies: MADE.dependencies,
    });
  });

  it('says that a step of its parent may break callers', async () => {
    const fix = await fixed(KNOWN.slice(1, 2));
    expect(JSON.parse(changed(fix, 'package.json')).dependencies).toEqual({ parent: '^2.0.0' });
    expect(fix.isBreaking).toBe(true);
  });
});
