import { request as httpRequest } from 'node:http';
import { route } from '@breakwater/core/platform/api/contract.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import {
  callerEndpoint,
  eventsEndpoint,
  fileEndpoint,
  publicEndpoint,
  tenantEndpoint,
} from '@breakwater/core/platform/server/endpoint.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readEventText } from '../../../tools/testing/event-text.ts';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';

const Id = Type.String({ format: 'uuid' });
const common = { tag: 'test', summary: 'For tests only' } as const;
const open = { public: true } as const;
const anyone = { permission: 'findings.read', tenant: true } as const;
const echoQuery = Type.Object(
  {
    page: Type.Optional(Type.Integer({ minimum: 1 })),
    words: Type.Optional(Type.Array(Type.String())),
    filters: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }))),
          gt: Type.Optional(Type.Number()),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const echo = publicEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/echo',
    access: open,
    query: echoQuery,
    response: Type.Object({ data: Type.Unknown() }),
  }),
)(({ query }) => ({ data: query }));

const fixed = publicEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/things/fixed',
    access: open,
    response: Type.Object({ data: Type.Literal('fixed') }),
  }),
)(() => ({ data: 'fixed' as const }));

const thing = publicEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/things/{id}',
    access: open,
    params: Type.Object({ id: Id }),
    response: Type.Object({ data: Id }),
    errors: ['finding_not_found'],
  }),
)(({ params }) => ({ data: params.id }));

const post = tenantEndpoint(
  route({
    ...common,
    method: 'POST',
    path: '/test/body',
    access: anyone,
    body: Type.Object(
      {
        email: Type.String({ format: 'email' }),
        count: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({ data: Type.Unknown() }),
    status: 201,
  }),
)(({ body }) => ({ data: body }));

const SECRET_TEXT = 'select * from secret_table; /var/lib/secret';
const broken = tenantEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/broken/{kind}',
    access: anyone,
    params: Type.Object({ kind: Type.String() }),
    response: Type.Object({}),
  }),
)(async ({ params, db }) => {
  if (params.kind === 'sql') await sql`select secret_column from no_such_table`.execute(db);
  if (params.kind === 'nul') await sql`select ${'a\0b'}::text`.execute(db);
  if (params.kind === 'wait') throw new AppError('too_many_requests', 'Wait.', { retryAfterSeconds: 7 });
  throw new Error(SECRET_TEXT);
});

const brokenContract = publicEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/contract',
    access: open,
    response: Type.Object({ data: Type.String() }),
  }),
)(() => JSON.parse('{"data": 1}'));

let seenSignal: AbortSignal | undefined;
const slow = callerEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/slow',
    access: { ...anyone, tenant: false },
    response: Type.Object({}),
  }),
)(async ({ signal }) => {
  seenSignal = signal;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return {};
});

const file = fileEndpoint(
  route({
    ...common,
    method: 'POST',
    path: '/test/file',
    access: anyone,
    response: Type.String(),
    responseKind: 'file',
  }),
)(() => ({ fileName: 'finding-ä.json', contentType: 'application/json', content: '{}' }));

const stream = eventsEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/stream',
    access: { ...anyone, tenant: false },
    response: Type.String(),
    responseKind: 'events',
  }),
)(async function* ({ signal }) {
  yield { event: 'first', data: { text: 'line\nbreak' } };
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    extraEndpoints: [echo, thing, fixed, post, broken, brokenContract, slow, file, stream],
  });
});
afterAll(() => server.close());

