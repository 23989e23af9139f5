import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { monogram } from '../../../connector.ts';
import { runKit } from '../run-kit.ts';
import { buildConnector } from './build.ts';
import { fileEntry } from './build-manifest.ts';
import { checkBuild } from './check-build.ts';

const SDK = join(import.meta.dirname, '../../../..');
const PACKAGES = join(SDK, '../node_modules');
const BIN = join(SDK, 'bin/breakwater-connector.ts');
const DOCUMENT = join(SDK, 'src/declarative/__fixtures__/harbour-scan');
const TEMPLATE = join(SDK, 'create/template');
const README = '# Harbour Scan\n\nPulls findings; the key needs the right read:findings.\n';
const TOKEN = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'breakwater-build-'));
});
afterEach(() => rm(scratch, { recursive: true }));

const edit = async (file: string, change: (text: string) => string) =>
  writeFile(file, change(await readFile(file, 'utf8')));
const editJson = (file: string, more: object) =>
  edit(file, (text) => JSON.stringify({ ...JSON.parse(text), ...more }, null, 2));

/** A connector without code that may be published. */
const withoutCode = async (name = 'no-code') => {
  const folder = join(scratch, name);
  await cp(DOCUMENT, folder, { recursive: true });
  await editJson(join(folder, 'connector.json'), { publisher: 'Harbour', image: monogram('HS') });
  await mkdir(join(folder, 'languages'));
  await writeFile(join(folder, 'languages/de.json'), '{"API key":"API-Schlüssel"}\n');
  await writeFile(join(folder, 'README.md'), README);
  await writeFile(join(folder, 'LICENSE'), 'MIT\n');
  return folder;
};

/** The scaffolded connector, with a module and a package of its own; the packages of the repository lie above it. */
const withCode = async (name = 'code', isInstalled = true) => {
  const folder = join(scratch, name);
  await cp(TEMPLATE, folder, { recursive: true });
  await edit(join(folder, 'src/connector.ts'), (text) =>
    text
      .replace("version: '0.1.0',", "version: '0.1.0', publisher: 'Acme',")
      .replace("title: 'My Connector'", 'title: TITLE')
      .replace(/^/, "import { TITLE } from './title.ts';\n"),
  );
  await writeFile(
    join(folder, 'src/title.ts'),
    "import { name } from 'tiny';\nexport const TITLE: string = 'My '.concat(name);\n",
  );
  const own = join(folder, 'node_modules');
  await mkdir(join(own, 'tiny'), { recursive: true });
  await writeFile(join(own, 'tiny/package.json'), '{"name":"tiny","type":"module","main":"index.js"}');
  await writeFile(join(own, 'tiny/index.js'), "export const name = 'Connector';\n");
  await writeFile(join(own, 'tiny/index.d.ts'), 'export declare const name: string;\n');
  if (isInstalled) await symlink(PACKAGES, join(scratch, 'node_modules')).catch(() => undefined);
  else {
    await mkdir(join(own, '@breakwater'));
    await symlink(SDK, join(own, '@breakwater/sdk'));
  }
  await writeFile(join(folder, 'README.md'), README);
  await writeFile(join(folder, 'LICENCE.txt'), 'MIT\n');
  return folder;
};

const contentOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.toSorted().map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const),
    ),
  );
};

