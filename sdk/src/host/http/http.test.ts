import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AnyConnectorSpec } from '../../connector.ts';
import type { Ctx, HttpRequest } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import type { ConnectorError } from '../../errors.ts';
import { startTestService } from '../../testing/test-service.ts';
import { type CtxOptions, createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { connectionWith, connectorWith, type TestConnectionOptions, TOKEN } from '../testing/host-connection.ts';
import { json, type LocalServer, type SeenRequest, startServer } from '../testing/local-server.ts';

let gate: EgressGate;
let server: LocalServer;
let answer: (request: SeenRequest, response: Parameters<Parameters<typeof startServer>[0]>[1]) => unknown;
beforeEach(async () => {
  server = await startServer((request, response) => answer(request, response));
  gate = createEgressGate({ allowPrivateHosts: true });
  answer = (_, response) => json(response, { ok: true });
});
afterEach(async () => {
  await gate.close();
  await server.close();
});

interface Setup extends TestConnectionOptions {
  readonly spec?: Partial<AnyConnectorSpec>;
  readonly options?: Partial<CtxOptions>;
}

function ctxOf({ spec, options, ...connection }: Setup = {}): Ctx<CredentialSchema> {
  return createCtx(
    gate,
    connectionWith({ connector: connectorWith(spec), config: { base_url: server.origin }, ...connection }),
    { signal: AbortSignal.timeout(30_000), ...options },
  );
}

const refusalOf = (work: Promise<unknown>): Promise<ConnectorError> =>
  work.then(
    (value) => expect.fail(`came to ${JSON.stringify(value)}`),
    (error: ConnectorError) => error,
  );

test.each<[AnyConnectorSpec['auth'] & object, string, string]>([
  [{ type: 'bearer', value: '{{api_token}}' }, 'authorization', `Bearer ${TOKEN}`],
  [{ type: 'header', name: 'X-Api-Key', value: 'key={{api_token}}' }, 'x-api-key', `key=${TOKEN}`],
  [{ type: 'basic', value: '{{base_url}}:{{api_token}}' }, 'authorization', 'Basic ORIGIN'],
  [
    { type: 'oauth2', authorizeUrl: '{{base_url}}/a', tokenUrl: '{{base_url}}/t', scopes: [], tokenField: 'api_token' },
    'authorization',
    `Bearer ${TOKEN}`,
  ],
])('signs by %j', async (auth, header, value) => {
  await ctxOf({ spec: { auth } }).http.json({ path: '/user' });
  const basic = Buffer.from(`${server.origin}:${TOKEN}`).toString('base64');
  expect(server.seen[0]?.headers[header]).toBe(value.replace('ORIGIN', basic));
  expect(server.seen[0]?.address).toBe('/api/v1/user');
});

test('signs nothing without auth, and nothing that goes to another service', async () => {
  await ctxOf({ spec: { auth: { type: 'none' } } }).http.json({ path: '/user' });
  const spec = { services: { login: '{{base_url}}/login' } };
  await ctxOf({ spec }).http.json({ service: 'login', path: '/start' });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect(server.seen[1]?.address).toBe('/login/start');
});

test('sends bytes as they are', async () => {
  const service = await startTestService(() => ({ json: { ok: true } }));
  onTestFinished(() => service.close());
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const { http } = ctxOf({ config: { base_url: service.url.origin } });
  await http.json({ method: 'POST', path: '/file', raw: bytes, headers: { 'content-type': 'image/png' } });
  expect(service.requests[0]?.bytes).toEqual(Buffer.from(bytes));
});

test('writes query, JSON, form and raw content', async () => {
  const { http } = ctxOf();
  await http.json({
    path: '/a?x=%20y',
    query: { q: 'a b&c', tag: ['1', '2'], none: undefined, is: true, n: 3, half: '\ud800' },
  });
  await http.json({ method: 'POST', path: '/b', body: { text: 'ü' } });
  await http.json({ method: 'PUT', path: '/c', form: { 'a b': 'c&d' } });
  await http.json({ method: 'PATCH', path: '/d', raw: '<x/>', headers: { 'Content-Type': 'text/xml' } });
  await http.request({ path: '', headers: { Accept: 'text/plain' } });
  expect(
    server.seen.map(({ method, address, body, headers }) => [method, address, body, headers['content-type']]),
  ).toEqual([
    ['GET', '/api/v1/a?x=%20y&q=a%20b%26c&tag=1&tag=2&is=true&n=3&half=%EF%BF%BD', '', undefined],
    ['POST', '/api/v1/b', '{"text":"ü"}', 'application/json'],
    ['PUT', '/api/v1/c', 'a+b=c%26d', 'application/x-www-form-urlencoded'],
    ['PATCH', '/api/v1/d', '<x/>', 'text/xml'],
    ['GET', '/api/v1', '', undefined],
  ]);
  expect(server.seen.map(({ headers }) => headers.accept)).toEqual([
    ...Array(4).fill('application/json'),
    'text/plain',
  ]);
});

test('a path stays within the service', async () => {
  const { http } = ctxOf();
  await http.json({ path: '//evil.test/x' });
  await http.json({ path: '/@evil.test' });
  await http.json({ path: '/files/a#b.txt' });
  expect(server.seen.map(({ address }) => address)).toEqual([
    '/api/v1//evil.test/x',
    '/api/v1/@evil.test',
    '/api/v1/files/a%23b.txt',
  ]);
  for (const path of ['/../admin', '/%2e%2e/admin', '/x/../../../admin', '/..']) {
    expect((await refusalOf(http.json({ path }))).code).toBe('config');
  }
  for (const path of [
    'user',
    'https://evil.test/',
    '@evil.test',
    '/a b',
    '/a\r\nb',
    '/\\evil.test',
    '/\tx',
    '.evil.test',
  ]) {
    await expect(http.json({ path })).rejects.toBeInstanceOf(TypeError);
  }
  expect(server.seen).toHaveLength(3);
});

test.each([
  'authorization',
  'Authorization',
  'Host',
  'content-length',
  'Cookie',
  'connection',
  'transfer-encoding',
  'Proxy-Authorization',
  'upgrade',
  'te',
])('the header %s is not for the code', async (name) => {
  await expect(ctxOf().http.json({ path: '/', headers: { [name]: 'x' } })).rejects.toBeInstanceOf(TypeError);
  expect(server.seen).toHaveLength(0);
});

test('a connector that reveals a secret may sign by itself', async () => {
  const spec = { auth: { type: 'none' }, permissions: { egress: ['{{base_url}}'], reveal: ['api_token'] } } as const;
  await ctxOf({ spec }).http.json({ path: '/', headers: { authorization: 'AWS4-HMAC-SHA256 x' } });
  expect(server.seen[0]?.headers.authorization).toBe('AWS4-HMAC-SHA256 x');
});

test.each<Partial<HttpRequest>>([
  { headers: { 'x-name': 'a\r\nauthorization: b' } },
  { headers: { 'x-name': 'a\nb' } },
  { headers: { 'x na': 'b' } },
  { headers: { 'x\r\nname': 'b' } },
  { headers: { 'x-name': '\u0000' } },
  { headers: { 'x-name': '中' } },
  { body: {}, raw: '' },
])('%j is not sent', async (request) => {
  await expect(ctxOf().http.json({ path: '/', ...request })).rejects.toBeInstanceOf(TypeError);
  expect(server.seen).toHaveLength(0);
});

test('a secret with a line break, or none at all, is the form’s error', async () => {
  for (const api_token of ['ab\ncd', 'ab\r\nx-evil: 1', '中']) {
    const error = await refusalOf(ctxOf({ secrets: { api_token } }).http.json({ path: '/' }));
    expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('"API token"') });
    expect(error.message).not.toContain(api_token);
  }
  for (const secrets of [{}, { api_token: '' }, { api_token: '  ' }]) {
    const error = await refusalOf(ctxOf({ secrets }).http.json({ path: '/' }));
    expect(error).toMatchObject({ code: 'config', message: 'The field "API token" is empty.' });
  }
  const error = await refusalOf(ctxOf({ config: {} }).http.json({ path: '/' }));
  expect(error).toMatchObject({ code: 'config', message: 'The field "Address" is empty.' });
  await ctxOf({ secrets: { api_token: ' pasted\n' } }).http.json({ path: '/' });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer pasted']);
});

