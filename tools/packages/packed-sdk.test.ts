import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../suites/run.ts';
import { readJson } from './npm.ts';
import { packSdk } from './pack-sdk.ts';
import { installAlone } from './sandbox.ts';

const MOST_PACKAGES = 10;
const MOST_BYTES = 15 * 1024 * 1024;
const KIT = 'node_modules/@breakwater/sdk/lib/bin/breakwater-connector.js';

/** The pages over which the worked example goes on, in its order. */
const WORKED_PAGES = [
  'connector-author-guide.md',
  'connectors/check.md',
  'connectors/findings.md',
  'connectors/conformance.md',
  'connectors/languages.md',
];

let scratch: string;
/** A folder outside the workspace with the packed SDK and nothing else. */
let alone: string;
/** A scaffolded connector beside it. */
let scaffolded: string;
/** The worked example of the author guide. */
let worked: string;

const node = (cwd: string, ...args: string[]) =>
  spawnSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 60_000 });

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), 'breakwater-packed-'));
  alone = path.join(scratch, 'alone');
  await mkdir(alone);
  await writeFile(
    path.join(alone, 'package.json'),
    JSON.stringify({ name: 'alone', version: '1.0.0', type: 'module', dependencies: { '@breakwater/sdk': '0.1.0' } }),
  );
  const { sdk } = await packSdk(path.join(scratch, 'packed'));
  node(scratch, path.join(ROOT, 'sdk/create/index.js'), 'acme-scan', '--sdk', `file:${sdk}`);
  scaffolded = path.join(scratch, 'acme-scan');
  worked = path.join(scratch, 'harbour-scan');
  node(scratch, path.join(ROOT, 'sdk/create/index.js'), 'harbour-scan', '--sdk', `file:${sdk}`);
  await Promise.all([alone, scaffolded, worked].map((folder) => installAlone(folder, sdk)));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Every file below a folder; links are not followed. */
const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
};

describe('the packed SDK', () => {
  test('is at most 10 packages and 15 MB, dependencies included', async () => {
    const installed = await readJson(path.join(alone, 'node_modules/.package-lock.json'));
    const packages = Object.keys(Object(installed['packages']));
    const files = (await Promise.all(packages.map((name) => filesBelow(path.join(alone, name))))).flat();
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    expect(packages).toContain('node_modules/@breakwater/sdk');
    expect(packages.length).toBeLessThanOrEqual(MOST_PACKAGES);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  test('knows nothing of the product: no core, no container, no source and no test', async () => {
    const folder = path.join(alone, 'node_modules/@breakwater/sdk');
    const files = await filesBelow(folder);
    expect(files.length).toBeGreaterThan(40);
    const strange = files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file));
    expect(strange).toEqual([]);
    for (const file of files.filter((one) => /\.(js|d\.ts)$/.test(one))) {
      const text = await readFile(file, 'utf8');
      expect(text.match(/from '(@breakwater\/|inversify|reflect-metadata)[^']*'/)?.[0], file).toBeUndefined();
    }
  });

  test('can be imported by each of its entry points', async () => {
    const { exports } = await readJson(path.join(ROOT, 'sdk/package.json'));
    for (const entry of Object.keys(Object(exports))) {
      const name = path.posix.join('@breakwater/sdk', entry);
      const { stderr, stdout } = node(
        alone,
        '--input-type=module',
        '-e',
        `console.log(Object.keys(await import('${name}')).length)`,
      );
      expect(stderr).toBe('');
      expect(Number(stdout)).toBeGreaterThan(0);
    }
  });
});

describe('a scaffolded connector', () => {
  test('is four files, its code at most 40 lines', async () => {
    const files = (await filesBelow(scaffolded)).filter((file) => !file.includes('node_modules'));
    expect(files.map((file) => path.relative(scaffolded, file)).toSorted()).toEqual([
      'AGENTS.md',
      'conformance.json',
      'package-lock.json',
      'package.json',
      'src/connector.ts',
    ]);
    const code = await readFile(path.join(scaffolded, 'src/connector.ts'), 'utf8');
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('reaches silver as it is, types checked', () => {
    const { stdout, stderr, status } = node(scaffolded, KIT, 'test', '--tier', 'silver', '--json');
    expect(stderr).toBe('');
    const report = JSON.parse(stdout);
    expect(report.issues).toEqual([]);
    expect(report.notes).toEqual([]);
    expect(report.connectors).toMatchObject([{ id: 'acme-scan', tier: 'silver' }]);
    expect(status).toBe(0);
  });
});

describe('the packed commands', () => {
  const NO_CODE = path.join(ROOT, 'sdk/src/declarative/__fixtures__/harbour-scan');

  test('build what is published, and verify it', async () => {
    const folder = path.join(scratch, 'no-code');
    await cp(NO_CODE, folder, { recursive: true });
    const document = path.join(folder, 'connector.json');
    const image = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/%3E';
    await writeFile(document, JSON.stringify({ ...(await readJson(document)), publisher: 'Harbour', image }));
    await writeFile(path.join(folder, 'README.md'), '# Harbour Scan\n\nPulls findings of the service Harbour Scan.\n');
    await writeFile(path.join(folder, 'LICENSE'), 'MIT\n');
    expect(node(alone, KIT, 'build', folder)).toMatchObject({ status: 0, stderr: '' });
    expect(node(alone, KIT, 'check-build', path.join(folder, 'build'))).toMatchObject({ status: 0, stderr: '' });
    expect((await readJson(path.join(folder, 'build/breakwater-build.json')))['sdk']).toEqual({
      api: '1',
      range: '^0.1.0',
    });
  });

  test('show a connector in the browser', async () => {
    const child = spawn(process.execPath, [KIT, 'dev', NO_CODE], { cwd: alone, stdio: ['ignore', 'pipe', 'inherit'] });
    const printed = await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(await (await fetch(String(printed).trim())).text()).toContain('2 findings');
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  });

  test('say what is missing where there are no credentials', () => {
    const { status, stderr } = node(alone, KIT, 'record', NO_CODE);
    expect(stderr).toContain('HARBOUR_SCAN_API_KEY is not set');
    expect(status).toBe(1);
  });
});

describe('the author guide', () => {
  test('has a worked example that reaches silver, word for word', async () => {
    const texts = await Promise.all(WORKED_PAGES.map((page) => readFile(path.join(ROOT, 'docs', page), 'utf8')));
    const guide = texts.join('\n');
    const blocks = (language: string) =>
      [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code ?? '');
    await writeFile(path.join(worked, 'src/connector.ts'), blocks('ts').join('\n'));
    await writeFile(path.join(worked, 'conformance.json'), blocks('json').join('\n'));
    await mkdir(path.join(worked, 'languages'));
    await writeFile(path.join(worked, 'languages/de.json'), blocks('json languages/de.json').join('\n'));
    const { stdout, status } = node(worked, KIT, 'test', '--tier', 'silver');
    expect(stdout).toContain('1 connectors: 1 silver');
    expect(status).toBe(0);
  });

  test('has a connector without code that reaches silver', () => {
    const folder = path.join(ROOT, 'sdk/src/declarative/__fixtures__/harbour-scan');
    const { stdout, status } = node(worked, KIT, 'test', folder, '--tier', 'silver');
    expect(stdout).toContain('1 connectors: 1 silver');
    expect(status).toBe(0);
  });
});
