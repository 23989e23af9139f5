import { gzipSync } from 'node:zlib';
import { FIRST_ANSWERS } from '@breakwater/core/platform/ui/data/first-answers.ts';
import { loginMarkOf } from '@breakwater/core/session/model/is-login.ts';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import config from '../vite.config.ts';
import { bluesIn, RAMP, toViolet } from './blueprint.ts';
import { firstCalls } from './first-calls.ts';
import { FIRST_ROUTE_LIMIT_KB, filesOfPages, pageSizes } from './page-chunks.ts';

/** The worker of `app/report-reader`. */
const REPORT_READER = /worker-[^/]*\.js$/;

let output: Rollup.RollupOutput['output'];

const textOf = (isWanted: (fileName: string) => boolean): string =>
  output
    .filter(({ fileName }) => isWanted(fileName))
    .map((file) => (file.type === 'chunk' ? file.code : file.source.toString()))
    .join('\n');

beforeAll(async () => {
  // Vitest says `test`, and React would then be built with its development checks.
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false },
  });
  if (!('output' in built)) throw new Error('The build has no single output.');
  output = built.output;
});
// the files after this one share the process
afterAll(() => void vi.unstubAllEnvs());

describe('built application', () => {
  it('holds none of Blueprint’s blues', () => {
    const css = textOf((fileName) => fileName.endsWith('.css'));
    expect(css).toContain('.bp6-button');
    expect(bluesIn(css)).toEqual([]);
    expect(css.toLowerCase()).toContain(Object.values(RAMP)[2]);
  });

  it('asks of no ancestor of everything what it has: every row that comes or goes would style the whole page anew', () => {
    const css = textOf((fileName) => fileName.endsWith('.css'));
    expect(css.match(/(?:^|[},\s>])(?:html|body|:root|#app|\.app|\.main)[\w.#-]*:has\(/g) ?? []).toEqual([]);
  });

  it('names in the page itself what the first pages need, and who is signed in', () => {
    const chunks = filesOfPages(Object.fromEntries(output.map((file) => [file.fileName, file])));
    const html = textOf((fileName) => fileName === 'index.html');
    for (const [part, screen] of [
      ['', 'dashboard-screen'],
      ['findings', 'findings-screen'],
    ] as const) {
      expect(chunks[part]?.some((fileName) => fileName.includes(screen))).toBe(true);
      expect(chunks[part]?.some((fileName) => fileName.includes('home-layout'))).toBe(true);
      // charts weigh more than a page and come after it
      expect(chunks[part]?.some((fileName) => fileName.includes('chart-canvas'))).toBe(false);
      for (const fileName of chunks[part] ?? []) expect(html).toContain(fileName);
    }
    expect(chunks['findings']?.some((fileName) => fileName.endsWith('.css'))).toBe(true);
    expect(html).toContain("'preload','/api/v1/session','fetch'");
  });

  it('paints before any file of the application is there: its sheets come last, and the first look needs none', () => {
    const html = textOf((fileName) => fileName === 'index.html');
    const root = html.indexOf('<div id="app">');
    expect(html.slice(0, root)).not.toContain('rel="stylesheet"');
    expect(html.slice(root)).toMatch(/<link rel="stylesheet"[^>]*>\s*<\/body>/);
    expect(html.slice(0, root)).toContain('--bw-critical-text');
    const [, look = ''] = /<div id="app"><\/div>\s*<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    expect(look).toContain('fl-row');
    // it is read before anything is painted
    expect(gzipSync(html).length / 1024).toBeLessThan(9);
  });

  it('preloads sheets the way its loader asks for them, so that the browser uses what it has fetched', () => {
    const html = textOf((fileName) => fileName === 'index.html');
    const script = /<script>(\(function[\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    const links: Record<string, string>[] = [];
    const document = {
      createElement: () => ({}),
      head: { appendChild: (link: Record<string, string>) => void links.push(link) },
    };
    const storage = { getItem: () => null };
    new Function('location', 'document', 'localStorage', script)({ pathname: '/findings' }, document, storage);
    const sheets = links.filter((link) => link['as'] === 'style');
    expect(sheets.length).toBeGreaterThan(0);
    expect(new Set(sheets.map((link) => link['crossOrigin']))).toEqual(new Set(['anonymous']));
    // nobody has signed in here
    expect(links.filter((link) => link['as'] === 'fetch')).toEqual([]);
    const marked = { getItem: () => loginMarkOf({ user: { role: 'superadmin' } }) };
    new Function('location', 'document', 'localStorage', script)({ pathname: '/findings' }, document, marked);
    expect(links.filter((link) => link['as'] === 'fetch').map((link) => link['href'])).toEqual(['/api/v1/session']);
    // the loader of the bundler asks with `crossorigin`, which is the same
    expect(textOf((fileName) => fileName.endsWith('.js'))).toMatch(/\.crossOrigin=(?:""|''|``)/);
  });

  it('asks for the first rows before the application runs, where somebody is signed in who may read them, and never throws', async () => {
    const html = textOf((fileName) => fileName === 'index.html');
    const script = /<script>(\(function[\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    const run = (search: string, storage: object) => {
      const asked: string[] = [];
      const page: Record<string, unknown> = {};
      const document = { createElement: () => ({}), head: { appendChild: () => undefined } };
      const fetch = (address: string) => {
        asked.push(address);
        return Promise.resolve(address);
      };
      const names = ['location', 'document', 'localStorage', 'window', 'fetch'];
      new Function(...names, script)({ pathname: '/findings', search }, document, storage, page, fetch);
      return { asked, answers: page[FIRST_ANSWERS] };
    };
    const signedIn = run('', { getItem: () => '1' });
    expect(signedIn.asked).toEqual(firstCalls()['/findings']);
    expect(signedIn.answers).toBeInstanceOf(Map);
    expect(run('?severity=high', { getItem: () => '1' }).asked).toEqual([]);
    expect(run('', { getItem: () => null }).asked).toEqual([]);
    expect(run('', { getItem: () => loginMarkOf({ user: { role: 'developer' } }) }).asked).toHaveLength(2);
    // a superadmin, and who must set up two-factor, would be refused
    expect(run('', { getItem: () => loginMarkOf({ user: { role: 'superadmin' } }) }).asked).toEqual([]);
    expect(run('', { getItem: () => loginMarkOf({ user: { role: 'admin' }, needs_2fa: true }) }).asked).toEqual([]);
    const refused = () => {
      throw new Error('no storage');
    };
    expect(run('', { getItem: refused }).asked).toEqual([]);
  });

  it('needs no more JavaScript than the limit before any page shows', () => {
    const sizes = pageSizes(Object.fromEntries(output.map((file) => [file.fileName, file])));
    expect(sizes.map(({ name }) => name)).toContain('sign-in-screen');
    expect(sizes.filter(({ kb }) => kb > FIRST_ROUTE_LIMIT_KB)).toEqual([]);
  });

  it('carries routes without the library of their schemas', () => {
    const code = textOf((fileName) => fileName.endsWith('.js') && !REPORT_READER.test(fileName));
    expect(code).toContain('/upload_scan/{id}');
    expect(code).not.toContain('typebox');
  });

  it('reads reports in a worker of its own, which compiles nothing from text', () => {
    const [worker, ...others] = output.filter(({ fileName }) => REPORT_READER.test(fileName));
    expect(others).toEqual([]);
    const code = textOf((fileName) => fileName === worker?.fileName);
    expect(code).toContain('OWASP Dependency-Check');
    expect(code).not.toMatch(/\bnew Function\(|\beval\(/);
    // fetched with the first report, whose size nobody waits for on a page
    expect(gzipSync(code).length / 1024).toBeLessThan(400);
    const html = textOf((fileName) => fileName === 'index.html');
    expect(html).not.toContain(worker?.fileName);
  });

  it('carries the drawings of the icons it shows, each once, not the names of all', () => {
    const code = textOf((fileName) => fileName.endsWith('.js'));
    expect(code).not.toContain('graph-remove');
    expect(output.some(({ fileName }) => /(?:^|\/)paths-|PathsLoader/.test(fileName))).toBe(false);
    // the shield's drawing at 16 px, and not the one at 20 px
    expect(code).toContain('M8 16q7-4.572 7-12.571');
    expect(code).not.toContain('M10 20q9-5.715 9-15.714');
    // an icon by its name would stay empty
    expect(code.match(/\bicon:"[a-z-]+"/g)).toBeNull();
  });

  it('sets the colour mode before the first paint and names the preview image', () => {
    const html = textOf((fileName) => fileName === 'index.html');
    expect(html.indexOf("localStorage.getItem('bw-theme')")).toBeLessThan(html.indexOf('type="module"'));
    expect(html).toContain('content="summary_large_image"');
    expect(html).toContain('content="/assets/meta.png"');
    expect(html).toContain('href="/favicon.ico"');
  });
});

describe('toViolet', () => {
  it('maps hex, hex with alpha and both functional notations', () => {
    expect(toViolet('a{color:#2D72D2;b:#2d72d20d;c:rgba(45, 114, 210, 0.1);d:rgb(45 114 210 / 10%)}')).toBe(
      'a{color:#6b3fcf;b:#6b3fcf0d;c:rgba(107, 63, 207, 0.1);d:rgb(107 63 207 / 10%)}',
    );
  });

  it('leaves other colours alone', () => {
    const css = 'a{color:#2d72d3;background:rgba(45, 114, 211, 1)}';
    expect(toViolet(css)).toBe(css);
    expect(bluesIn(css)).toEqual([]);
  });

  it('finds the blues that it maps', () => {
    expect(bluesIn('a{color:#2d72d2;b:rgba(33, 93, 176, 0.75)}')).toHaveLength(2);
  });
});