const issues = (answer: { body: { detail: { loc: unknown[]; msg: string; type: string }[] } }) =>
  answer.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('queries', () => {
  test('lists are split where the schema says list, single values and numbers are read', async () => {
    const answer = await server.call('GET', '/test/echo?page=2&words=x,y&filters[status]=a,b&filters[gt]=7.5');
    expect(answer.body.data).toEqual({ page: 2, words: ['x', 'y'], filters: { status: ['a', 'b'], gt: 7.5 } });
    const single = await server.call('GET', '/test/echo?filters[status]=a&words=x');
    expect(single.body.data).toEqual({ words: ['x'], filters: { status: ['a'] } });
  });

  test('an empty list filters nothing', async () => {
    expect((await server.call('GET', '/test/echo?filters[status]=')).body.data).toEqual({ filters: {} });
  });

  test.each([
    ['filters[nope]=1', 'query.filters.nope unknown_field'],
    ['filters[constructor]=1', 'query.filters.constructor unknown_field'],
    ['nope=1', 'query.nope unknown_field'],
    ['page=zero', 'query.page type'],
    ['filters[status]=a,c', 'query.filters.status.1 enum'],
    ['filters[a][b][c]=1', 'query query_too_complex'],
    [Array.from({ length: 301 }, (_value, index) => `k${index}=1`).join('&'), 'query query_too_complex'],
  ])('%s is refused', async (query, issue) => {
    const answer = await server.call('GET', `/test/echo?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('validation_failed');
    expect(issues(answer)).toContain(issue);
  });

  test('__proto__ pollutes nothing', async () => {
    await server.call('GET', '/test/echo?filters[__proto__][x]=1&__proto__[x]=1');
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('bodies', () => {
  const send = (body: unknown) => server.call('POST', '/test/body', { as: 'admin', body });
  const raw = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${server.baseUrl}/api/v1/test/body`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.tokens.admin}`, ...headers },
      body,
    });

  test('a right body arrives as it is, with the status of the route', async () => {
    const answer = await send({ email: 'a@example.test', count: null });
    expect(answer).toMatchObject({ status: 201, body: { data: { email: 'a@example.test', count: null } } });
  });

  test.each([
    [{}, ['body.email missing']],
    [{ email: ['a@example.test'] }, ['body.email type']],
    [{ email: { $ne: '' } }, ['body.email type']],
    [{ email: 'nonsense', role: 'admin' }, ['body.role unknown_field', 'body.email format']],
    [{ email: 'a@example.test', count: '1' }, ['body.count type']],
    [{ email: 'a@example.test', count: 0 }, ['body.count minimum']],
    [[], ['body type']],
  ])('%j is refused with each error once', async (body, expected) => {
    const answer = await send(body);
    expect(answer.status).toBe(422);
    expect(issues(answer).sort()).toEqual([...expected].sort());
  });

  test('messages are for people', async () => {
    const answer = await send({ email: 'x', count: 0 });
    expect(answer.body.detail.map((issue: { msg: string }) => issue.msg)).toEqual([
      'Must be an e-mail address.',
      'Must be at least 1.',
    ]);
  });

  test.each([
    ['{"email": ', 422],
    ['{"__proto__": {"isAdmin": true}, "email": "a@example.test"}', 422],
    ['{"constructor": {"prototype": {"x": 1}}, "email": "a@example.test"}', 422],
    [`{"email": "a@example.test", "count": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 422],
    [JSON.stringify({ email: 'x'.repeat(1_100_000) }), 413],
  ])('hostile body %#: refused, nothing polluted', async (body, status) => {
    const answer = await raw(body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code: status === 413 ? 'payload_too_large' : 'validation_failed' });
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });

  test('a form is no JSON', async () => {
    const answer = await raw('email=a@example.test', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(answer.status).toBe(422);
  });

  test('a million strange keys give 50 errors, not a million', async () => {
    const body = Object.fromEntries(Array.from({ length: 50_000 }, (_value, index) => [`k${index}`, 1]));
    expect((await send(body)).body.detail).toHaveLength(50);
  });
});

