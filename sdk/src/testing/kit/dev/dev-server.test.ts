import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../test-service.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { html } from './html.ts';

const SDK = join(import.meta.dirname, '../../../..');
const NO_CODE = join(SDK, 'src/declarative/__fixtures__/harbour-scan');
const SECRET = 'key-7f39ce1b2d4a6';

let folder: string;
let server: DevServer | undefined;
let service: TestService | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-dev-'));
});
afterEach(async () => {
  await server?.close();
  await service?.close();
  [server, service] = [undefined, undefined];
  await rm(folder, { recursive: true });
});

const edit = async (name: string, from: string | RegExp, to: string) => {
  const file = join(folder, name);
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(from, () => to),
  );
};

const start = async (environment = {}) => {
  server = await startDevServer(folder, { environment });
  return server.url;
};

const pageOf = async (url: URL) => (await fetch(url)).text();

/** Waits for the event that makes a page load itself again. */
const listen = async (url: URL) => {
  const { body } = await fetch(new URL('/changes', url));
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  return async () => expect((await reader?.read())?.value).toContain('event: change');
};

describe('dev', () => {
  it('shows card, form, check and mapped findings of recorded answers', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const text = await pageOf(await start());
    for (const part of [
      'Harbour Scan',
      'Pulls findings of Harbour Scan.',
      'May call: *.harbour.example',
      'ada@example.com',
    ])
      expect(text).toContain(part);
    expect(text).toContain('<input id="api_key" name="api_key" type="password"');
    expect(text).toMatch(/<option selected>eu<\/option>/);
    expect(text).toMatch(/2 findings, 2 applications/);
    expect(text).toMatch(/<td>critical<\/td><td>SAST<\/td><td><code>sqli<\/code><\/td>/);
    expect(text).toContain('GET /v1/projects/p1/issues?state=open');
  });

  it('says that the page is to be loaded again, and what is wrong until it is right', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const url = await start();
    const changed = await listen(url);
    await edit('connector.json', '"BLOCKER": "critical"', '"BLOCKER": "low"');
    await changed();
    await expect.poll(() => pageOf(url)).toMatch(/<td>low<\/td><td>SAST<\/td><td><code>sqli/);
    await edit('connector.json', '"category": "sast"', '"category": "sost"');
    await changed();
    await expect.poll(() => pageOf(url)).toMatch(/The folder cannot be used as it is.*field &#34;category&#34;/s);
    await edit('connector.json', '"category": "sost"', '"category": "sast"');
    await changed();
    await expect.poll(() => pageOf(url)).toContain('2 findings');
  });

  it('reads changed modules anew, those behind the entry point too', async () => {
    await cp(join(SDK, 'create/template'), folder, { recursive: true });
    await symlink(join(SDK, '../node_modules'), join(folder, 'node_modules'));
    await edit('src/connector.ts', /^/, "import { TITLE } from './title.ts';\n");
    await edit('src/connector.ts', "title: 'My Connector'", 'title: TITLE');
    await writeFile(join(folder, 'src/title.ts'), "export const TITLE = 'First';\n");
    const url = await start();
    const changed = await listen(url);
    expect(await pageOf(url)).toContain('<title>First</title>');
    await edit('src/title.ts', 'First', 'Second');
    await changed();
    await expect.poll(() => pageOf(url)).toMatch(/<title>Second<\/title>.*2 findings/s);
    await edit('src/connector.ts', '/user', '/somebody');
    await changed();
    await expect.poll(() => pageOf(url)).toContain('no recorded exchange answers GET /v1/somebody');
  });

  it('asks the real service with what is typed, and shows no secret', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    service = await startTestService(({ path, headers }) => {
      if (headers['x-api-key'] !== SECRET) return { status: 401, json: { message: `Not ${headers['x-api-key']}.` } };
      return path === '/v1/account'
        ? { json: { email: `${SECRET}@harbour.example`, plan: 'team', rights: [] } }
        : { json: [] };
    });
    const url = await start({ HARBOUR_SCAN_BASE_URL: service.url.href });
    const post = async (key: string, origin = url.origin) =>
      fetch(url, { method: 'POST', headers: { origin }, body: new URLSearchParams({ api_key: key, region: 'us' }) });
    const right = await (await post(SECRET)).text();
    expect(right).toContain('It succeeded with the real service.');
    expect(right).toContain('[secret]@harbour.example');
    expect(right).toMatch(/<option selected>us<\/option>/);
    const wrong = await (await post('wrong-key-123456')).text();
    expect(wrong).toMatch(/check did not succeed/);
    expect(`${right}${wrong}`).not.toMatch(/7f39ce|wrong-key/);
    expect(await (await post('')).text()).toContain('HARBOUR_SCAN_API_KEY is not set');
    const changed = await listen(url);
    await edit('connector.json', '"identity": "email"', '"identity": "mail"');
    await changed();
    const unmapped = async () => (await post(SECRET)).text();
    await expect.poll(unmapped).toMatch(/check did not succeed: .*does not say whose credentials/);
    expect(await unmapped()).not.toContain('--partial');
    const before = service.requests.length;
    expect(await post(SECRET, 'https://evil.example')).toMatchObject({ status: 403 });
    expect(service.requests).toHaveLength(before);
  });

  it('answers at one port and under no other name, so that no page reaches it by one that leads here', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const { port } = await start();
    await expect(startDevServer(folder, { port: Number(port), environment: {} })).rejects.toThrow(
      'The port cannot be used',
    );
    const status = await new Promise((resolve) => {
      request({ port, host: '127.0.0.1', headers: { host: `evil.example:${port}` } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });

  it('shows markup of a connector and its service as text, and forbids scripts that are not its own', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const attack = '<img src=x onerror=alert(1)>';
    await edit('connector.json', '"title": "API key"', `"title": "${attack}"`);
    await edit('conformance.json', 'SQL is built from input', attack);
    const url = await start();
    const answer = await fetch(url);
    expect(await answer.text()).not.toContain('<img src=x');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*script-src 'sha256-[^']+' 'sha256-[^']+';/,
    );
    expect((await fetch(new URL('/%E0%A4%A', url))).status).toBe(404);
    expect(html`<p title="${'"&\'<>'}">${null}${['<b>', html`<i>`]}</p>`.text).toBe(
      '<p title="&#34;&#38;&#39;&#60;&#62;">&#60;b&#62;<i></p>',
    );
  });
});
