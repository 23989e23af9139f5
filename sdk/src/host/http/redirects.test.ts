import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ctx } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import type { ConnectorError } from '../../errors.ts';
import { createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { connectionWith, connectorWith, TOKEN } from '../testing/host-connection.ts';
import { json, type LocalServer, startServer } from '../testing/local-server.ts';

let gate: EgressGate;
/** The service of the connector. */
let server: LocalServer;
/** Another one that the manifest allows. */
let other: LocalServer;
/** One that nobody vouches for. */
let inside: LocalServer;
let location: string;
let status: number;

beforeEach(async () => {
  status = 302;
  server = await startServer(({ address }, response) =>
    address.startsWith('/api/v1/start')
      ? response.writeHead(status, { location }).end()
      : json(response, { from: 'service' }),
  );
  other = await startServer((_, response) => json(response, { from: 'other' }));
  inside = await startServer((_, response) => json(response, { from: 'inside' }));
  gate = createEgressGate({
    allowPrivateHosts: false,
    trusted: [`service.test:${server.port}`, `other.test:${other.port}`, `unlisted.test:${other.port}`],
    resolve: async () => ['127.0.0.1'],
  });
});
afterEach(async () => {
  await gate.close();
  for (const one of [server, other, inside]) await one.close();
});

function ctxOf(auth = {}): Ctx<CredentialSchema> {
  const permissions = { egress: ['{{base_url}}', `other.test:${other.port}`, '127.0.0.1'], reveal: ['api_token'] };
  const connector = connectorWith({ permissions, ...auth });
  const connection = connectionWith({ connector, config: { base_url: `http://service.test:${server.port}` } });
  return createCtx(gate, connection, { signal: AbortSignal.timeout(10_000) });
}

const refusalOf = (work: Promise<unknown>): Promise<ConnectorError> =>
  work.then(
    (value) => expect.fail(`came to ${JSON.stringify(value)}`),
    (error: ConnectorError) => error,
  );

test('a redirect within the service is followed with its signature', async () => {
  location = '/api/v1/end?x=1';
  await expect(ctxOf().http.json({ path: '/start', query: { y: '2' } })).resolves.toEqual({ from: 'service' });
  expect(server.seen[1]).toMatchObject({ address: '/api/v1/end?x=1', headers: { authorization: `Bearer ${TOKEN}` } });
});

test('another host gets neither the signature nor a header of the code', async () => {
  location = `http://other.test:${other.port}/end`;
  const { http } = ctxOf({ auth: { type: 'header', name: 'X-Api-Key', value: '{{api_token}}' } });
  await expect(http.json({ path: '/start', headers: { 'private-token': TOKEN } })).resolves.toEqual({ from: 'other' });
  expect(JSON.stringify(other.seen)).not.toContain(TOKEN);
  expect(other.seen[0]?.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'Breakwater' });
});

test('the signature does not come back from a detour', async () => {
  location = `http://other.test:${other.port}/end`;
  const detour = await startServer((_, response) =>
    response.writeHead(302, { location: `http://service.test:${server.port}/api/v1/end` }).end(),
  );
  location = `http://other.test:${detour.port}/`;
  const connector = connectorWith({ permissions: { egress: ['{{base_url}}', `other.test:${detour.port}`] } });
  const own = createEgressGate({ allowPrivateHosts: true, resolve: async () => ['127.0.0.1'] });
  const connection = connectionWith({ connector, config: { base_url: `http://service.test:${server.port}` } });
  const { http } = createCtx(own, connection, { signal: AbortSignal.timeout(10_000) });
  await expect(http.json({ path: '/start' })).resolves.toEqual({ from: 'service' });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, undefined]);
  await own.close();
  await detour.close();
});

test.each([
  'http://127.0.0.1:INSIDE/',
  'https://127.0.0.1:INSIDE/',
  '//127.0.0.1:INSIDE/',
  'http://2130706433:INSIDE/',
  'http://[::ffff:127.0.0.1]:INSIDE/',
  'http://[::1]:INSIDE/',
  'http://localhost:INSIDE/',
  'http://service.test:INSIDE/',
  'http://other.test:INSIDE/',
  'https://service.test:INSIDE/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://unlisted.test:OTHER/',
  'http://user:password@other.test:OTHER/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'http://[bad',
])('a redirect to %s is not followed, and is the service’s error', async (address) => {
  location = address.replace('INSIDE', String(inside.port)).replace('OTHER', String(other.port));
  const error = await refusalOf(ctxOf().http.json({ path: '/start' }));
  expect(error.code).toBe('upstream');
  expect([inside.connections(), other.seen.length]).toEqual([0, 0]);
});

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [301, 'GET', 'GET'],
  [307, 'POST', 'POST'],
  [308, 'PUT', 'PUT'],
  [302, 'PUT', 'PUT'],
] as const)('status %i makes %s a %s', async (code, method, becomes) => {
  status = code;
  location = '/api/v1/end';
  const content = method === 'GET' ? {} : { body: { a: 1 } };
  await ctxOf().http.json({ method, path: '/start', ...content });
  const keeps = becomes !== 'GET';
  expect(server.seen[1]).toMatchObject({ method: becomes, body: keeps ? '{"a":1}' : '' });
  expect(server.seen[1]?.headers['content-type']).toBe(keeps ? 'application/json' : undefined);
});

test('content does not go to another host', async () => {
  status = 307;
  location = `http://other.test:${other.port}/end`;
  const error = await refusalOf(ctxOf().http.json({ method: 'POST', path: '/start', form: { client_secret: TOKEN } }));
  expect(error.code).toBe('upstream');
  expect(other.connections()).toBe(0);
});

test('redirects end', async () => {
  location = '/api/v1/start';
  expect(await refusalOf(ctxOf().http.json({ path: '/start' }))).toMatchObject({
    code: 'upstream',
    message: 'Demo sent the request on more than 5 times.',
  });
  expect(server.seen).toHaveLength(6);
});

test('a redirect that leads nowhere is reported by its status', async () => {
  const bare = await startServer((_, response) => response.writeHead(302).end());
  const own = createEgressGate({ allowPrivateHosts: true });
  const connection = connectionWith({ config: { base_url: bare.origin } });
  const { http } = createCtx(own, connection, { signal: AbortSignal.timeout(10_000) });
  expect(await refusalOf(http.json({ path: '/' }))).toMatchObject({ code: 'upstream' });
  await expect(http.request({ path: '/', accept: [302] })).resolves.toMatchObject({ status: 302 });
  await own.close();
  await bare.close();
});