test.each([
  [400, 'upstream'],
  [401, 'auth'],
  [403, 'scope'],
  [404, 'config'],
  [407, 'upstream'],
  [408, 'upstream'],
  [410, 'unsupported'],
  [426, 'unsupported'],
  [429, 'rate_limited'],
  [500, 'upstream'],
  [501, 'unsupported'],
  [502, 'upstream'],
  [304, 'upstream'],
])('status %i is %s, for people', async (status, code) => {
  answer = (_, response) =>
    json(response, { message: 'It went\n wrong.' }, status, { 'retry-after': status === 403 ? '' : '60' });
  if (status === 403) answer = (_, response) => json(response, { message: 'It went\n wrong.' }, status);
  const error = await refusalOf(ctxOf().http.json({ path: '/' }));
  expect(error.code).toBe(code);
  expect(error.message).toMatch(/^Demo .*\(status \d{3}\)\./);
  if (status !== 304) expect(error.message).toContain('It says: "It went wrong."');
});

test('accepted statuses are answers', async () => {
  answer = (_, response) => json(response, { message: 'none' }, 404);
  const { status, body } = await ctxOf().http.request({ path: '/', accept: [404] });
  expect([status, Buffer.from(body).toString()]).toEqual([404, '{"message":"none"}']);
});

