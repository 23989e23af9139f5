import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const CREATE = join(import.meta.dirname, 'index.js');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-create-'));
});
afterEach(() => rm(folder, { recursive: true }));

const create = (...args: string[]) => spawnSync(process.execPath, [CREATE, ...args], { cwd: folder, encoding: 'utf8' });
const written = (file: string) => readFile(join(folder, 'acme-scan', file), 'utf8');

it('writes four files with nothing of the template left', async () => {
  const { status, stdout } = create(
    'acme-scan',
    '--url',
    'https://acme.example.org/api/v2/',
    '--category',
    'sca',
    '--sdk',
    '9.9.9',
  );
  expect(status).toBe(0);
  expect(stdout).toContain('npm test');
  const code = await written('src/connector.ts');
  for (const part of ["'acme-scan'", "title: 'Acme Scan'", "monogram('AS')", "'sca'", "type: 'SCA'"])
    expect(code).toContain(part);
  expect(code).toContain("baseUrl: 'https://acme.example.org/api/v2'");
  expect(code).toContain("egress: ['acme.example.org']");
  expect(JSON.parse(await written('package.json'))).toMatchObject({
    name: 'breakwater-plugin-acme-scan',
    dependencies: { '@breakwater/sdk': '9.9.9' },
  });
  expect(Object.keys(JSON.parse(await written('conformance.json')).connectors)).toEqual(['acme-scan']);
  expect(await written('conformance.json')).toContain('"type": "SCA"');
  const all = await Promise.all(['src/connector.ts', 'package.json', 'conformance.json', 'AGENTS.md'].map(written));
  expect(all.join('\n')).not.toMatch(/my-connector|My Connector|example\.com/);
});

it.each([
  [['Acme'], 'is not a name'],
  [['../acme'], 'is not a name'],
  [['acme', 'scan'], 'is not a name'],
  [['acme', '--url', 'http://acme.example'], '--url must be an https address'],
  [['acme', '--url', "https://acme.example/'+process.exit()+'"], '--url must be an https address'],
  [['acme', '--title', "A'; process.exit(); '"], '--title may not hold quotes'],
  [['acme', '--category', "sast'"], 'is not a category'],
  [['acme', '--colour', 'red'], 'Usage:'],
  [[], 'Usage:'],
])('refuses %j and writes nothing', async (args, message) => {
  const { status, stderr } = create(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(await readdir(folder)).toEqual([]);
});

it('leaves a folder alone that holds something', async () => {
  await mkdir(join(folder, 'acme-scan'));
  await writeFile(join(folder, 'acme-scan/notes.txt'), 'mine');
  expect(create('acme-scan')).toMatchObject({ status: 2, stderr: expect.stringContaining('exists already') });
  expect(await readdir(join(folder, 'acme-scan'))).toEqual(['notes.txt']);
});

it('depends on the SDK that it was published with', async () => {
  const versionOf = async (file: string) => JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8'));
  const { version } = await versionOf('../package.json');
  expect((await versionOf('package.json')).version).toBe(version);
  expect((await versionOf('template/package.json')).dependencies['@breakwater/sdk']).toBe(version);
});