describe('build', () => {
  it('makes the same bytes of a document wherever it lies, with permissions, tier and hashes', async () => {
    const first = await buildConnector(await withoutCode(), 'build');
    const second = await buildConnector(await withoutCode('elsewhere'), join(scratch, 'out'));
    expect(first.manifest).toMatchObject({
      ...{ format: 1, id: 'harbour-scan', version: '1.0.0', publisher: 'Harbour', kind: 'document', tier: 'silver' },
      sdk: { api: '1', range: '^0.1.0' },
      permissions: { hosts: ['*.harbour.example'], reveals: [] },
      connectors: [{ id: 'harbour-scan', tier: 'silver', capabilities: ['check', 'findings', 'parser'] }],
      importers: ['harbour-scan'],
    });
    const content = await contentOf(first.folder);
    expect(Object.keys(content)).toEqual([
      'LICENSE',
      'README.md',
      'breakwater-build.json',
      'connector.json',
      'languages/de.json',
      'package.json',
    ]);
    expect(await contentOf(second.folder)).toEqual(content);
    expect(await checkBuild(first.folder)).toEqual([]);
    // an earlier build may be replaced
    await buildConnector(join(scratch, 'no-code'), 'build');
    expect(await contentOf(first.folder)).toEqual(content);
  });

  it('makes one module of code that works as the sources do, and the same bytes wherever they lie', async () => {
    const folder = await withCode();
    const { folder: built, manifest } = await buildConnector(folder, 'build');
    const content = await contentOf(built);
    expect(manifest).toMatchObject({ kind: 'code', tier: 'gold', permissions: { hosts: ['api.example.com'] } });
    expect([...String(content['connector.js']).matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name)).toEqual([
      '@breakwater/sdk',
    ]);
    expect(content['connector.js']).not.toContain(scratch);
    expect(await contentOf((await buildConnector(await withCode('other'), 'build')).folder)).toEqual(content);
    expect(await checkBuild(built)).toEqual([]);
    await cp(join(folder, 'conformance.json'), join(built, 'conformance.json'));
    expect((await runKit(built)).connectors).toMatchObject([
      { id: 'my-connector', title: 'My Connector', tier: 'silver' },
    ]);
  });

  it('packs the view of a connector with its hash, and check-build judges what is in it', async () => {
    const folder = await withCode();
    await edit(join(folder, 'src/connector.ts'), (text) =>
      text.replace('title: TITLE', "title: TITLE, view: { title: 'Board', entry: 'view/board.html' }"),
    );
    await expect(buildConnector(folder, 'build')).rejects.toThrow(/view view\/board\.html: cannot be read/);
    await mkdir(join(folder, 'view'));
    await writeFile(join(folder, 'view/board.html'), '<!doctype html><script src="https://cdn.example/x.js"></script>');
    await expect(buildConnector(folder, 'build')).rejects.toThrow(/view\/board\.html: loads another file/);
    const html = '<!doctype html><title>Board</title>';
    await writeFile(join(folder, 'view/board.html'), html);
    const { folder: built, manifest } = await buildConnector(folder, 'build');
    expect(manifest.connectors).toMatchObject([{ view: 'view/board.html' }]);
    const listed = (text: string) => {
      const { path, content } = { path: 'view/board.html', content: new TextEncoder().encode(text) };
      return fileEntry({ path, content });
    };
    expect(manifest.files).toContainEqual(listed(html));
    expect(await readFile(join(built, 'view/board.html'), 'utf8')).toBe(html);
    expect(await checkBuild(built)).toEqual([]);
    const framed = '<!doctype html><iframe></iframe>';
    await writeFile(join(built, 'view/board.html'), framed);
    expect(await checkBuild(built)).toEqual([expect.stringContaining('view/board.html was changed')]);
    const files = manifest.files.map((file) => (file.path === 'view/board.html' ? listed(framed) : file));
    await editJson(join(built, 'breakwater-build.json'), { files });
    expect(await checkBuild(built)).toEqual([expect.stringContaining('holds a frame')]);
    await editJson(join(built, 'breakwater-build.json'), {
      files: manifest.files,
      connectors: manifest.connectors.map((one) => ({ ...one, view: 'other.html' })),
    });
    await writeFile(join(built, 'view/board.html'), html);
    expect(await checkBuild(built)).toEqual(['view other.html is none of the files']);
  });

  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['without README', (folder) => rm(join(folder, 'README.md')), /README\.md is missing or empty/],
    ['without licence', (folder) => rm(join(folder, 'LICENSE')), /LICENSE is missing/],
    ['without picture', (folder) => editJson(join(folder, 'connector.json'), { image: undefined }), /has no "image"/],
    [
      'without publisher',
      (folder) => editJson(join(folder, 'connector.json'), { publisher: undefined }),
      /no publisher/,
    ],
    [
      'with a token',
      (folder) => edit(join(folder, 'README.md'), (text) => `${text}\n${TOKEN}\n`),
      /README\.md:5: a value with the look/,
    ],
    [
      'with a key behind its name',
      (folder) => edit(join(folder, 'README.md'), (text) => `${text}api_key = "q7Zt93mPwL2xVb8K"\n`),
      /README\.md:4: "api_key" has a value written out/,
    ],
    [
      'below silver',
      (folder) => editJson(join(folder, 'conformance.json'), { connectors: {} }),
      /silver is not reached \(harbour-scan: none\)/,
    ],
    [
      'whose licence is a link',
      async (folder) => {
        await rm(join(folder, 'LICENSE'));
        await symlink('/etc/hostname', join(folder, 'LICENSE'));
      },
      /LICENSE is no file/,
    ],
  ])('refuses a folder %s, and writes nothing', async (_, change, message) => {
    const folder = await withoutCode();
    await change(folder);
    const failure = buildConnector(folder, 'build');
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.not.toThrow(/q7Zt|16C7e/);
    expect(await readdir(folder)).not.toContain('build');
  });

  it('deletes nothing that it did not build', async () => {
    const folder = await withoutCode();
    await expect(buildConnector(folder, '.')).rejects.toThrow(/holds something else than an earlier build/);
    expect(await readdir(folder)).toContain('connector.json');
  });

  it.each([
    ['there is no Rolldown', false, (text: string) => text, /npm install --save-dev rolldown/],
    ['it reads files', true, (text: string) => `import 'node:fs';\n${text}`, /imports node:fs/],
    [
      'its picture is one of the application',
      true,
      (text: string) => text.replace("monogram('MC')", "'/images/a.svg'"),
      /does not come along/,
    ],
    [
      'it loads a module later',
      true,
      (text: string) => `${text}\nReflect.set(globalThis, 'later', () => import('node:net'));`,
      /imports node:net/,
    ],
    ['a package is not installed', true, (text: string) => `import 'not-there';\n${text}`, /not-there/],
  ])('refuses code where %s', async (_, isInstalled, change, message) => {
    const folder = await withCode('code', isInstalled);
    await edit(join(folder, 'src/connector.ts'), change);
    await expect(buildConnector(folder, 'build')).rejects.toThrow(message);
  });
});