test.each([
  [429, { 'retry-after': '120' }, 120_000],
  [429, { 'retry-after': 'Sat, 21 Nov 2026 10:05:00 GMT' }, 300_000],
  [429, { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
  [429, {}, undefined],
  [403, { 'retry-after': '60' }, 60_000],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795255500' }, 300_000],
  [429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 30_000],
])('status %i with %j is a limit, to wait %s ms', async (status, headers, retryAfterMs) => {
  answer = (_, response) => json(response, {}, status, headers);
  const now = () => new Date('2026-11-21T10:00:00Z');
  const error = await refusalOf(ctxOf({ options: { now } }).http.request({ method: 'POST', path: '/' }));
  expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs });
});

test('what may pass is tried again where that is safe', async () => {
  answer = (_, response) => json(response, { n: server.seen.length }, server.seen.length < 3 ? 503 : 200);
  await expect(ctxOf().http.json({ path: '/' })).resolves.toEqual({ n: 3 });
  server.seen.length = 0;
  await expect(ctxOf().http.json({ method: 'POST', path: '/' })).rejects.toMatchObject({ code: 'upstream' });
  expect(server.seen).toHaveLength(1);
  server.seen.length = 0;
  const headers = { 'Idempotency-Key': 'k1' };
  await expect(ctxOf().http.json({ method: 'POST', path: '/', headers })).resolves.toEqual({ n: 3 });
  expect(server.seen.map(({ headers: sent }) => sent['idempotency-key'])).toEqual(['k1', 'k1', 'k1']);
});

test('a broken connection is tried again, at most twice', async () => {
  answer = (_, response) => response.socket?.destroy();
  await expect(ctxOf().http.json({ path: '/' })).rejects.toMatchObject({ code: 'unreachable' });
  expect(server.seen).toHaveLength(3);
  server.seen.length = 0;
  await expect(ctxOf().http.json({ method: 'DELETE', path: '/' })).rejects.toMatchObject({ code: 'unreachable' });
  expect(server.seen).toHaveLength(1);
});

test('an error that does not pass is not tried again', async () => {
  answer = (_, response) => json(response, {}, 500);
  await expect(ctxOf().http.json({ path: '/' })).rejects.toMatchObject({ code: 'upstream' });
  answer = (_, response) => json(response, {}, 503, { 'retry-after': '600' });
  await expect(ctxOf().http.json({ path: '/' })).rejects.toMatchObject({ code: 'upstream', retryAfterMs: 600_000 });
  expect(server.seen).toHaveLength(2);
});

