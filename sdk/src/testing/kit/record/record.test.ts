import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../context.ts';
import { startTestService, type TestAnswers, type TestService } from '../../test-service.ts';
import { runKit } from '../run-kit.ts';
import { recordFixtures } from './record.ts';

const BIN = join(import.meta.dirname, '../../../../bin/breakwater-connector.ts');
const NO_CODE = join(import.meta.dirname, '../../../declarative/__fixtures__/harbour-scan');
/** With signs that each encoding writes in another way. */
const CANARY = 'cana/ry+"7f3"9c=e1&b2d4 a6';
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

let folder: string;
let service: TestService | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-record-'));
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await rm(folder, { recursive: true });
});

const start = async (answer: TestAnswers) => {
  service = await startTestService(answer);
  return service;
};
const written = () => readFile(join(folder, 'conformance.json'), 'utf8');
const environmentOf = ({ url }: TestService, more = {}) => ({
  HARBOUR_SCAN_API_KEY: CANARY,
  HARBOUR_SCAN_BASE_URL: url.href,
  ...more,
});

const encodings = (secret: string) => ({
  plain: secret,
  url: encodeURIComponent(secret),
  form: new URLSearchParams({ '': secret }).toString(),
  base64: Buffer.from(secret).toString('base64'),
  basic: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
  hex: Buffer.from(secret).toString('hex'),
  json: JSON.stringify({ given: secret }),
  twice: JSON.stringify(JSON.stringify({ given: secret })),
  php: JSON.stringify({ given: secret }).replaceAll('/', '\\/'),
  html: `<b>${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</b>`,
  link: `https://ada:${encodeURIComponent(secret)}@harbour.example/?api_key=${encodeURIComponent(secret)}`,
});

/** The service of the connector without code, which repeats what it is given and tells more than it has to. */
const harbour = (): TestAnswers => {
  let asked = 0;
  return ({ path, query, headers }) => {
    asked += 1;
    if (headers['x-api-key'] !== CANARY) return { status: 401, json: { message: 'Bad key.' } };
    const volatile = {
      date: new Date(asked * 1e7).toUTCString(),
      'x-request-id': `r${asked}`,
      'x-session-token': TOKEN,
    };
    const answer = (json: Json, more = {}) => ({
      json,
      headers: { ...volatile, 'set-cookie': `sid=${CANARY}`, ...more },
    });
    if (path === '/v1/account') {
      return answer({
        ...{ email: 'ada.lovelace@harbour.example', plan: 'team', rights: ['read:findings'] },
        echo: encodings(CANARY),
        ...{ access_token: TOKEN, token_type: 'bearer', password: 'correct horse', [CANARY]: 'as a key' },
      });
    }
    if (path === '/v1/projects')
      return answer([{ id: 'p1', name: 'Quay', owner: 'mailto:ada.lovelace@harbour.example' }]);
    const issue = (rule: string) => ({
      rule,
      message: `Found with ${TOKEN}`,
      level: 'MAJOR',
      file: 'a.ts',
      line: 3,
      cwe: ['CWE-89'],
    });
    if (query.get('page') === '2') return answer([issue('second')]);
    return answer([issue('first')], {
      link: `<${headers['host'] ? `http://${headers['host']}` : ''}/v1/projects/p1/issues?state=open&page=2>; rel="next"`,
    });
  };
};

