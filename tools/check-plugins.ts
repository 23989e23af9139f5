import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Fault } from './checks.ts';

const REQUIRED = ['package.json', 'README.md', 'src/plugin.ts'];

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const dependencyFaults = (where: string, manifest: unknown): Fault[] => {
  const faults: Fault[] = [];
  if (typeof manifest !== 'object' || manifest === null) return [{ where, what: 'is not an object' }];
  const {
    name,
    private: isPrivate,
    dependencies,
    scripts,
  }: { name?: unknown; private?: unknown; dependencies?: unknown; scripts?: unknown } = manifest;
  const folder = path.basename(path.dirname(where));
  if (name !== `@breakwater/plugin-${folder}`)
    faults.push({ where, what: `is not named @breakwater/plugin-${folder}` });
  if (isPrivate !== true) faults.push({ where, what: 'is not private' });
  const test = `node ../../tools/bootstrap.mjs test-plugin ${folder}`;
  if (typeof scripts !== 'object' || scripts === null || !('test' in scripts) || scripts.test !== test)
    faults.push({ where, what: `has no script "test": "${test}"` });
  if (typeof dependencies !== 'object' || dependencies === null || !('@breakwater/sdk' in dependencies)) {
    return [...faults, { where, what: 'does not depend on @breakwater/sdk' }];
  }
  for (const [dependency, version] of Object.entries(dependencies)) {
    const isOurs = dependency.startsWith('@breakwater/');
    if (isOurs && dependency !== '@breakwater/sdk')
      faults.push({ where, what: `depends on ${dependency}; a plugin sees sdk only` });
    if (!isOurs && !/^\d+\.\d+\.\d+/.test(String(version)))
      faults.push({ where, what: `${dependency} is not pinned to one version` });
  }
  return faults;
};

const pluginFaults = async (root: string, id: string): Promise<Fault[]> => {
  const folder = path.join('plugins', id);
  const faults: Fault[] = [];
  for (const file of REQUIRED) {
    if (!(await isThere(path.join(root, folder, file)))) faults.push({ where: folder, what: `has no ${file}` });
  }
  if (faults.length > 0) return faults;
  const manifest: unknown = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
  const plugin = await readFile(path.join(root, folder, 'src/plugin.ts'), 'utf8');
  return [
    ...dependencyFaults(path.join(folder, 'package.json'), manifest),
    ...(plugin.includes('definePlugin(')
      ? []
      : [{ where: path.join(folder, 'src/plugin.ts'), what: 'calls no definePlugin' }]),
    ...((await isThere(path.join(root, folder, 'migrations')))
      ? [{ where: path.join(folder, 'migrations'), what: 'a plugin owns no tables' }]
      : []),
  ];
};

/** Every folder below plugins/ has the shape that the loader and a reader expect. What it imports is the boundary check's matter. */
export const checkPlugins = async (root: string): Promise<Fault[]> => {
  const entries = await readdir(path.join(root, 'plugins'), { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (ids.length === 0) return [{ where: 'plugins', what: 'holds no plugin' }];
  return (await Promise.all(ids.map((id) => pluginFaults(root, id)))).flat();
};