describe('check-build', () => {
  let built: string;
  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'breakwater-built-'));
    scratch = await mkdtemp(join(tmpdir(), 'breakwater-build-'));
    await buildConnector(await withoutCode(), built);
    await rm(scratch, { recursive: true });
  });
  afterAll(() => rm(built, { recursive: true }));

  const manifestOf = (folder: string) => join(folder, 'breakwater-build.json');
  const renamed = (path: string) => (folder: string) =>
    edit(manifestOf(folder), (text) => text.replace('"path": "LICENSE"', () => `"path": ${JSON.stringify(path)}`));

  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['a changed file', (folder) => edit(join(folder, 'README.md'), (text) => `${text} `), /README\.md was changed/],
    ['a missing file', (folder) => rm(join(folder, 'LICENSE')), /LICENSE is missing/],
    ['a file more', (folder) => writeFile(join(folder, 'index.js'), ''), /index\.js is not in/],
    [
      'a link in place of a file',
      async (folder) => {
        await rm(join(folder, 'LICENSE'));
        await symlink('/etc/passwd', join(folder, 'LICENSE'));
      },
      /LICENSE is neither file nor folder/,
    ],
    ['a path that leads out', renamed('../LICENSE'), /which is no file of a build/],
    ['an absolute path', renamed('/etc/passwd'), /which is no file of a build/],
    ['a path of another system', renamed('a\\..\\b'), /which is no file of a build/],
    ['a file named twice', renamed('README.md'), /which is no file of a build/],
    ['no manifest', (folder) => rm(manifestOf(folder)), /cannot be read/],
    ['a manifest that is no JSON', (folder) => writeFile(manifestOf(folder), '{'), /cannot be read/],
    [
      'a manifest with a field more',
      (folder) => editJson(manifestOf(folder), { trusted: true }),
      /trusted: is not a known field/,
    ],
    [
      'fewer hosts than the document calls',
      (folder) => editJson(manifestOf(folder), { permissions: { hosts: [], reveals: [] } }),
      /other hosts than connector\.json/,
    ],
  ])('refuses a build with %s', async (_, change, message) => {
    const folder = join(scratch, 'built');
    await cp(built, folder, { recursive: true });
    expect(await checkBuild(folder)).toEqual([]);
    await change(folder);
    expect((await checkBuild(folder)).join('\n')).toMatch(message);
  });

  it('is a command, and so is the build', async () => {
    const folder = await withoutCode();
    const run = (...args: string[]) => spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
    expect(run('build', folder)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('harbour-scan 1.0.0, document, silver'),
    });
    expect(run('check-build', join(folder, 'build'))).toMatchObject({ status: 0, stdout: 'The build is sound.\n' });
    await rm(join(folder, 'build/LICENSE'));
    expect(run('check-build', join(folder, 'build'))).toMatchObject({ status: 1, stdout: 'LICENSE is missing\n' });
    await rm(join(folder, 'README.md'));
    expect(run('build', folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('Nothing was built') });
  });
});