describe('record', () => {
  it('writes a fixture that reaches silver, holds no secret in any encoding, and is the same the next time', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const running = await start(harbour());
    const environment = environmentOf(running);
    const recording = await recordFixtures(folder, { environment });
    const first = await written();
    expect(recording).toMatchObject({ operations: ['check', 'findings.sync'], notRecorded: [], exchanges: 4 });
    expect([...recording.scrubbed.keys()]).toEqual(
      expect.arrayContaining(['api_key (a secret of the form)', 'e-mail address', 'field "access_token"']),
    );
    for (const form of Object.values(encodings(CANARY))) expect(first).not.toContain(form);
    for (const part of ['7f3', '9c=e1', TOKEN, 'lovelace', 'correct horse', 'set-cookie', 'x-request-id', '127.0.0.1'])
      expect(first).not.toContain(part);
    expect(JSON.parse(first).connectors['harbour-scan']).toMatchObject({
      credentials: { region: 'eu' },
      addresses: { baseUrl: 'https://eu.harbour.example/v1' },
      signature: { 'x-api-key': '{{api_key}}' },
    });

    await recordFixtures(folder, { environment });
    expect(await written()).toBe(first);
    expect((await runKit(folder)).connectors).toMatchObject([{ id: 'harbour-scan', tier: 'silver' }]);
  });

  it('states requests exactly where code sends a time, a random id and what an answer gave it', async () => {
    await mkdir(join(folder, 'src'));
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ type: 'module', exports: { '.': './p.mjs', './server': './p.mjs' } }),
    );
    await writeFile(join(folder, 'p.mjs'), WITH_SESSION);
    const running = await start(({ path, method, body, query, headers }) => {
      if (path === '/v1/login') return { json: { session_token: `s3ss10n-${body.length}-abcdef` } };
      if (headers['x-session'] !== `s3ss10n-${'{"scope":"read"}'.length}-abcdef`) return { status: 403 };
      if (path === '/v1/me') return { json: { login: 'ada' } };
      return {
        status: method === 'POST' && query.has('since') && headers['x-request'] ? 200 : 400,
        json: { rows: [{ id: 'a', name: 'Quay' }] },
      };
    });
    await recordFixtures(folder, { environment: environmentOf(running) });
    const { exchanges } = JSON.parse(await written()).connectors['harbour-scan'];
    expect(exchanges.map(({ request }: { request: unknown }) => request)).toEqual([
      { method: 'POST', path: '/login', body: { scope: 'read' } },
      { path: '/me', headers: { 'x-session': expect.stringMatching(/^scrubbed-session-token-\d+$/) } },
      {
        ...{ method: 'POST', path: '/rows', query: { since: '2026-01-01' }, body: { all: true } },
        headers: { 'x-session': expect.stringMatching(/^scrubbed-session-token-\d+$/), 'x-request': '{{any}}' },
      },
    ]);
    const report = await runKit(folder);
    const issues = report.connectors.flatMap(({ checks }) => checks.flatMap((check) => check.issues));
    expect(issues.filter(({ what }) => /recorded|expected/.test(what))).toEqual([]);
    expect(report.connectors.flatMap(({ checks }) => checks.flatMap((check) => check.issues))).toEqual([]);
  });

  it('keeps what was there where the service refuses, and tells no secret', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const before = await written();
    const running = await start(() => ({ status: 401, json: { message: `Bad key ${CANARY}.` } }));
    const failure = recordFixtures(folder, { environment: environmentOf(running) });
    await expect(failure).rejects.toThrow(/check did not succeed/);
    await expect(failure).rejects.not.toThrow(CANARY);
    expect(await written()).toBe(before);
  });

  it('keeps real answers on request where the mapping does not fit yet, so that it can be corrected', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const document = join(folder, 'connector.json');
    const sound = await readFile(document, 'utf8');
    await writeFile(document, sound.replaceAll('"ruleId": "rule"', '"ruleId": "rule_name"'));
    const running = await start(harbour());
    const environment = environmentOf(running);
    await expect(recordFixtures(folder, { environment })).rejects.toThrow(
      /findings\.sync did not succeed: .*ruleId.*--partial/s,
    );
    const { failures } = await recordFixtures(folder, { environment, isPartial: true });
    expect(failures).toEqual([expect.stringMatching(/findings\.sync did not succeed/)]);
    const { exchanges, expect: results } = JSON.parse(await written()).connectors['harbour-scan'];
    expect(exchanges).toHaveLength(3);
    expect(Object.keys(results)).toEqual(['check']);
    expect(await written()).not.toMatch(/7f3|lovelace/);
    await writeFile(document, sound);
    await recordFixtures(folder, { environment });
    expect((await runKit(folder)).connectors).toMatchObject([{ tier: 'silver' }]);
  });

  it.each([
    ['without a key', { HARBOUR_SCAN_API_KEY: '' }, /HARBOUR_SCAN_API_KEY is not set \("API key"\)/],
    ['with a key that is too short to be scrubbed', { HARBOUR_SCAN_API_KEY: 'abc' }, /could not be scrubbed/],
    ['with an address that is none', { HARBOUR_SCAN_BASE_URL: 'ftp://a' }, /HARBOUR_SCAN_BASE_URL is no http/],
  ])('asks nothing %s', async (_, wrong, message) => {
    await cp(NO_CODE, folder, { recursive: true });
    const running = await start(harbour());
    await expect(recordFixtures(folder, { environment: environmentOf(running, wrong) })).rejects.toThrow(message);
    expect(running.requests).toEqual([]);
  });

  it('asks a person for what the environment does not hold', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const running = await start(harbour());
    const asked: unknown[] = [];
    const ask = async (field: unknown) => {
      asked.push(field);
      return CANARY;
    };
    await recordFixtures(folder, { environment: environmentOf(running, { HARBOUR_SCAN_API_KEY: undefined }), ask });
    expect(asked).toEqual([{ title: 'API key', isSecret: true }]);
  });

  it('writes nothing where a secret would stay in an encoding that it does not know', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const before = await written();
    const answers = harbour();
    const running = await start(async (request) => {
      const answer = await answers(request);
      return request.path === '/v1/account' ? { json: { ...Object(answer.json), odd: [...CANARY].join('|') } } : answer;
    });
    const failure = recordFixtures(folder, { environment: environmentOf(running) });
    await expect(failure).rejects.toThrow(/api_key would still stand in the recording/);
    expect(await written()).toBe(before);
  });

  it('is a command that says what it scrubbed', async () => {
    await cp(NO_CODE, folder, { recursive: true });
    const running = await start(harbour());
    const environment = { ...process.env, ...environmentOf(running) };
    const child = spawn(process.execPath, [BIN, 'record', folder], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(output).toMatch(/harbour-scan: 4 exchanges of check, findings\.sync were written/);
    expect(output).toMatch(/api_key \(a secret of the form\): \d+ places/);
    expect(output).not.toContain('7f3');
    expect(code).toBe(0);
  });
});

