import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineConnector, definePlugin, monogram, withKeyMark } from '../../index.ts';
import { VIEW_HEADERS } from '../../view/view-document.ts';
import { readFixtures } from '../read-fixtures.ts';
import { startDevServer } from './dev/dev-server.ts';
import { printReport } from './print-report.ts';
import { runKit } from './run-kit.ts';

/** Every sample of the author's pages is run; the worked example as a whole in `tools/packages/packed-sdk.test.ts`. */

const ROOT = join(import.meta.dirname, '../../../..');
const PAGES = join(ROOT, 'docs/connectors');
const BIN = join(ROOT, 'sdk/bin/breakwater-connector.ts');
const CREATE = join(ROOT, 'sdk/create/index.js');
const MOST_LINES = 120;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-pages-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rm(folder, { recursive: true }));

const pageOf = (name: string) => readFile(join(PAGES, name), 'utf8');

/** Samples of a page that name a file: ```` ```ts src/plugin.ts ````. */
const filesOf = async (...names: string[]) => {
  const texts = await Promise.all(names.map(pageOf));
  return new Map(
    texts
      .flatMap((text) => [...text.matchAll(/^```(?:ts|json|html) (\S+\.\w+)\n(.*?)^```/gms)])
      .map(([, file = '', content = '']) => [file, content]),
  );
};