describe('addresses', () => {
  test('fixed words come before parameters', async () => {
    expect((await server.call('GET', '/test/things/fixed')).body).toEqual({ data: 'fixed' });
  });

  test("an id that cannot exist is not found, in the route's own words", async () => {
    expect(await server.call('GET', '/test/things/7')).toMatchObject({
      status: 404,
      body: { code: 'finding_not_found' },
    });
    expect((await server.call('GET', '/test/things/%E0%A4%A')).status).toBe(404);
  });

  test.each(['/nothing', '/api/nothing', '/api/v1', '/api/v2/session'])('%s is a JSON 404', async (path) => {
    const answer = await server.call('GET', path);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('another method is 405 and says which are right', async () => {
    const answer = await server.call('DELETE', '/test/body', { as: 'admin' });
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('failures', () => {
  test.each(['sql', 'other'])('an internal error (%s) tells nothing but its id, which the log knows', async (kind) => {
    const answer = await server.call('GET', `/test/broken/${kind}`, { as: 'admin' });
    expect(answer.status).toBe(500);
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'detail', 'request_id']);
    expect(answer.body.detail).toBe('An unexpected error occurred.');
    expect(JSON.stringify(answer.body)).not.toMatch(/select|secret|no_such_table|\/var|at /);
    expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
    expect(
      server.logs.some((line) => line.includes(answer.body.request_id) && line.includes('an internal error')),
    ).toBe(true);
  });

  test('text that the database cannot hold is an error of the request', async () => {
    expect((await server.call('GET', '/test/broken/nul', { as: 'admin' })).status).toBe(422);
  });

  test('Retry-After is sent where a time is known', async () => {
    const answer = await server.call('GET', '/test/broken/wait', { as: 'admin' });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  test('an answer that breaks its contract fails in tests', async () => {
    expect((await server.call('GET', '/test/contract')).status).toBe(500);
  });
});

describe('headers', () => {
  test('of the API', async () => {
    const { headers } = await server.call('GET', '/setup');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toMatch(/unsafe/);
  });

  test('a download names its file', async () => {
    const answer = await server.call('POST', '/test/file', { as: 'admin' });
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename=');
  });
});

describe('who calls', () => {
  const origin = (value: string, more: Record<string, string> = {}) => ({
    headers: { cookie: `accessToken=${server.tokens.admin}`, origin: value, ...more },
    body: { email: 'a@example.test' },
  });

  test.each([
    ['nobody', {}],
    ['a forged token', { authorization: `Bearer ${'A'.repeat(43)}` }],
    ['a token of another purpose', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a cookie of another name', { cookie: 'session=abc' }],
  ])('%s is 401', async (_who, headers) => {
    const answer = await server.call('POST', '/test/body', { headers, body: { email: 'a@example.test' } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  });

  test('a wrong role is 403, before the body is read', async () => {
    expect(await server.call('POST', '/test/body', { as: 'superadmin', body: {} })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  test('a cookie works from the same origin and from no browser', async () => {
    expect((await server.call('POST', '/test/body', origin(server.baseUrl))).status).toBe(201);
    expect(
      (await server.call('POST', '/test/body', origin(server.baseUrl, { 'sec-fetch-site': 'same-origin' }))).status,
    ).toBe(201);
    const cookie = `other=1; accessToken=${server.tokens.admin}`;
    expect(
      (await server.call('POST', '/test/body', { headers: { cookie }, body: { email: 'a@example.test' } })).status,
    ).toBe(201);
  });

  test.each([
    ['another origin', () => origin('https://evil.example')],
    ['another port', () => origin('http://127.0.0.1:1')],
    ['no origin to speak of', () => origin('null')],
    ['a sub-domain', () => origin(server.baseUrl, { 'sec-fetch-site': 'same-site' })],
    [
      'another site by its own word',
      () => ({
        ...origin(server.baseUrl),
        headers: { cookie: `accessToken=${server.tokens.admin}`, 'sec-fetch-site': 'cross-site' },
      }),
    ],
  ])('a cookie from %s is refused', async (_from, request) => {
    expect(await server.call('POST', '/test/body', request())).toMatchObject({
      status: 403,
      body: { code: 'cross_site_request' },
    });
  });

  test('a bearer token may come from anywhere: no other site can send it', async () => {
    const answer = await server.call('POST', '/test/body', {
      as: 'admin',
      headers: { origin: 'https://tool.example' },
      body: { email: 'a@example.test' },
    });
    expect(answer.status).toBe(201);
  });
});

test('a handler learns that its caller has left', async () => {
  const request = httpRequest(`${server.baseUrl}/api/v1/test/slow`, {
    headers: { authorization: `Bearer ${server.tokens.admin}` },
  });
  request.on('error', () => undefined);
  request.end();
  await vi.waitFor(() => expect(seenSignal).toBeDefined(), { timeout: 30_000 });
  request.destroy();
  await vi.waitFor(() => expect(seenSignal?.aborted).toBe(true), { timeout: 30_000 });
});

test('an event stream says hello, keeps events in one frame and ends with the session', async () => {
  const login = await server.call('POST', '/login', {
    body: { email: server.users.cyberoper.email, password: server.users.cyberoper.password },
    headers: { accept: 'application/vnd.breakwater.token+json' },
  });
  const token: string = login.body.data.access_token;
  const response = await fetch(`${server.baseUrl}/api/v1/test/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events = readEventText(response);
  expect(await events.until('break')).toContain('event: first\ndata: {"text":"line\\nbreak"}\n\n');
  await server.call('POST', '/logout', { as: { token } });
  await events.ended();
});

test('the log has one line per request, without secrets or queries', async () => {
  await server.call('GET', '/test/echo?words=needle-in-query', {
    headers: { cookie: 'accessToken=canary-cookie', authorization: 'Bearer canary-bearer' },
  });
  await vi.waitFor(() => expect(server.logs.join('\n')).toContain('"path":"/api/v1/test/echo"'), { timeout: 30_000 });
  expect(server.logs.join('\n')).not.toMatch(/needle-in-query|canary-cookie|canary-bearer/);
});

test('health, readiness and metrics answer without a session', async () => {
  expect((await server.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
  expect(await server.call('GET', '/readyz')).toMatchObject({
    status: 200,
    body: { checks: { database: 'ok', migrations: 'ok', queue: 'ok' } },
  });
  const { body } = await server.call('GET', '/metrics');
  expect(body).toContain('http_request_duration_seconds_bucket');
  expect(body).toContain('route="/test/things/{id}"');
  expect(body).toContain('nodejs_eventloop_lag');
});

test('the database away for a moment is 503 at worst, and all is well again within 5 s', async () => {
  await server.scene.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async () => (await server.call('GET', '/session', { as: 'developer' })).status),
  );
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  await vi.waitFor(
    async () => {
      expect((await server.call('GET', '/session', { as: 'developer' })).status).toBe(200);
      expect((await server.call('GET', '/readyz')).status).toBe(200);
    },
    { timeout: 120_000, interval: 100 },
  );
});
