import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { pierWatchFiles, pierWatchReport } from '../../testing/connectors/pier-watch-files.ts';
import { LIVE_TEST_LIMIT } from './test-document.ts';

let server: TestServer;
let others: TestUsers;
let service: Server;
let document: Record<string, unknown>;
const asked: string[] = [];
const TOKEN = 'token/of+tests="1234"&c';

const alert = (id: string) => ({
  kind: 'dependency',
  manifest: 'package-lock.json',
  row: 4,
  advisory: { id, summary: `Seen with ${TOKEN}`, level: 'severe', aliases: ['CVE-2021-23337'], cvss: 9.1 },
  package: { name: 'lodash', version: '4.17.20', patched: '4.17.21', ecosystem: 'npm' },
  echo: [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('hex')],
});

const answerTo = ({ url = '' }: IncomingMessage): unknown => {
  if (url.startsWith('/v1/orgs/quay/token'))
    return { owner: { name: 'Ada' }, state: 'active', rights: ['alerts:read'] };
  if (url.startsWith('/v1/orgs/quay/projects'))
    return { projects: [{ key: 'p1', name: 'Quay', links: { html: 'https://pier.example/quay' } }] };
  // a list that never ends
  if (url.startsWith('/v1/projects/p1/alerts'))
    return {
      page: { next: `c${asked.length}` },
      alerts: Array.from({ length: 40 }, (_, at) => alert(`PW-${asked.length}-${at}`)),
    };
  return undefined;
};

beforeAll(async () => {
  ({ document } = await pierWatchFiles());
  service = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    const body = answerTo(request);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server = await startTestServer({ environment: { CONNECTOR_DRAFT_BASE_URL: `http://127.0.0.1:${port}/v1` } });
  others = await createUsers(server.scene.database);
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await server.close();
});

type As = NonNullable<Parameters<TestServer['call']>[2]>['as'];
const call = (path: string, body: unknown, as: As = 'admin') =>
  server.call('POST', `/user_connectors/${path}`, { as, body });
const values = { token: TOKEN, organization: 'quay' };

test('a draft is tried with its service, shown without its secret, and what was recorded is published', async () => {
  const { status, body } = await call('test', { document, values });
  expect([status, body.detail]).toEqual([200, undefined]);
  const { data } = body;
  expect(data).toMatchObject({
    identity: 'Ada',
    operations: [
      { name: 'check', is_ok: true },
      { name: 'findings.sync', is_ok: true },
    ],
    applications: ['Quay'],
    is_one_page: false,
  });
  expect(data.findings[0]).toMatchObject({ severity: 'critical', type: 'SCA' });
  expect(asked.every((line) => line.startsWith(`Bearer ${TOKEN} `))).toBe(true);
  // two pages of a list that never ends
  expect(asked.filter((line) => line.includes('alerts'))).toHaveLength(2);
  const text = JSON.stringify(body);
  for (const form of [
    TOKEN,
    encodeURIComponent(TOKEN),
    Buffer.from(TOKEN).toString('base64'),
    Buffer.from(TOKEN).toString('hex'),
  ])
    expect(text).not.toContain(form);
  expect(text).not.toContain(JSON.stringify(TOKEN).slice(1, -1));
  const published = await call('publish', { document, fixtures: data.fixtures });
  expect([published.status, published.body.detail]).toEqual([200, undefined]);
  // nothing of it stays
  const { rows } = await server.scene.owner.query('select count(*)::int as count from connections');
  expect(rows[0]).toEqual({ count: 0 });
  const kept = await server.scene.owner.query(
    "select subject, details from audit_entries where kind = 'connector.tested'",
  );
  expect(kept.rows).toEqual([
    { subject: 'Pier Watch', details: expect.objectContaining({ hosts: ['api.pier.example'] }) },
  ]);
});