const lay = async (files: ReadonlyMap<string, string>, exports: Readonly<Record<string, string>>) => {
  const own = { name: 'sample', type: 'module', exports };
  for (const [file, content] of [...files, ['package.json', JSON.stringify(own)] as const]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
};

const CONNECTOR = { '.': './src/connector.ts', './server': './src/connector.ts' };
const REPORTS = { '.': './src/plugin.ts', './parsers': './src/parsers.ts' };

describe("the author's pages", () => {
  it(`have at most ${MOST_LINES} lines each, and are all in the index`, async () => {
    const index = await readFile(join(ROOT, 'docs/connector-author-guide.md'), 'utf8');
    for (const name of await readdir(PAGES)) {
      const text = await pageOf(name);
      expect(text.trimEnd().split('\n').length, name).toBeLessThanOrEqual(MOST_LINES);
      expect(`${index}${await pageOf('testing.md')}`).toContain(name);
    }
  });

  it('link to pages and headings that are there', async () => {
    const anchorOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    for (const file of [
      'docs/connector-author-guide.md',
      'sdk/README.md',
      ...(await readdir(PAGES)).map((name) => `docs/connectors/${name}`),
    ]) {
      const text = await readFile(join(ROOT, file), 'utf8');
      for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*\.md)(?:#([^)]*))?\)/g)) {
        const other = await readFile(join(ROOT, dirname(file), target), 'utf8').catch(() => null);
        expect(other, `${file}: ${target}`).not.toBeNull();
        const headings = [...(other ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
        if (anchor !== undefined) expect(headings, `${file}: ${target}`).toContain(anchor);
      }
    }
  });

  it.each([
    ['oauth.md', 'silver', CONNECTOR],
    ['scm.md', 'silver', CONNECTOR],
    ['ai-provider.md', 'silver', CONNECTOR],
    ['views.md', 'silver', CONNECTOR],
    ['parser.md', 'bronze', REPORTS],
  ])('%s has a sample of the tier %s without a note or issue', async (page, tier, exports) => {
    await lay(await filesOf(page), exports);
    const report = await runKit(folder);
    expect(printReport(report)).not.toContain('✗');
    expect(report.notes).toEqual([]);
    expect(report.connectors).toMatchObject([{ tier }]);
  });

  it('views.md has a view that dev shows, and whose calls get the recorded answers', async () => {
    await lay(await filesOf('views.md'), CONNECTOR);
    const server = await startDevServer(folder, { environment: {} });
    try {
      const { url } = server;
      const text = await (await fetch(url)).text();
      expect(text).toMatch(/<h2>Projects<\/h2>.*data-src="\/harbour-board\/view" data-call="\/harbour-board\/call"/s);
      const view = await fetch(new URL('/harbour-board/view', url));
      expect(view.headers.get('content-security-policy')).toBe(VIEW_HEADERS['Content-Security-Policy']);
      expect(await view.text()).toContain('breakwater.getConnection()');
      const call = (order: unknown, origin = url.origin) =>
        fetch(new URL('/harbour-board/call', url), {
          method: 'POST',
          headers: { origin },
          body: JSON.stringify(order),
        });
      expect(await (await call({ route: 'GET /projects' })).json()).toEqual([{ name: 'Tug', open: 4 }]);
      const strange = await call({ route: 'check' });
      expect([strange.status, await strange.text()]).toEqual([422, 'The connector has no route check.']);
      expect((await call({ route: 'GET /projects' }, 'https://evil.example')).status).toBe(403);
      expect((await call(7)).status).toBe(500);
      await writeFile(join(folder, 'view/index.html'), '<p>No doctype</p>');
      await expect
        .poll(async () => (await fetch(new URL('/harbour-board/view', url))).text())
        .toContain('does not begin with &#60;!doctype html&#62;');
    } finally {
      await server.close();
    }
  });

  it('scanner.md has a scanner that finds its program and its target', async () => {
    await lay(await filesOf('parser.md', 'scanner.md'), { ...REPORTS, './server': './src/server.ts' });
    expect(printReport(await runKit(folder))).not.toContain('✗');
    const { scanner } = await import(pathToFileURL(join(folder, 'src/server.ts')).href);
    expect(await scanner.detect({ run: async () => 'harbour-lint 1.2.3\n' })).toEqual({ version: '1.2.3' });
    expect(await scanner.detect({ run: async () => null })).toBeNull();
    const repository = (files: string[]) => scanner.command({ kind: 'repository', folder: '/work/r', files });
    expect(repository(['a.py'])).toBeNull();
    expect(repository(['a.ts'])).toMatchObject({ file: 'harbour-lint', args: expect.arrayContaining(['/work/r']) });
  });

  it('scm.md finds what a key made, and nothing of others', async () => {
    await lay(await filesOf('scm.md'), CONNECTOR);
    const { issueOfKey } = await import(pathToFileURL(join(folder, 'src/issue-of-key.ts')).href);
    const row = (user: string, body: string) => ({ user, body });
    const rows = [
      row('eve', withKeyMark('Mine.', 'k1')),
      row('ada', 'No mark.'),
      row('ada', withKeyMark('Raise it.', 'k1')),
    ];
    expect(issueOfKey(rows, 'ada', 'k1')).toBe(rows[2]);
    expect(issueOfKey(rows, 'ada', 'k2')).toBeUndefined();
  });

  it('conformance.md has a situation that the kit reads', async () => {
    const [, sample = ''] = /^```json situation\n(.*?)^```/ms.exec(await pageOf('conformance.md')) ?? [];
    const connector = defineConnector({
      id: 'demo',
      title: 'Demo',
      category: 'sast',
      image: monogram('De'),
      description: 'Demo.',
    });
    const plugin = definePlugin({ id: 'demo', version: '1.0.0', connectors: [connector] });
    expect(readFixtures({ connectors: { demo: { situations: [JSON.parse(sample)] } } }, plugin)).toHaveProperty(
      'fixtures',
    );
  });

  it('five minutes: each command of the guide does what it says', async () => {
    const guide = await readFile(join(ROOT, 'docs/connector-author-guide.md'), 'utf8');
    const [, sample = ''] = /^```sh five minutes\n(.*?)^```/ms.exec(guide) ?? [];
    const lines = sample.trim().split('\n');
    const inShell = (line: string) =>
      line
        .replace('npm create breakwater-connector', `"${process.execPath}" "${CREATE}"`)
        .replace('acme-scan -- ', 'acme-scan ')
        .replace('npx -p @breakwater/sdk breakwater-connector', `exec "${process.execPath}" "${BIN}"`);
    const [create = '', test = '', dev = ''] = lines.map(inShell);
    expect(lines).toHaveLength(3);
    const run = (line: string) => spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' });
    expect(run(create)).toMatchObject({ status: 0, stdout: expect.stringContaining('Fill in:') });
    expect(run(test)).toMatchObject({ status: 0, stdout: expect.stringContaining('1 bronze') });
    const child = spawn('sh', ['-c', dev], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const printed = await new Promise((resolve) => child.stdout.once('data', resolve));
    const text = await (await fetch(String(printed).trim())).text();
    expect(text).toContain('Acme Scan');
    expect(text).toContain('An example of a finding');
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  });
});