test('a short Retry-After is waited for, a long one is reported', async () => {
  answer = (_, response) =>
    server.seen.length === 1 ? json(response, {}, 429, { 'retry-after': '1' }) : json(response, { ok: true });
  await expect(ctxOf().http.json({ path: '/' })).resolves.toEqual({ ok: true });
  expect(server.seen).toHaveLength(2);
});

test('JSON is read with care', async () => {
  const read = (text: string, headers = {}) => {
    answer = (_, response) => response.writeHead(200, headers).end(text);
    return ctxOf().http.json({ path: '/' });
  };
  await expect(read('')).resolves.toBeNull();
  await expect(read('\ufeff{"a":1}')).resolves.toEqual({ a: 1 });
  await expect(read('"text"')).resolves.toBe('text');
  const polluted = await read('{"__proto__":{"isAdmin":true},"a":[{"\\u005f_proto__":1,"b":2}],"constructor":{"c":3}}');
  expect(JSON.stringify(polluted)).toBe('{"a":[{"b":2}],"constructor":{"c":3}}');
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  const bad = ['{"a":', '{"a":1', 'undefined', '{"a":1}}', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, '[1,]'];
  for (const text of bad) expect((await refusalOf(read(text))).code).toBe('upstream');
  await expect(read(`{"a":"${'['.repeat(500)}\\"{{{"}`)).resolves.toBeTruthy();
  const html = await refusalOf(read('<!doctype html><p>Sign in', { 'content-type': 'text/html' }));
  expect(html).toMatchObject({ code: 'upstream', message: 'Demo answered with a page for people instead of data.' });
  expect(html.message).not.toContain('<');
});

test('the words of a service are taken without HTML, line breaks and length', async () => {
  const said = async (body: unknown) => {
    answer = (_, response) => json(response, body, 400);
    return (await refusalOf(ctxOf().http.json({ path: '/' }))).message;
  };
  expect(await said({ error: { message: 'No model.' } })).toBe(
    'Demo refused the request (status 400). It says: "No model."',
  );
  expect(await said({ error: 'invalid_grant', error_description: 'Expired.' })).toContain('It says: "Expired."');
  expect(await said({ errors: [{ message: 'First.' }, { message: 'Second.' }] })).toContain('"First."');
  expect(await said({ message: '<b>Bad</b>' })).toBe('Demo refused the request (status 400).');
  expect(await said({ message: 'x'.repeat(5_000) })).toContain(`"${'x'.repeat(200)}…"`);
  expect(await said([1, 2])).toBe('Demo refused the request (status 400).');
  expect(await said({ message: 'a\u0000b\r\nc' })).toContain('"a b c"');
});

test('an answer carries lower-case headers and no cookies', async () => {
  answer = (_, response) => {
    response.setHeader('X-Total', '3');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    json(response, {});
  };
  const { headers } = await ctxOf().http.request({ path: '/' });
  expect(headers['x-total']).toBe('3');
  expect(headers['set-cookie']).toBeUndefined();
  await ctxOf().http.request({ path: '/' });
  expect(server.seen[1]?.headers.cookie).toBeUndefined();
});

test('a host that is not there is unreachable', async () => {
  const resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  const other = createEgressGate({ allowPrivateHosts: true, resolve });
  const connection = connectionWith({ config: { base_url: 'https://nowhere.test' } });
  const { http } = createCtx(other, connection, { signal: AbortSignal.timeout(5_000) });
  const error = await refusalOf(http.json({ path: '/' }));
  expect(error).toMatchObject({ code: 'unreachable', message: 'There is no host of the name "nowhere.test".' });
  const closed = await refusalOf(ctxOf({ config: { base_url: 'http://127.0.0.1:1' } }).http.json({ path: '/' }));
  expect(closed).toMatchObject({ code: 'unreachable', message: '"127.0.0.1" refused the connection.' });
  // Speaks no TLS.
  const plain = await refusalOf(
    ctxOf({ config: { base_url: server.origin.replace('http:', 'https:') } }).http.json({ path: '/' }),
  );
  expect(plain.code).toBe('unreachable');
  await other.close();
});
