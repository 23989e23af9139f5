import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../context.ts';
import { startTestService, type TestAnswers, type TestService } from '../../test-service.ts';
import { runKit } from '../run-kit.ts';
import { type TryOptions, tryDocument } from './try-document.ts';

const KEY = 'cana/ry+"7f3"9c=e1&b2d4 a6';
let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const documentWith = (
  findings: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...{ id: 'dock-scan', version: '1.0.0', title: 'Dock Scan', category: 'sast', description: 'Findings of Dock Scan.' },
  documentation: 'https://dock.example/docs',
  credentials: {
    type: 'object',
    required: ['api_key'],
    properties: { api_key: { type: 'string', title: 'API key', description: 'In settings.', writeOnly: true } },
  },
  auth: { type: 'header', name: 'x-api-key', value: '{{api_key}}' },
  baseUrl: 'https://api.dock.example/v1',
  permissions: { egress: ['api.dock.example'] },
  check: { request: { path: '/account' }, identity: 'email' },
  findings: {
    request: { path: '/issues' },
    records: 'issues',
    type: 'SAST',
    severities: { MAJOR: 'high' },
    map: { ruleId: 'rule', title: 'message', severity: 'level', locations: "[{ 'path': file, 'startLine': line }]" },
    ...findings,
  },
  ...more,
});

const issue = (number: number, more: Record<string, Json> = {}) => ({
  ...{ rule: `r${number}`, message: `Found ${number}`, level: 'MAJOR', file: 'a.ts', line: number },
  ...more,
});
const issues = (from: number, count: number) => Array.from({ length: count }, (_, at) => issue(from + at));

const start = async (
  answers: TestAnswers,
): Promise<Pick<TryOptions, 'allowPrivateHosts' | 'trusted' | 'baseUrlOverride'>> => {
  service = await startTestService((request) =>
    request.path === '/v1/account' ? { json: { email: 'ada@dock.example' } } : answers(request),
  );
  const baseUrlOverride = new URL(`${service.url.href.replace(/\/$/, '')}/v1`);
  return { allowPrivateHosts: false, trusted: [baseUrlOverride.host], baseUrlOverride };
};
const values = { api_key: KEY };

const isSilver = async (document: unknown, fixtures: unknown): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-try-'));
  try {
    await writeFile(join(folder, 'connector.json'), JSON.stringify(document));
    await writeFile(join(folder, 'conformance.json'), JSON.stringify(fixtures));
    const { connectors, issues: whole } = await runKit(folder);
    const found = connectors.flatMap(({ checks }) => checks.flatMap((check) => check.issues.map(({ what }) => what)));
    return [...whole.map(({ what }) => what), ...found, ...connectors.map(({ tier }) => tier)];
  } finally {
    await rm(folder, { recursive: true });
  }
};

describe('a document is tried with the beginning of each list, and what is recorded reaches silver', () => {
  const pagings: [string, Record<string, unknown>, (page: number, query: URLSearchParams) => Json, string][] = [
    [
      'cursor',
      { type: 'cursor', cursorAt: 'meta.next', parameter: 'cursor', moreAt: 'meta.more' },
      (page) => ({ issues: issues(page * 100 + 1, 50), meta: { next: `c${page + 1}`, more: true } }),
      'cursor',
    ],
    ['page', { type: 'page', parameter: 'page', size: 4 }, (page) => ({ issues: issues(page * 100 + 1, 4) }), 'page'],
    [
      'offset',
      { type: 'offset', parameter: 'offset', size: 4, sizeParameter: 'limit', itemsAt: 'issues' },
      (page) => ({ issues: issues(page * 100 + 1, 4) }),
      'offset',
    ],
    [
      'next',
      { type: 'next', nextAt: 'next' },
      (page) => ({ issues: issues(page * 100 + 1, 50), next: `/v1/issues?at=${page + 1}` }),
      'at',
    ],
  ];
  it.each(pagings)('%s, of an account whose list never ends', async (_type, paging, page, parameter) => {
    const document = documentWith({ paging });
    let asked = 0;
    const options = await start(({ query }) => {
      asked += 1;
      return { json: page(Number((query.get(parameter) ?? '0').replace(/\D/g, '')), query) };
    });
    const tried = await tryDocument({ ...options, document, values });
    expect(tried.operations.map(({ name, message }) => [name, message])).toEqual([
      ['check', ''],
      ['findings.sync', ''],
    ]);
    expect(asked).toBe(2);
    expect(tried.findings.length).toBeGreaterThan(4);
    expect(tried.isOnePage).toBe(false);
    expect(await isSilver(document, tried.fixtures)).toEqual(['silver']);
  });

  it('link, application by application', async () => {
    const document: unknown = JSON.parse(
      await readFile(
        join(import.meta.dirname, '../../../declarative/__fixtures__/harbour-scan/connector.json'),
        'utf8',
      ),
    );
    const options = await start(({ path, headers, query }) => {
      if (path === '/v1/projects')
        return { json: Array.from({ length: 30 }, (_, at) => ({ id: `p${at}`, name: `P ${at}` })) };
      const number = Number(query.get('page') ?? 1);
      const next = `<http://${headers['host']}${path}?state=open&page=${number + 1}>; rel="next"`;
      return { json: issues(number * 100, 40).map((one) => ({ ...one, cwe: ['CWE-89'] })), headers: { link: next } };
    });
    const { report: _report, ...whole } = Object(document);
    const read = { ...whole, check: { request: { path: '/account' }, identity: 'email' } };
    const tried = await tryDocument({ ...options, document: read, values: { ...values, region: 'eu' } });
    expect(tried.applications).toEqual(['P 0', 'P 1', 'P 2']);
    expect(tried.findings).toHaveLength(60);
    expect(tried.findings[0]).toEqual({
      ruleId: 'r100',
      title: 'Found 100',
      severity: 'high',
      type: 'SAST',
      place: 'a.ts:100',
    });
    expect(await isSilver(read, tried.fixtures)).toEqual(['silver']);
  });

  it('says that an account with one page cannot show that pages are read', async () => {
    const options = await start(() => ({ json: { issues: issues(1, 2) } }));
    const paging = { type: 'page', parameter: 'page', size: 4 };
    expect(await tryDocument({ ...options, document: documentWith({ paging }), values })).toMatchObject({
      isOnePage: true,
    });
    expect(await tryDocument({ ...options, document: documentWith({}), values })).toMatchObject({ isOnePage: false });
  });
});

