import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUser, type TestUser } from '../../../../../tools/testing/users.ts';
import {
  CLIENT_ID,
  type ForgedToken,
  type ForgingServer,
  startForgingServer,
} from '../../../testing/identity-providers.ts';

let google: ForgingServer;
let server: TestServer;
let person: TestUser;

beforeAll(async () => {
  google = await startForgingServer();
  google.metadata = { userinfo_endpoint: `${google.issuer}/userinfo` };
  server = await startTestServer({
    environment: {
      GOOGLE_SIGN_IN_CLIENT_ID: CLIENT_ID,
      GOOGLE_BASE_URL: google.issuer,
      BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
    },
  });
});
afterAll(async () => {
  await server.close();
  await google.close();
});
beforeEach(async () => {
  await server.scene.owner.query('truncate rate_limits, google_identities, google_sign_ins');
  person = await createUser(server.scene.database, server.users.clientId, 'developer');
});

interface Begun {
  nonce: string;
  cookie: string;
}

const begin = async (): Promise<Begun> => {
  const { body, headers } = await server.call('POST', '/login/google/begin');
  expect(body.data).toMatchObject({ client_id: CLIENT_ID, script_url: `${google.issuer}/gsi/client` });
  return { nonce: body.data.nonce, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};

/** An ID token by the provider's own key, with what a test puts in. */
const mint = async (nonce: string, { claims, ...rest }: ForgedToken = {}): Promise<string> => {
  google.nonce = nonce;
  const right = { sub: 'g-1', email: person.email, email_verified: true, hd: 'example.test', name: 'Ann Admin' };
  google.next = { ...rest, claims: { ...right, azp: CLIENT_ID, ...claims } };
  const answer: unknown = await (await fetch(`${google.issuer}/token`, { method: 'POST' })).json();
  return (answer as { id_token: string }).id_token;
};

const send = (credential: string, cookie: string, clientId = CLIENT_ID) =>
  server.call('POST', '/login/google', { body: { clientId, credential }, headers: cookie === '' ? {} : { cookie } });

const sessionOf = ({ headers }: { headers: Headers }): string | undefined =>
  /accessToken=([^;]+)/.exec(headers.getSetCookie().join('\n'))?.[1];

const signIn = async (forged: ForgedToken = {}) => {
  const { nonce, cookie } = await begin();
  const answer = await send(await mint(nonce, forged), cookie);
  return { answer, token: sessionOf(answer) ?? '' };
};

const session = async (token: string) => (await server.call('GET', '/session', { as: { token } })).body.data;

describe('signing in', () => {
  test('finds the account by an e-mail that Google answers for, later by its subject alone, and says so in the session', async () => {
    const { answer, token } = await signIn();
    expect(answer.body).toMatchObject({ success: true, data: { user: { _id: person.id, email: person.email } } });
    expect(await session(token)).toMatchObject({
      google_auth: 1,
      google_profile: { email: person.email, name: 'Ann Admin' },
    });
    // without the scheme, as Google also writes it, and with another address
    const iss = google.issuer.replace('http://', '');
    const again = await signIn({ claims: { iss, email: 'new@gmail.com', email_verified: false, hd: undefined } });
    expect((await session(again.token)).user._id).toBe(person.id);
    expect(await session(person.token)).toMatchObject({ google_auth: 0, google_profile: { email: 'new@gmail.com' } });
    const audit = await server.call('GET', '/audit?filters[kind]=sign-in.succeeded', { as: 'admin' });
    expect(JSON.stringify(audit.body)).toContain('google');
  });

  test('asks for the second factor as a password does, and leads there who needs one', async () => {
    await server.scene.owner.query('update users set two_factor_at = now() where id = $1', [person.id]);
    const { answer } = await signIn();
    expect(answer.body).toEqual({ requires_2fa: true, ticket: expect.any(String) });
    expect(sessionOf(answer)).toBeUndefined();
    const { rows } = await server.scene.owner.query('select method from sign_in_tickets where user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([{ method: 'google' }]);
    await server.scene.owner.query('update users set two_factor_at = null where id = $1', [person.id]);
    await server.call('PUT', '/client', { as: 'admin', body: { require_2fa: true } });
    const required = await signIn();
    expect(required.answer.body.data).toMatchObject({ needs_2fa: true });
    expect((await server.call('GET', '/findings', { as: { token: required.token } })).body.code).toBe(
      'two_factor_required',
    );
    await server.scene.owner.query('update clients set require_2fa = false');
  });

  test('an organisation that enforces single sign-on is not entered by Google', async () => {
    await server.scene.owner.query(
      'insert into single_sign_on (client_id, is_enabled, is_enforced, tested_at) values ($1, true, true, now())',
      [server.users.clientId],
    );
    expect((await signIn()).answer.body.code).toBe('single_sign_on_required');
    await server.scene.owner.query('delete from single_sign_on');
  });
});

const HOUR = 3600;
const now = (): number => Math.floor(Date.now() / 1000);
const OTHER_APPLICATION = /made for another application/;
const NOT_OURS = /not one that Google made for this sign-in/;
const NOT_BEGUN = /not begun in this browser/;
const NO_ANSWER = /Google does not answer for/;

test.each<[string, () => ForgedToken, RegExp]>([
  ['for another application', () => ({ claims: { aud: 'other' } }), NOT_OURS],
  ['for several applications', () => ({ claims: { aud: [CLIENT_ID, 'other'] } }), OTHER_APPLICATION],
  ['asked for by another application', () => ({ claims: { azp: 'other' } }), OTHER_APPLICATION],
  ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } }), NOT_OURS],
  ['that has expired', () => ({ claims: { iat: now() - 2 * HOUR, exp: now() - HOUR } }), /took too long/],
  ['without an end', () => ({ claims: { exp: undefined } }), NOT_OURS],
  ['that is older than an hour', () => ({ claims: { iat: now() - 2 * HOUR, exp: now() + HOUR } }), /took too long/],
  ['of the future', () => ({ claims: { iat: now() + HOUR, exp: now() + 2 * HOUR } }), NOT_OURS],
  ['with the nonce of another sign-in', () => ({ claims: { nonce: 'x'.repeat(43) } }), NOT_BEGUN],
  ['without a nonce', () => ({ claims: { nonce: undefined } }), NOT_OURS],
  ['without a subject', () => ({ claims: { sub: undefined } }), NOT_OURS],
  ['that is unsigned', () => ({ signature: 'none' }), NOT_OURS],
  ['by an unknown key', () => ({ signature: 'unknown' }), NOT_OURS],
  ['with an e-mail that is not verified', () => ({ claims: { email_verified: false } }), NO_ANSWER],
  ['with an e-mail that is neither of Gmail nor of a Workspace', () => ({ claims: { hd: undefined } }), NO_ANSWER],
  ['with the e-mail of another Workspace', () => ({ claims: { hd: 'evil.example' } }), NO_ANSWER],
  [
    'of a person who has no account',
    () => ({ claims: { email: 'nobody@example.test' } }),
    /No account belongs to nobody/,
  ],
])('an ID token %s opens nothing', async (_name, forge, detail) => {
  const { answer } = await signIn(forge());
  expect(answer.body).toMatchObject({ code: 'single_sign_on_refused', detail: expect.stringMatching(detail) });
  expect([answer.status, sessionOf(answer)]).toEqual([403, undefined]);
});

