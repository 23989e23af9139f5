import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { definePlugin, readManifest } from '@breakwater/sdk';
import { manifestOfDocument } from '@breakwater/sdk/declarative';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../suites/run.ts';

/** Built connectors of the first major version of the SDK, which are never changed. */
const FROZEN = path.join(import.meta.dirname, '../__fixtures__/sdk-1');
const NAMES = ['berth-scan', 'pier-watch', 'scm-gitea'];

let scratch: string;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(path.join(os.tmpdir(), 'breakwater-majors-')));
  await symlink(path.join(ROOT, 'node_modules'), path.join(scratch, 'node_modules'));
});
afterAll(() => rm(scratch, { recursive: true }));

/** An SDK as it is today, or with changes to its texts, in a folder of its own. */
const sdkOf = async (name: string, changes: Readonly<Record<string, (text: string) => string>>): Promise<string> => {
  const folder = path.join(scratch, name);
  await mkdir(folder);
  for (const part of ['src', 'bin', 'package.json'])
    await cp(path.join(ROOT, 'sdk', part), path.join(folder, part), { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    const text = await readFile(path.join(folder, file), 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`${file} is as it was`);
    await writeFile(path.join(folder, file), changed);
  }
  return folder;
};

/** What the kit of an SDK says of a frozen connector that imports that SDK. */
const tried = async (sdk: string, name: string) => {
  const folder = path.join(scratch, `${path.basename(sdk)}-${name}`);
  await cp(path.join(FROZEN, name), folder, { recursive: true });
  await cp(path.join(folder, 'build'), folder, { recursive: true });
  await mkdir(path.join(folder, 'node_modules/@breakwater'), { recursive: true });
  await symlink(sdk, path.join(folder, 'node_modules/@breakwater/sdk'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(sdk, 'bin/breakwater-connector.ts'), 'test', folder, '--tier', 'silver'],
    { encoding: 'utf8' },
  );
  return { status, output: `${stdout}${stderr}` };
};

const nextMajor = (spoken: string) => (text: string) =>
  text
    .replace("export const SDK_API = '1';", "export const SDK_API = '2';")
    .replace('readonly string[] = [SDK_API];', `readonly string[] = ${spoken};`);
const findingsIn = (versions: string) => (text: string) => text.replace('findings: [1],', `findings: ${versions},`);

describe.each(NAMES)('%s of the first major version', (name) => {
  test('is silver with the SDK of today', async () => {
    const { status, output } = await tried(await sdkOf(`today-${name}`, {}), name);
    expect(output).toContain('1 silver');
    expect(status).toBe(0);
  });

  test('is silver with the next major version where that speaks both', async () => {
    const sdk = await sdkOf(`both-${name}`, {
      'src/sdk-api.ts': nextMajor("['1', SDK_API]"),
      'src/categories.ts': findingsIn('[1, 2]'),
    });
    const { status, output } = await tried(sdk, name);
    expect(output).toContain('1 silver');
    expect(status).toBe(0);
  });

  test('is refused by name where the next one speaks it no more', async () => {
    const sdk = await sdkOf(`next-${name}`, { 'src/sdk-api.ts': nextMajor('[SDK_API]') });
    const { status, output } = await tried(sdk, name);
    expect(output).toContain(
      'it was made for version 1 of the SDK, and this Breakwater speaks 2: use a later version of the plugin',
    );
    expect(status).not.toBe(0);
  });
});

test('one capability that the next version speaks no more is refused by its name alone', async () => {
  const sdk = await sdkOf('capability', {
    'src/sdk-api.ts': nextMajor("['1', SDK_API]"),
    'src/categories.ts': findingsIn('[2]'),
  });
  const { status, output } = await tried(sdk, 'berth-scan');
  expect(output).toContain('findings: the connector speaks 1, the host 2; the connector is too old');
  expect(status).not.toBe(0);
});

const LATER = /made for version 2 of the SDK, and this Breakwater speaks 1: update Breakwater/;

test('a plugin of the next major version is refused by name today, whatever else it says', () => {
  const spec = { api: '2', id: 'later', version: '1.0.0', connectors: [], more: 'that nobody knows yet' };
  expect(() => readManifest(spec)).toThrow(LATER);
  expect(() => definePlugin(Object.assign({}, spec))).toThrow(LATER);
  expect(() => manifestOfDocument({ api: '2', more: true })).toThrow(LATER);
});
