import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectorError } from '../../errors.ts';
import { refreshOAuth } from '../auth/oauth.ts';
import type { HostConnection } from '../connection.ts';
import { createCtx } from '../ctx.ts';
import { connectionWith, connectorWith } from '../testing/host-connection.ts';
import { json, type LocalServer, startServer } from '../testing/local-server.ts';
import { createEgressGate, type EgressOptions } from './egress-gate.ts';

let inside: LocalServer;
beforeAll(async () => {
  inside = await startServer((_, response) => json(response, { secret: 'of the house' }));
});
afterAll(() => inside.close());

/** What comes of asking the service that a form names. */
async function ask(connection: HostConnection, options: Partial<EgressOptions> = {}): Promise<unknown> {
  const gate = createEgressGate({ allowPrivateHosts: false, ...options });
  try {
    const ctx = createCtx(gate, connection, { signal: AbortSignal.timeout(5_000) });
    return await ctx.http.json({ path: '/user' });
  } finally {
    await gate.close();
  }
}

async function refusal(connection: HostConnection, options: Partial<EgressOptions> = {}): Promise<ConnectorError> {
  return ask(connection, options).then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    (error: ConnectorError) => error,
  );
}

const at = (base_url: string): HostConnection => connectionWith({ config: { base_url } });

/** Every way to write an address of this machine, of a private network or of a metadata service. */
const SPELLINGS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '127.0.0.0x1',
  '127.255.255.254',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LOCALHOST',
  'user:password@127.0.0.1',
  'user@localhost',
];

test.each(SPELLINGS)('a form that names %s reaches nothing', async (host) => {
  const before = inside.connections();
  for (const scheme of ['https', 'http']) {
    const error = await refusal(at(`${scheme}://${host}:${inside.port}`));
    expect(error.code).toBe('config');
  }
  expect(inside.connections()).toBe(before);
});

test.each([
  'http://[fe80::1%25lo]:PORT',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT',
  'gopher://127.0.0.1:PORT',
  'javascript:alert(1)',
  'data:application/json,{}',
  'https://127.0.0.1:PORT#@example.com',
  'https://127.0.0.1:PORT?x=example.com',
  '//127.0.0.1:PORT',
  '127.0.0.1:PORT',
  'https://',
  'https://https://127.0.0.1:PORT',
])('%s is no address of a service', async (address) => {
  const before = inside.connections();
  const error = await refusal(at(address.replace('PORT', String(inside.port))));
  expect(error.code).toBe('config');
  expect(inside.connections()).toBe(before);
});

test.each([
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  '[::ffff:7f00:1]',
  'localhost',
  '169.254.169.254',
  '10.0.0.1',
  '2130706433',
])('every other host setting that names %s reaches nothing either', async (host) => {
  const before = inside.connections();
  const connector = connectorWith({
    baseUrl: 'https://api.example.com',
    services: { login: 'https://{{base_url}}/login', plain: '{{api_scheme}}://{{base_url}}' },
    auth: { type: 'oauth2', authorizeUrl: 'https://{{base_url}}/a', tokenUrl: 'https://{{base_url}}/t', scopes: [] },
    permissions: { egress: ['api.example.com', '{{base_url}}'] },
    credentials: {
      type: 'object',
      properties: { base_url: { type: 'string' }, api_scheme: { type: 'string', default: 'http' } },
    },
  });
  const config = { base_url: `${host}:${inside.port}` };
  const gate = createEgressGate({ allowPrivateHosts: false });
  const { http } = createCtx(gate, connectionWith({ connector, config }), { signal: AbortSignal.timeout(5_000) });
  const refused = { code: 'config' };
  await expect(http.json({ service: 'login', path: '/' })).rejects.toMatchObject(refused);
  await expect(http.request({ service: 'plain', path: '/' })).rejects.toMatchObject(refused);
  await expect(refreshOAuth(gate, { connector, config, refreshToken: 'x' })).rejects.toMatchObject(refused);
  expect(inside.connections()).toBe(before);
  await gate.close();
});

test('a name for this machine that not every system knows reaches nothing', async () => {
  const before = inside.connections();
  for (const host of [
    'localhost.',
    'any.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'kubernetes.default.svc',
  ]) {
    await refusal(at(`https://${host}:${inside.port}`));
  }
  expect(inside.connections()).toBe(before);
});

test('the operator may allow private hosts, but never the metadata services', async () => {
  const before = inside.connections();
  await expect(ask(at(inside.origin), { allowPrivateHosts: true })).resolves.toEqual({ secret: 'of the house' });
  expect(inside.connections()).toBe(before + 1);
  const error = await refusal(at('http://169.254.169.254'), { allowPrivateHosts: true });
  expect(error.code).toBe('config');
});

