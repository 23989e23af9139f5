import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Something that breaks a house rule. */
export interface Issue {
  /** File, or file and line. */
  where: string;
  what: string;
}

/** One line an error, for a person. */
export const describeIssues = (issues: readonly Issue[]): string =>
  issues.map((issue) => `${issue.where}: ${issue.what}`).join('\n');

const REQUIRED = ['package.json', 'README.md', 'src/plugin.ts'];

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const dependencyIssues = (where: string, manifest: unknown): Issue[] => {
  const issues: Issue[] = [];
  if (typeof manifest !== 'object' || manifest === null) return [{ where, what: 'is not an object' }];
  const {
    name,
    private: isPrivate,
    dependencies,
    scripts,
  }: { name?: unknown; private?: unknown; dependencies?: unknown; scripts?: unknown } = manifest;
  const folder = path.basename(path.dirname(where));
  if (name !== `@breakwater/plugin-${folder}`)
    issues.push({ where, what: `is not named @breakwater/plugin-${folder}` });
  if (isPrivate !== true) issues.push({ where, what: 'is not private' });
  const test = `node ../../tools/bootstrap.mjs test-plugin ${folder}`;
  if (typeof scripts !== 'object' || scripts === null || !('test' in scripts) || scripts.test !== test)
    issues.push({ where, what: `has no script "test": "${test}"` });
  if (typeof dependencies !== 'object' || dependencies === null || !('@breakwater/sdk' in dependencies)) {
    return [...issues, { where, what: 'does not depend on @breakwater/sdk' }];
  }
  for (const [dependency, version] of Object.entries(dependencies)) {
    const isOurs = dependency.startsWith('@breakwater/');
    if (isOurs && dependency !== '@breakwater/sdk')
      issues.push({ where, what: `depends on ${dependency}; a plugin sees sdk only` });
    if (!isOurs && !/^\d+\.\d+\.\d+/.test(String(version)))
      issues.push({ where, what: `${dependency} is not pinned to one version` });
  }
  return issues;
};

const pluginIssues = async (root: string, id: string): Promise<Issue[]> => {
  const folder = path.join('plugins', id);
  const issues: Issue[] = [];
  for (const file of REQUIRED) {
    if (!(await isThere(path.join(root, folder, file)))) issues.push({ where: folder, what: `has no ${file}` });
  }
  if (issues.length > 0) return issues;
  const manifest: unknown = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
  const plugin = await readFile(path.join(root, folder, 'src/plugin.ts'), 'utf8');
  return [
    ...dependencyIssues(path.join(folder, 'package.json'), manifest),
    ...(plugin.includes('definePlugin(')
      ? []
      : [{ where: path.join(folder, 'src/plugin.ts'), what: 'calls no definePlugin' }]),
    ...((await isThere(path.join(root, folder, 'migrations')))
      ? [{ where: path.join(folder, 'migrations'), what: 'a plugin owns no tables' }]
      : []),
  ];
};

/** Every folder below plugins/ has the shape that the loader and a reader expect. What it imports is the boundary check's matter. */
export const checkPlugins = async (root: string): Promise<Issue[]> => {
  const entries = await readdir(path.join(root, 'plugins'), { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (ids.length === 0) return [{ where: 'plugins', what: 'holds no plugin' }];
  return (await Promise.all(ids.map((id) => pluginIssues(root, id)))).flat();
};

const run = promisify(execFile);

/** Recorded reports and data say what they say. */
const EXEMPT = /(^|\/)__fixtures__\/|^core\/data\/|\.(png|jpg|ico|woff2?|gz|zip|snap)$/;

// Written so that this file does not find itself.
const RULES: readonly { what: string; pattern: RegExp }[] = [
  {
    what: 'names a path of one machine',
    pattern: /(?<![\w./])\/(?:work\/(?:main|shared)|roo[t]|home\/[a-z][\w-]*|Users\/[A-Za-z][\w-]*)(?:\/|\b)/,
  },
  {
    what: 'names a package registry',
    pattern: /registr[y]\.(?:npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|verdacci[o]|artifactor[y]|pypi\.or[g]/i,
  },
  { what: 'resolves a package from an address', pattern: /"resolved": "https?:/ },
  { what: 'holds a task without an owner', pattern: /\b(?:TOD[O]|FIXM[E]|XX[X])\b(?!\()/ },
  { what: 'holds a merge conflict', pattern: /^(?:<{7}|>{7}) / },
];

/** Errors of one file's text, with line numbers. */
export const textIssues = (file: string, text: string): Issue[] =>
  text.split('\n').flatMap((line, index) =>
    RULES.filter((rule) => rule.pattern.test(line)).map((rule) => ({
      where: `${file}:${index + 1}`,
      what: rule.what,
    })),
  );

/** Reads every file that git keeps. */
export const checkText = async (root: string): Promise<Issue[]> => {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = stdout.split('\0').filter((file) => file !== '' && !EXEMPT.test(file));
  if (files.length === 0) return [{ where: root, what: 'git lists no file' }];
  const issues = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(root, file), 'utf8').catch(() => '');
      return textIssues(file, text);
    }),
  );
  return issues.flat();
};