describe('what a hostile service or document does', () => {
  it('a secret that is repeated in every place comes back nowhere', async () => {
    const forms = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64'), Buffer.from(KEY).toString('hex')];
    const options = await start(() => ({
      json: { issues: [issue(1, { message: `With ${forms.join(' ')}`, file: `${KEY}.ts`, [KEY]: forms })] },
      headers: { 'x-echo': KEY },
    }));
    const document = documentWith({}, { check: { request: { path: '/issues' }, identity: 'issues[0].message' } });
    const tried = await tryDocument({ ...options, document, values });
    expect(tried.findings).toHaveLength(1);
    const text = JSON.stringify(tried);
    for (const form of [...forms, JSON.stringify(KEY).slice(1, -1)]) expect(text).not.toContain(form);
    // also where the mapping fails, and the answer is shown for it
    const failing = documentWith({ severities: { OTHER: 'low' } });
    const failed = await tryDocument({ ...options, document: failing, values });
    expect(failed.operations.at(-1)).toMatchObject({ isOk: false, message: expect.stringContaining('severities') });
    expect(failed.operations.at(-1)?.answer).toMatchObject({ rule: 'r1', level: 'MAJOR' });
    expect(failed.fixtures).toBeNull();
    for (const form of forms) expect(JSON.stringify(failed)).not.toContain(form);
  });

  it('a huge answer is not read', async () => {
    const options = await start(() => ({ json: { issues: [], filling: 'x'.repeat(3 * 1024 * 1024) } }));
    const { operations, fixtures } = await tryDocument({ ...options, document: documentWith({}), values });
    expect(operations.at(-1)).toMatchObject({ isOk: false, message: expect.stringMatching(/larger|large|MB/) });
    expect(fixtures).toBeNull();
  });

  it.each(['/v1/issues', '/v1/account'])('an answer of %s that is nested without end is refused', async (deep) => {
    service = await startTestService(({ path }) => ({
      headers: { 'content-type': 'application/json' },
      body: path === deep ? '['.repeat(500_000) + ']'.repeat(500_000) : '{"email":"ada"}',
    }));
    const baseUrlOverride = new URL(`${service.url.href}v1`);
    const options = { allowPrivateHosts: false, trusted: [baseUrlOverride.host], baseUrlOverride };
    const { operations } = await tryDocument({ ...options, document: documentWith({}), values });
    expect(operations.at(-1)).toMatchObject({ isOk: false, message: expect.stringContaining('nested') });
  });

  it('an expression that runs for ever is ended', async () => {
    const options = await start(() => ({ json: { issues: issues(1, 1) } }));
    const document = documentWith({
      map: { ruleId: '($f := function($n) { $f($n + 1) }; $f(0))', title: 'message', severity: 'level' },
    });
    const { operations } = await tryDocument({ ...options, document, values });
    expect(operations.at(-1)).toMatchObject({ isOk: false, message: expect.stringContaining('longer than 5 s') });
  });

  it('a service that does not answer is given up', async () => {
    const options = await start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return { json: {} };
    });
    const { operations } = await tryDocument({ ...options, document: documentWith({}), values, timeoutMs: 500 });
    expect(operations.at(-1)).toMatchObject({ isOk: false, message: expect.stringContaining('in time') });
  });

  it.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://169.254.169.254',
    'https://[fd00:ec2::254]',
    'https://10.0.0.1',
    'https://0.0.0.0',
    'https://inside.dock.example',
  ])('%s is not called', async (address) => {
    await start(() => ({ json: {} }));
    const url = new URL(address);
    url.port = service?.url.port ?? '';
    const document = documentWith({}, { baseUrl: url.origin, permissions: { egress: [url.hostname] } });
    const asked = tryDocument({ document, values, allowPrivateHosts: false, resolve: async () => ['127.0.0.1'] });
    const said = await asked.then(
      ({ operations }) => operations.map(({ message }) => message).join(),
      (error: unknown) => String(error),
    );
    expect(said).toMatch(/is in a private network|is not a host/);
    expect(service?.requests).toEqual([]);
  });

  it('a redirect to another host is not followed', async () => {
    const options = await start(() => ({
      status: 302,
      headers: { location: 'http://169.254.169.254/latest/meta-data' },
    }));
    const { operations } = await tryDocument({ ...options, document: documentWith({}), values });
    expect(operations.at(-1)).toMatchObject({ isOk: false, message: expect.stringContaining('sent the request on') });
  });

  it('a secret that is too short to be found again is not sent', async () => {
    const options = await start(() => ({ json: {} }));
    await expect(tryDocument({ ...options, document: documentWith({}), values: { api_key: 'abc' } })).rejects.toThrow(
      'fewer than 6',
    );
  });
});
