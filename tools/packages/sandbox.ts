import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from '../suites/run.ts';
import { type Fields, fieldsAt, isFields, npm, readJson, writeJson } from './npm.ts';

/** Too large to be copied for every plugin, and no part of what is tested. */
const BORROWED = ['typescript', '@types/node'];

const dependencyNames = (entry: Fields): string[] => [
  ...Object.keys(fieldsAt(entry, 'dependencies')),
  ...Object.keys(fieldsAt(entry, 'optionalDependencies')),
];

/** Where npm would find a package asked for from a place in the lock: the nearest node_modules upwards. */
const locate = (packages: Fields, from: string, name: string): string | undefined => {
  const folders = from.split(/(?=node_modules\/)/).map((_, index, parts) => parts.slice(0, index + 1).join(''));
  const candidates = [
    ...folders.reverse().map((folder) => path.posix.join(folder, 'node_modules', name)),
    `node_modules/${name}`,
  ];
  return candidates.find((candidate) => candidate in packages);
};

/** Everything that these packages need, as the repository's lock pins it. */
const closure = (packages: Fields, names: readonly string[]): Fields => {
  const found: Fields = {};
  const visit = (from: string, name: string): void => {
    const place = locate(packages, from, name);
    const entry = place === undefined ? undefined : packages[place];
    if (place === undefined || place in found || !isFields(entry)) return;
    const { dev: _, peer: __, ...kept } = entry;
    found[place] = kept;
    for (const next of dependencyNames(entry)) visit(place, next);
  };
  for (const name of names) visit('', name);
  return found;
};

/**
 * Installs into a folder that has a package.json: the packed SDK and the folder's own dependencies in the versions of the
 * repository's lock, from npm's cache where it has them. No link leads back into the workspace but to the compiler.
 */
export const installAlone = async (folder: string, sdkTarball: string): Promise<void> => {
  const file = path.join(folder, 'package.json');
  const manifest = await readJson(file);
  const lock = await readJson(path.join(ROOT, 'package-lock.json'));
  const packages = fieldsAt(lock, 'packages');
  const sdk = await readJson(path.join(ROOT, 'sdk/package.json'));
  const sdkDependencies = fieldsAt(sdk, 'dependencies');
  const own = { ...fieldsAt(manifest, 'dependencies'), ...fieldsAt(manifest, 'devDependencies') };
  const isForeign = (name: string): boolean => name !== '@breakwater/sdk' && !BORROWED.includes(name);
  const foreign = Object.fromEntries(Object.entries(own).filter(([name]) => isForeign(name)));
  const resolved = `file:${sdkTarball}`;
  const { devDependencies: _, ...rest } = manifest;
  const alone = { ...rest, dependencies: { ...foreign, '@breakwater/sdk': resolved } };
  await writeJson(file, alone);
  await writeJson(path.join(folder, 'package-lock.json'), {
    name: manifest['name'],
    version: manifest['version'],
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': alone,
      'node_modules/@breakwater/sdk': { version: sdk['version'], resolved, dependencies: sdkDependencies },
      ...closure(packages, [...Object.keys(foreign), ...Object.keys(sdkDependencies)]),
    },
  });
  const { code, output } = await npm(folder, [
    'ci',
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Error(`npm ci failed in ${folder}:\n${output}`);
  for (const name of BORROWED) {
    const target = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(target), { recursive: true });
    if (!existsSync(target)) await symlink(path.join(ROOT, 'node_modules', name), target);
  }
};

const KIT = 'node_modules/@breakwater/sdk/lib/bin/breakwater-connector.js';
const NOT_SHIPPED = /(^|\/)(node_modules|dist)$|\.test\.ts$|\.test-d\.ts$/;

export const pluginIds = async (): Promise<string[]> => {
  const entries = await readdir(path.join(ROOT, 'plugins'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
};

/**
 * Runs the conformance kit on a plugin as a stranger would: a copy outside the workspace, the packed SDK and the plugin's own
 * dependencies.
 */
export const testAlone = async (
  plugin: string,
  sdkTarball: string,
  options: readonly string[] = [],
): Promise<{ code: number; output: string }> => {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'breakwater-plugin-'));
  const folder = path.join(scratch, path.basename(plugin));
  try {
    await cp(plugin, folder, { recursive: true, filter: (source) => !NOT_SHIPPED.test(source) });
    await installAlone(folder, sdkTarball);
    return await run(process.execPath, [path.join(folder, KIT), 'test', folder, ...options], { isQuiet: true });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