test('a host that the operator names is trusted, its neighbours are not', async () => {
  const trusted = [inside.host];
  await expect(ask(at(inside.origin), { trusted })).resolves.toEqual({ secret: 'of the house' });
  expect((await refusal(at(`http://127.0.0.1:${inside.port + 1}`), { trusted })).code).toBe('config');
  const elsewhere = connectionWith({ config: {}, baseUrlOverride: new URL(inside.origin) });
  await expect(ask(elsewhere)).resolves.toEqual({ secret: 'of the house' });
});

test('a vault that does not open is not caused by the service, nor of the code', async () => {
  const connection = { ...at(inside.origin), secret: () => Promise.reject(new Error('no key 10.0.0.1')) };
  const error = await refusal(connection, { allowPrivateHosts: true });
  expect(error).toMatchObject({ code: 'unreachable', message: 'The stored secrets could not be read just now.' });
});

test('a refusal names the host and what the operator can do, never the address inside', async () => {
  const error = await refusal(at(`https://intranet.test:${inside.port}`), { resolve: async () => ['10.11.12.13'] });
  expect(error).toMatchObject({
    code: 'config',
    message: `"intranet.test:${inside.port}" is in a private network, which is not called.`,
  });
  expect(error.help).toContain('BREAKWATER_ALLOW_PRIVATE_HOSTS');
  expect(error.help).toContain('DEMO_SERVICE_BASE_URL');
  expect(JSON.stringify(error) + error.stack).not.toContain('10.11.12.13');
});

test('a name with one private address among public ones is refused', async () => {
  const before = inside.connections();
  const resolve = async () => ['93.184.216.34', '127.0.0.1'];
  expect((await refusal(at(`https://mixed.test:${inside.port}`), { resolve })).code).toBe('config');
  expect(inside.connections()).toBe(before);
});

test('a name that changes its address after it was judged reaches nothing inside', async () => {
  const before = inside.connections();
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    // Of public kind, and nobody's.
    return asked.length === 1 ? ['2fff::1'] : ['127.0.0.1'];
  };
  const error = await refusal(at(`https://rebind.test:${inside.port}`), { resolve });
  expect(['unreachable', 'config']).toContain(error.code);
  expect(inside.connections()).toBe(before);
});

test('a connection that was opened for a trusted host serves nobody who may not go there', async () => {
  const gate = createEgressGate({ allowPrivateHosts: false, resolve: async () => ['127.0.0.1'] });
  const base = `http://shared.test:${inside.port}`;
  const signal = AbortSignal.timeout(5_000);
  const trusted = createCtx(gate, connectionWith({ baseUrlOverride: new URL(base) }), { signal });
  await expect(trusted.http.json({ path: '/user' })).resolves.toEqual({ secret: 'of the house' });
  const before = inside.seen.length;
  for (const address of [base, base.replace('http:', 'https:')]) {
    const other = createCtx(gate, connectionWith({ config: { base_url: address } }), { signal });
    await expect(other.http.json({ path: '/user' })).rejects.toMatchObject({ code: 'config' });
  }
  expect(inside.seen.length).toBe(before);
  await gate.close();
});

test('a host outside permissions.egress is refused, whatever its address', async () => {
  const connector = connectorWith({ permissions: { egress: ['api.example.com', '*.example.org', 'named.test:8443'] } });
  const resolve = () => Promise.reject(Object.assign(new Error('nowhere'), { code: 'ENOTFOUND' }));
  const options = { allowPrivateHosts: true, resolve };
  const code = async (base_url: string) =>
    (await refusal(connectionWith({ connector, config: { base_url } }), options)).code;
  expect(await code(`http://other.test:${inside.port}`)).toBe('config');
  expect(await code('https://example.org')).toBe('config');
  expect(await code('https://evil-example.org')).toBe('config');
  expect(await code('https://api.example.com.evil.test')).toBe('config');
  expect(await code('https://named.test')).toBe('config');
  // Allowed, and there is no such host.
  expect(await code('http://deep.down.example.org')).toBe('unreachable');
  expect(await code('http://named.test:8443')).toBe('unreachable');
});

test('plain http is refused where nobody vouches for the host', async () => {
  const error = await refusal(at('http://api.example.com'), { resolve: async () => ['93.184.216.34'] });
  expect(error).toMatchObject({ code: 'config', message: '"api.example.com" must be called by https.' });
});
