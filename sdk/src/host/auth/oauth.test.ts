import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OAuth2 } from '../../connector.ts';
import type { ConnectorError } from '../../errors.ts';
import type { HostConnection } from '../connection.ts';
import { createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { connectionWith, connectorWith } from '../testing/host-connection.ts';
import { json, type LocalServer, startServer } from '../testing/local-server.ts';
import { consentAddress, installationAddress } from './consent.ts';
import { exchangeOAuth, OAuthRefusal, refreshOAuth, revokeOAuth } from './oauth.ts';

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

test('a word that the service uses otherwise than the standard refuses the token, not the client', async () => {
  answer = (_, response) =>
    json(response, { error: 'unauthorized_client', error_description: 'token was already used' }, 400);
  await expect(refresh({ tokenErrors: ['unauthorized_client'] })).rejects.toMatchObject({ code: 'auth' });
  answer = (_, response) => json(response, { error: 'invalid_client' }, 401);
  await expect(refresh({ tokenErrors: ['unauthorized_client'] })).rejects.toMatchObject({ code: 'config' });
});

describe('consent', () => {
  const consent = {
    clientId: 'id',
    redirectUri: 'https://b.example/oauth/callback/x?',
    state: 'st&te',
    verifier: 'v'.repeat(43),
  };
  const config = { base_url: 'https://git.example:8443/sub' };

  test('asks by the challenge of the proof key alone, at the address of the form', () => {
    const url = consentAddress({ connector: connectorOf({ scopes: ['a', 'b:c'] }), config, ...consent });
    expect(url.origin + url.pathname).toBe('https://git.example:8443/sub/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'id',
      redirect_uri: consent.redirectUri,
      scope: 'a b:c',
      state: 'st&te',
      // SHA-256 of 43 times "v", by `printf | openssl dgst -sha256 -binary | basenc --base64url`
      code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain(consent.verifier);
  });

  test('leaves out what the service does not know, and goes where the operator says', () => {
    const connector = connectorOf({ pkce: false, scopes: [] });
    const url = consentAddress({ connector, config, baseUrlOverride: new URL('http://127.0.0.1:9'), ...consent });
    expect([...url.searchParams.keys()]).toEqual(['response_type', 'client_id', 'redirect_uri', 'state']);
    expect(url.origin).toBe('http://127.0.0.1:9');
  });

  test('never goes to what is no web address', () => {
    for (const base_url of ['javascript:alert(1)', 'data:text/html,x', 'https://u:p@git.example', ''])
      expect(() => consentAddress({ connector: connectorOf(), config: { base_url }, ...consent })).toThrow();
  });

  test('an installation is named by the application, in one segment of the path', () => {
    const installation = { url: '{{base_url}}/apps/{app}/new', field: 'base_url' };
    const url = installationAddress(
      { connector: connectorOf({ installation }), config },
      { app: 'a/../b', state: 's' },
    );
    expect(url.href).toBe('https://git.example:8443/sub/apps/a%2F..%2Fb/new?state=s');
  });
});

const exchange = (auth: Partial<OAuth2> = {}, more = {}) =>
  exchangeOAuth(gate, {
    connector: connectorOf(auth),
    config: { base_url: server.origin },
    code: 'the-code',
    redirectUri: 'https://b.example/cb',
    clientId: 'id',
    clientSecret: 'secret',
    ...more,
  });

test('trades a code for tokens, with the proof key where there is one', async () => {
  answer = (_, response) => json(response, { access_token: 'new', refresh_token: 'first', expires_in: '60' });
  await expect(exchange({ refresh: 'reuse' }, { verifier: 'the-verifier' })).resolves.toMatchObject({
    accessToken: 'new',
    refreshToken: 'first',
    expiresAt: expect.any(Date),
  });
  await exchange({ tokenAuth: 'basic' });
  expect(server.seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    {
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: 'https://b.example/cb',
      code_verifier: 'the-verifier',
      client_id: 'id',
      client_secret: 'secret',
    },
    { grant_type: 'authorization_code', code: 'the-code', redirect_uri: 'https://b.example/cb' },
  ]);
});

test.each<[number, unknown, string, string | null]>([
  [
    200,
    { error: 'bad_verification_code', error_description: 'the-code is old', error_uri: 'https://d.example/x' },
    'auth',
    'bad_verification_code',
  ],
  [400, { error: 'invalid_grant', error_description: 7, error_uri: 'javascript:alert(1)' }, 'auth', 'invalid_grant'],
  [401, { error: 'invalid_client' }, 'config', 'invalid_client'],
  [200, {}, 'upstream', null],
  [200, [], 'upstream', null],
  [200, '<html>', 'upstream', null],
  [500, {}, 'upstream', null],
])('a code that is answered with %i %j is %s', async (status, body, code, said) => {
  answer = (_, response) => json(response, body, status);
  const error = await exchange({}, { verifier: 'the-verifier' }).catch((reason: ConnectorError) => reason);
  expect(error).toMatchObject({ code });
  const { cause } = Object(error);
  if (said === null) expect(cause).not.toBeInstanceOf(OAuthRefusal);
  else expect(cause).toMatchObject({ error: said, uri: status === 200 ? 'https://d.example/x' : null });
  expect(`${Object(error).message} ${cause?.description}`).not.toMatch(/the-code|the-verifier/);
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
