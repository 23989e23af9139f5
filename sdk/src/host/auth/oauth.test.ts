import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OAuth2 } from '../../connector.ts';
import type { ConnectorError } from '../../errors.ts';
import type { HostConnection } from '../connection.ts';
import { createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { connectionWith, connectorWith } from '../testing/host-connection.ts';
import { json, type LocalServer, startServer } from '../testing/local-server.ts';
import { refreshOAuth, revokeOAuth } from './oauth.ts';

type Answer = Parameters<typeof startServer>[0];

let gate: EgressGate;
let server: LocalServer;
let answer: Answer;
beforeEach(async () => {
  server = await startServer((request, response) => answer(request, response));
  gate = createEgressGate({ allowPrivateHosts: true });
});
afterEach(async () => {
  await gate.close();
  await server.close();
});

const connectorOf = (auth: Partial<OAuth2> = {}) =>
  connectorWith({
    credentials: {
      type: 'object',
      properties: {
        base_url: { type: 'string' },
        oauth_token: { type: 'string', writeOnly: true },
        refresh_token: { type: 'string', writeOnly: true },
      },
    },
    auth: {
      type: 'oauth2',
      authorizeUrl: '{{base_url}}/authorize',
      tokenUrl: '{{base_url}}/token',
      revokeUrl: '{{base_url}}/revoke',
      scopes: ['read'],
      ...auth,
    },
  });
const refresh = (auth: Partial<OAuth2> = {}, client = {}) =>
  refreshOAuth(gate, {
    connector: connectorOf(auth),
    config: { base_url: server.origin },
    refreshToken: 'old-refresh+/',
    ...client,
  });

test('renews by form, with the client in the body or by basic authorization', async () => {
  answer = (_, response) => json(response, { access_token: 'new', refresh_token: 'newer', expires_in: 3600 });
  const client = { clientId: 'id:1', clientSecret: 's cret' };
  const before = Date.now();
  const tokens = await refresh({}, client);
  expect(tokens).toMatchObject({ accessToken: 'new', refreshToken: 'newer' });
  expect(tokens.expiresAt?.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
  await refresh({ tokenAuth: 'basic' }, client);
  await refresh();
  const [body, basic, none] = server.seen;
  expect(body).toMatchObject({ method: 'POST', address: '/token' });
  expect(Object.fromEntries(new URLSearchParams(body?.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'old-refresh+/',
    client_id: 'id:1',
    client_secret: 's cret',
  });
  expect(basic?.headers.authorization).toBe(`Basic ${Buffer.from('id%3A1:s+cret').toString('base64')}`);
  expect(basic?.body).toBe('grant_type=refresh_token&refresh_token=old-refresh%2B%2F');
  expect(none?.headers.authorization).toBeUndefined();
});

test('keeps the refresh token where the service keeps it', async () => {
  answer = (_, response) => json(response, { access_token: 'new', refresh_token: 'newer' });
  await expect(refresh({ refresh: 'reuse' })).resolves.toEqual({ accessToken: 'new' });
  answer = (_, response) => json(response, { access_token: 'new', refresh_token: null, expires_in: null });
  await expect(refresh()).resolves.toEqual({ accessToken: 'new' });
  await expect(refresh({ refresh: 'none' })).rejects.toMatchObject({ code: 'auth' });
  expect(server.seen).toHaveLength(2);
});

test.each([
  [400, { error: 'invalid_grant', error_description: 'Token old-refresh+/ was revoked.' }, 'auth'],
  [200, { error: 'bad_refresh_token', error_description: 'x' }, 'auth'],
  [401, { error: 'invalid_client' }, 'config'],
  [400, { error: 'unauthorized_client' }, 'config'],
  [401, {}, 'auth'],
  [400, '<html>', 'auth'],
  [404, '<html>', 'config'],
  [500, {}, 'upstream'],
  [503, { error: 'temporarily_unavailable' }, 'upstream'],
  [429, {}, 'rate_limited'],
  [200, { token: 'x' }, 'upstream'],
  [200, null, 'upstream'],
  [200, { access_token: '' }, 'upstream'],
])('status %i with %j is %s, and never tells the token', async (status, body, code) => {
  answer = (_, response) => json(response, body, status);
  const error = await refresh().catch((reason: ConnectorError) => reason);
  expect(error).toMatchObject({ code });
  expect(String(Reflect.get(Object(error), 'message'))).not.toContain('old-refresh');
  expect(server.seen).toHaveLength(1);
});

test('the token goes to no other host', async () => {
  const other = await startServer((_, response) => json(response, { access_token: 'x' }));
  answer = (_, response) => response.writeHead(307, { location: `${other.origin}/token` }).end();
  await expect(refresh()).rejects.toMatchObject({ code: 'upstream' });
  const elsewhere = connectorOf({ tokenUrl: `${other.origin.replace('127.0.0.1', 'other.test')}/token` });
  const order = { connector: elsewhere, config: { base_url: server.origin }, refreshToken: 'old-refresh' };
  await expect(refreshOAuth(gate, order)).rejects.toMatchObject({ code: 'config' });
  expect(other.connections()).toBe(0);
  await other.close();
});

test('revokes by basic authorization where the service wants it, and renews as before', async () => {
  answer = (_, response) => json(response, { access_token: 'new' });
  const client = { clientId: 'id', clientSecret: 'secret' };
  const connector = connectorOf({ revokeAuth: 'basic' });
  await revokeOAuth(gate, { connector, config: { base_url: server.origin }, token: 'old', ...client });
  await refresh({ revokeAuth: 'basic' }, client);
  const [revoked, renewed] = server.seen;
  expect(revoked?.headers.authorization).toBe(`Basic ${Buffer.from('id:secret').toString('base64')}`);
  expect(revoked?.body).toBe('token=old');
  expect(renewed?.headers.authorization).toBeUndefined();
  expect(renewed?.body).toContain('client_secret=secret');
});

test('revokes where the service has an address for it', async () => {
  answer = (_, response) => response.writeHead(200).end();
  const order = { config: { base_url: server.origin }, token: 'old' };
  await revokeOAuth(gate, { connector: connectorOf(), ...order });
  const { revokeUrl: _, ...auth } = { ...connectorOf().auth, type: 'oauth2' } as OAuth2;
  await revokeOAuth(gate, { connector: connectorWith({ auth }), ...order });
  expect(server.seen.map(({ address, body }) => [address, body])).toEqual([['/revoke', 'token=old']]);
  answer = (_, response) => json(response, {}, 500);
  await expect(revokeOAuth(gate, { connector: connectorOf(), ...order })).rejects.toMatchObject({ code: 'upstream' });
});

/** A connection whose service takes only the newest token. */
function renewable(renew: (tokens: Record<string, string>) => Promise<void>): {
  connection: HostConnection;
  renewals: () => number;
} {
  const tokens: Record<string, string> = { oauth_token: 'token-1', refresh_token: 'refresh-1' };
  let renewals = 0;
  const connection = {
    ...connectionWith({ connector: connectorOf(), config: { base_url: server.origin }, secrets: tokens }),
    refreshToken: () => {
      renewals += 1;
      return renew(tokens);
    },
  };
  return { connection, renewals: () => renewals };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 30));

test('twenty parallel 401s cause one renewal, and every request is then answered', async () => {
  answer = async ({ headers, address }, response) => {
    const isNew = headers.authorization === 'Bearer token-2';
    // Some are refused long after the others have renewed the token.
    if (!isNew && address.endsWith('7')) await pause().then(pause).then(pause);
    json(response, { address }, isNew ? 200 : 401);
  };
  const { connection, renewals } = renewable(async (tokens) => {
    await pause();
    tokens['oauth_token'] = 'token-2';
  });
  const signal = AbortSignal.timeout(20_000);
  // Two steps of one connection at once.
  const ctxs = [createCtx(gate, connection, { signal }), createCtx(gate, connection, { signal })];
  const work = Array.from({ length: 20 }, (_, index) =>
    ctxs[index % 2]?.http.json({ method: 'POST', path: `/${index}` }),
  );
  await expect(Promise.all(work)).resolves.toHaveLength(20);
  expect(renewals()).toBe(1);
  expect(server.seen).toHaveLength(40);
});

test('a second 401 is the credentials’ error, after one renewal', async () => {
  answer = (_, response) => json(response, { message: 'Bad token token-1' }, 401);
  const { connection, renewals } = renewable(async () => undefined);
  const { http } = createCtx(gate, connection, { signal: AbortSignal.timeout(20_000) });
  await expect(http.json({ path: '/' })).rejects.toMatchObject({ code: 'auth' });
  expect([renewals(), server.seen.length]).toEqual([1, 2]);
});

test('a renewal that fails says why, and is tried again by the next request', async () => {
  answer = ({ headers }, response) => json(response, {}, headers.authorization === 'Bearer token-2' ? 200 : 401);
  let isBroken = true;
  const { connection, renewals } = renewable(async (tokens) => {
    if (isBroken) throw new Error('database closed');
    tokens['oauth_token'] = 'token-2';
  });
  const { http } = createCtx(gate, connection, { signal: AbortSignal.timeout(20_000) });
  await expect(http.json({ path: '/' })).rejects.toMatchObject({
    code: 'unreachable',
    message: 'The access token could not be renewed just now.',
  });
  isBroken = false;
  await expect(http.json({ path: '/' })).resolves.toEqual({});
  expect(renewals()).toBe(2);
});

test('only a signed request of OAuth 2.0 renews', async () => {
  answer = (_, response) => json(response, {}, 401);
  const { connection, renewals } = renewable(async () => undefined);
  const signal = AbortSignal.timeout(20_000);
  const bearer = { ...connection, connector: connectorWith(), secret: async () => 'x-token' };
  await expect(createCtx(gate, bearer, { signal }).http.json({ path: '/' })).rejects.toMatchObject({ code: 'auth' });
  const connector = { ...connection.connector, services: { other: '{{base_url}}/other' } };
  const unsigned = createCtx(gate, { ...connection, connector }, { signal });
  await expect(unsigned.http.json({ service: 'other', path: '/' })).rejects.toMatchObject({ code: 'auth' });
  expect(renewals()).toBe(0);
});