test('nor does one of another browser, a second time, of another kind, or none at all', async () => {
  const { nonce, cookie } = await begin();
  const credential = await mint(nonce);
  const stranger = await begin();
  for (const other of ['', 'signIn=short', stranger.cookie]) {
    expect((await send(credential, other)).body.detail).toMatch(NOT_BEGUN);
  }
  expect((await send(credential, cookie, 'other')).body.detail).toMatch(OTHER_APPLICATION);
  // of many at once one succeeds
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(credential, cookie)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const claims = { iss: google.issuer, aud: CLIENT_ID, sub: 'g-1', nonce: (await begin()).nonce, exp: now() + 60 };
  const symmetric = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'own' })
    .setIssuedAt()
    .sign(Buffer.from(CLIENT_ID.padEnd(32)));
  for (const garbage of [symmetric, 'no-token', 'a.b.c']) expect((await send(garbage, cookie)).status).toBe(403);
  expect((await send('', cookie)).body.detail[0].loc).toEqual(['body', 'credential']);
});

test('the profile is looked up with an access token of the same person alone, given or stored in the vault', async () => {
  const { token } = await signIn();
  const lookUp = (body: object, as = { token }) => server.call('POST', '/user/google-profile', { as, body });
  google.userinfo = { sub: 'g-1', email: 'ann@gmail.com', name: 'Ann B. Admin' };
  expect((await lookUp({})).body.code).toBe('integration_not_configured');
  expect((await lookUp({ access_token: 'x' })).body.data).toEqual({ email: 'ann@gmail.com', name: 'Ann B. Admin' });
  expect((await session(token)).google_profile).toEqual({ email: 'ann@gmail.com', name: 'Ann B. Admin' });
  expect((await lookUp({ access_token: 'wrong' })).body.detail).toMatch(/does not accept the access token/);
  // that of the organisation stands in where none is given
  await server.call('PUT', '/client', { as: 'admin', body: { google_oauth_token: 'x' } });
  expect((await lookUp({})).body.data).toMatchObject({ email: 'ann@gmail.com' });
  google.userinfo = { sub: 'g-2', email: 'eve@gmail.com' };
  expect((await lookUp({ access_token: 'x' })).body.detail).toMatch(/another Google account/);
  expect((await lookUp({ access_token: 'x' }, { token: server.tokens.admin })).body.code).toBe('conflict');
});

test('who was removed keeps no Google account here, and comes back by an invitation alone', async () => {
  await signIn();
  const kept = async () =>
    (await server.scene.owner.query('select subject from google_identities where user_id = $1', [person.id])).rows;
  expect(await kept()).toEqual([{ subject: 'g-1' }]);
  expect((await server.call('DELETE', `/team/${person.id}`, { as: 'admin' })).status).toBe(200);
  expect(await kept()).toEqual([]);
  expect((await signIn()).answer.body.detail).toMatch(/No account belongs to/);
});

test('where nothing is configured, nothing is offered', async () => {
  const plain = await startTestServer();
  try {
    expect((await plain.call('GET', '/login/options')).body.data.google).toBe(false);
    expect((await plain.call('POST', '/login/google/begin')).body.code).toBe('integration_not_configured');
    const body = { clientId: CLIENT_ID, credential: 'x' };
    expect((await plain.call('POST', '/login/google', { body })).body.code).toBe('integration_not_configured');
  } finally {
    await plain.close();
  }
});