test('a report is read without asking anybody, and what was recorded of it is published', async () => {
  const { report, text } = await pierWatchReport();
  const card = { id: 'pier-reports', version: '1.0.0', title: 'Pier Reports', category: 'sca' };
  const more = { description: 'Reads reports.', documentation: 'https://pier.example/docs' };
  const reading = { ...card, ...more, report };
  const before = asked.length;
  const { status, body } = await call('test', { document: reading, values: {}, report: text });
  expect([status, body.detail]).toEqual([200, undefined]);
  expect(body.data).toMatchObject({ operations: [], report: { is_ok: true, count: 2, unreadable: [] } });
  expect(body.data.report.findings[0]).toMatchObject({ rule: expect.any(String), type: 'SCA' });
  expect(asked.length).toBe(before);
  const published = await call('publish', { document: reading, fixtures: body.data.fixtures });
  expect([published.status, published.body.detail]).toEqual([200, undefined]);
  const tooLong = await call('test', { document: reading, values: {}, report: 'x'.repeat(200_001) });
  expect(tooLong.status).toBe(422);
  const foreign = await call('test', { document: reading, values: {}, report: '{}' });
  expect(foreign.body.data).toMatchObject({ report: { is_ok: false }, fixtures: null });
});

describe('refused', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['a required field that is empty', {}, { token: TOKEN }, ['body', 'values', 'organization']],
    ['a secret that could not be found again', {}, { ...values, token: 'abc' }, ['body', 'values', 'token']],
    [
      'an address for a host',
      { permissions: { egress: ['127.0.0.1'] } },
      values,
      ['body', 'document', 'permissions', 'egress'],
    ],
    [
      'the metadata service',
      { baseUrl: 'https://169.254.169.254/v1', permissions: { egress: ['169.254.169.254'] } },
      values,
      ['body', 'document', 'permissions', 'egress'],
    ],
    [
      'a pattern for a host',
      { permissions: { egress: ['*.pier.example'] } },
      values,
      ['body', 'document', 'permissions', 'egress'],
    ],
    [
      'a secret in the document',
      { description: `With ghp_${'a'.repeat(36)}` },
      values,
      ['body', 'document', 'description'],
    ],
    ['no id', { id: undefined }, values, ['body', 'document', 'id']],
  ])('%s', async (_case, change, given, place) => {
    const before = asked.length;
    const { status, body } = await call('test', { document: { ...document, ...change }, values: given });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc)).toContainEqual(place);
    expect(asked).toHaveLength(before);
  });

  test('a mapping that runs for ever is ended and said', async () => {
    const { findings } = document;
    const map = { ...Object(findings).map, title: '($f := function($n) { $f($n + 1) }; $f(0))' };
    const { body } = await call('test', { document: { ...document, findings: { ...Object(findings), map } }, values });
    expect(body.data.operations.at(-1)).toMatchObject({
      is_ok: false,
      message: expect.stringContaining('longer than 5 s'),
    });
    expect(body.data.fixtures).toBeNull();
  });

  test.each(['developer', 'cyberoper', 'superadmin'] as const)('%s checks and tests nothing', async (role) => {
    expect((await call('check', { document }, role)).status).toBe(403);
    expect((await call('test', { document, values }, role)).status).toBe(403);
  });

  test('more tests than an organisation may make, while another one may', async () => {
    const as = { token: others.admin.token };
    const unheard = { ...document, check: { ...Object(document['check']), request: { path: '/nothing' } } };
    await server.scene.owner.query('update rate_limits set points = $1 where key like $2', [
      LIVE_TEST_LIMIT.attempts,
      `${LIVE_TEST_LIMIT.name}:%`,
    ]);
    expect((await call('test', { document: unheard, values })).status).toBe(429);
    const { status, body } = await call('test', { document: unheard, values }, as);
    expect(status).toBe(200);
    expect(body.data.operations).toMatchObject([{ name: 'check', is_ok: false }]);
    expect(body.data.identity).toBeNull();
  });
});

test('a document is checked place by place, and nothing is asked', async () => {
  const before = asked.length;
  expect((await call('check', { document })).body.data.issues).toEqual([]);
  const { check: _check, documentation: _documentation, ...rest } = document;
  const issues = async (changed: unknown) => (await call('check', { document: changed })).body.data.issues;
  expect(await issues(rest)).toContainEqual({ path: ['check'], message: expect.stringContaining('is missing') });
  const wrong = {
    ...document,
    findings: { ...Object(document['findings']), map: { ruleId: 'a', title: '(', severity: 'b' } },
  };
  expect(await issues(wrong)).toContainEqual({
    path: ['findings', 'map', 'title'],
    message: expect.stringContaining('JSONata'),
  });
  expect(await issues({ ...document, documentation: undefined })).toEqual([
    { path: ['documentation'], message: expect.stringContaining('how to get the credentials') },
  ]);
  expect(await issues('no document')).not.toEqual([]);
  expect(asked).toHaveLength(before);
});