const WITH_SESSION = `
const connector = { id: 'harbour-scan', title: 'Harbour Scan', category: 'sast',
  image: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8"/%3E%3C/svg%3E',
  description: 'Finds insecure code.', documentation: 'https://harbour.example/docs',
  credentials: { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string', title: 'API key', writeOnly: true } } },
  auth: { type: 'bearer', value: '{{api_key}}' }, baseUrl: 'https://harbour.example/v1', permissions: { egress: ['harbour.example'] } };
export const plugin = { id: 'harbour-scan', version: '1.0.0', connectors: [connector] };
const unexpected = () => Object.assign(new Error('strange'), { name: 'ConnectorError', code: 'upstream' });
const text = (value) => { if (typeof value !== 'string') throw unexpected(); return value; };
const login = async ({ http }) => text((await http.json({ method: 'POST', path: '/login', body: { scope: 'read' } }))?.session_token);
const check = async (ctx) => ({ identity: text((await ctx.http.json({ path: '/me', headers: { 'x-session': await login(ctx) } }))?.login) });
async function* sync(ctx) {
  const answer = await ctx.http.json({ method: 'POST', path: '/rows', query: { since: ctx.now().toISOString().slice(0, 10) }, body: { all: true },
    headers: { 'x-session': await login(ctx), 'x-request': crypto.randomUUID() } });
  if (!Array.isArray(answer?.rows)) throw unexpected();
  for (const row of answer.rows) yield { kind: 'target', id: text(row?.id), name: text(row?.name) };
}
export const server = { pluginId: 'harbour-scan', connectors: { 'harbour-scan': { check, findings: { sync } } } };
`;
