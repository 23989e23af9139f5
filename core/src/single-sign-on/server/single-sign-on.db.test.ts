import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUser, createUsers, TEST_PASSWORD, type TestUsers } from '../../../../tools/testing/users.ts';
import { startFeedServer } from '../../testing/feed-server.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type ForgedToken,
  type ForgingServer,
  followSignIn,
  type OidcServer,
  startForgingServer,
  startOidcServer,
} from '../../testing/identity-providers.ts';
import { IDP_ENTITY, idpMetadata, makeSigningKey } from '../../testing/saml-identity-provider.ts';

const ORIGIN = 'http://bw.example.test';

let server: TestServer;
let others: TestUsers;
let oidc: OidcServer;
let forging: ForgingServer;

const redirectOf = (clientId: string): string => `${ORIGIN}/login/single-sign-on/${clientId}`;

const save = (body: unknown, as: 'admin' | { token: string } = 'admin') =>
  server.call('PUT', '/single-sign-on', { as, body });

const configure = async (body: object = {}): Promise<void> => {
  const settings = {
    protocol: 'oidc',
    oidc_issuer: oidc.issuer,
    oidc_client_id: CLIENT_ID,
    oidc_client_secret: CLIENT_SECRET,
    domains: ['example.test'],
    is_enabled: true,
    creates_accounts: true,
    trusts_emails: false,
    default_role: 'developer',
    role_rules: [],
    ...body,
  };
  const saved = await save(settings);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
};

interface Begun {
  url: URL;
  cookie: string;
}

const begin = async (email = 'ann@example.test', next?: string): Promise<Begun> => {
  const body = { email, ...(next === undefined ? {} : { next }) };
  const answer = await server.call('POST', '/login/single-sign-on', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('signIn='));
  expect(cookie).toMatch(/^signIn=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  return { url: new URL(answer.body.data.url), cookie: cookie?.split(';')[0] ?? '' };
};

const finish = (body: unknown, cookie: string | undefined, clientId = server.users.clientId) =>
  server.call('POST', `/login/single-sign-on/${clientId}/finish`, {
    body,
    headers: cookie === undefined ? {} : { cookie },
  });

const sessionOf = (answer: { headers: Headers }): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('accessToken='))
    ?.split(';')[0]
    ?.split('=')[1];

/** The whole way of a person through the real provider. */
const signIn = async (subject: string, next?: string) => {
  oidc.signsIn = subject;
  const { url, cookie } = await begin(oidc.people.get(subject)?.email, next);
  const back = await followSignIn(url.href);
  const answer = await finish(Object.fromEntries(back.searchParams), cookie);
  return { answer, token: sessionOf(answer), back, cookie };
};

const whoIs = async (token: string | undefined) =>
  (await server.call('GET', '/session', { as: { token: token ?? '' } })).body.data?.user;

const membersOf = async (clientId: string): Promise<string[]> =>
  (
    await server.scene.owner.query(
      `select email from users where client_id = $1 and status = 'active' order by email`,
      [clientId],
    )
  ).rows.map(({ email }) => email);

const expectRefused = (answer: { status: number; body: unknown; headers: Headers }, detail: RegExp): void => {
  expect(answer.body).toMatchObject({ code: 'single_sign_on_refused', detail: expect.stringMatching(detail) });
  expect(answer.status).toBe(403);
  expect(sessionOf(answer)).toBeUndefined();
};

beforeAll(async () => {
  server = await startTestServer({
    environment: { BREAKWATER_PUBLIC_URL: ORIGIN, BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' },
  });
  others = await createUsers(server.scene.database, 'Other Organisation');
  await server.scene.owner.query(
    `update users set email = replace(email, '@example.test', '@other.test') where client_id = $1`,
    [others.clientId],
  );
  await server.scene.owner.query(`update users set email = 'root@platform.test' where id = $1`, [
    server.users.superadmin.id,
  ]);
  const strangers = `update users set email = id || '@platform.test' where role = 'superadmin'`;
  await server.scene.owner.query(strangers);
  [oidc, forging] = await Promise.all([
    startOidcServer([redirectOf(server.users.clientId), redirectOf(others.clientId)]),
    startForgingServer(),
  ]);
});
afterAll(async () => {
  await Promise.all([oidc.close(), forging.close()]);
  await server.close();
});
beforeEach(async () => {
  await server.scene.owner.query('truncate rate_limits');
  oidc.people.clear();
});

describe('signing in', () => {
  test('makes an account in this organisation alone, once, linked by issuer and subject', async () => {
    await configure();
    oidc.people.set('s-ann', { email: 'Ann@example.test', email_verified: true, preferred_username: 'ann.admin@x' });
    const { answer, token } = await signIn('s-ann', '/findings?severity=high');
    expect(answer.body).toEqual({ success: true, data: { return_path: '/findings?severity=high', test: null } });
    const user = await whoIs(token);
    expect(user).toMatchObject({ email: 'Ann@example.test', username: 'ann.admin', role: 'developer' });
    // another e-mail at the provider is still the same person
    oidc.people.set('s-ann', { email: 'else@nowhere.test', email_verified: false });
    oidc.signsIn = 's-ann';
    const { url, cookie } = await begin();
    const again = await finish(Object.fromEntries((await followSignIn(url.href)).searchParams), cookie);
    expect((await whoIs(sessionOf(again)))._id).toBe(user._id);
    expect((await membersOf(others.clientId)).join()).not.toContain('ann');
    const told = await server.call('GET', '/client/notifications?notification_type=invite_accepted', { as: 'admin' });
    expect(told.body.data[0].attributes.title).toBe('ann.admin joined the organisation');
    // signing out ends the session
    expect((await server.call('POST', '/logout', { as: { token: token ?? '' } })).status).toBe(200);
    expect(await whoIs(token)).toBeUndefined();
  });

  test('finds a member by verified e-mail, and gives the role of the groups at each sign-in', async () => {
    const rules = [
      { group: 'security', role: 'cyberoper' },
      { group: 'owners', role: 'admin' },
    ];
    await configure({ role_rules: rules });
    const member = await createUser(server.scene.database, server.users.clientId, 'developer');
    oidc.people.set('s-member', { email: member.email, email_verified: true, groups: ['security', 'staff'] });
    const first = await signIn('s-member');
    expect(await whoIs(first.token)).toMatchObject({ _id: member.id, role: 'cyberoper' });
    oidc.people.set('s-member', { email: member.email, email_verified: true, groups: ['owners', 'security'] });
    expect(await whoIs((await signIn('s-member')).token)).toMatchObject({ role: 'admin' });
    // the sessions of the former role are over
    expect(await whoIs(first.token)).toBeUndefined();
    oidc.people.set('s-member', { email: member.email, email_verified: true, groups: [] });
    expect(await whoIs((await signIn('s-member')).token)).toMatchObject({ role: 'developer' });
  });

  test('an only admin stays one, whatever the groups say', async () => {
    await configure({ role_rules: [{ group: 'owners', role: 'admin' }] });
    const { admin } = server.users;
    oidc.people.set('s-boss', { email: admin.email, email_verified: true, groups: [] });
    expect(await whoIs((await signIn('s-boss')).token)).toMatchObject({ _id: admin.id, role: 'admin' });
  });

  test('a test says what would happen, and does nothing', async () => {
    await configure({ role_rules: [{ group: 'security', role: 'cyberoper' }] });
    const begun = await server.call('POST', '/single-sign-on/test', { as: 'admin' });
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0];
    oidc.people.set('s-new', { email: 'new@example.test', email_verified: true, groups: ['security'] });
    oidc.signsIn = 's-new';
    const back = await followSignIn(begun.body.data.url);
    const answer = await finish(Object.fromEntries(back.searchParams), cookie);
    expect(answer.body.data).toEqual({
      return_path: '/settings/single-sign-on',
      test: {
        subject: 's-new',
        email: 'new@example.test',
        email_verified: true,
        groups: ['security'],
        account: 'new',
        username: null,
        role: 'cyberoper',
      },
    });
    expect(sessionOf(answer)).toBeUndefined();
    expect(await membersOf(server.users.clientId)).not.toContain('new@example.test');
    expect((await server.call('GET', '/single-sign-on', { as: 'admin' })).body.data.tested_at).not.toBeNull();
    expect((await server.call('POST', '/single-sign-on/test', { as: 'cyberoper' })).status).toBe(403);
  });
});

describe('a sign-in is refused', () => {
  test('without its state, in another browser, twice, or by 20 at once', async () => {
    await configure();
    oidc.people.set('s-once', { email: 'once@example.test', email_verified: true });
    oidc.signsIn = 's-once';
    const { url, cookie } = await begin();
    const back = Object.fromEntries((await followSignIn(url.href)).searchParams);
    const { state: _, ...stateless } = back;
    const begun = /not begun in this browser/;
    expectRefused(await finish(stateless, cookie), begun);
    expectRefused(await finish({ ...back, state: 'x'.repeat(43) }, cookie), begun);
    expectRefused(await finish(back, undefined), begun);
    const foreign = await begin();
    expectRefused(await finish(back, foreign.cookie), begun);
    expectRefused(await finish({ ...back, ticket: back.state }, cookie), begun);
    const again = await begin();
    const answer = Object.fromEntries((await followSignIn(again.url.href)).searchParams);
    const many = await Promise.all(Array.from({ length: 20 }, () => finish(answer, again.cookie)));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(many.filter(({ body }) => body.code === 'single_sign_on_refused')).toHaveLength(19);
  });

  test('after ten minutes', async () => {
    await configure();
    oidc.people.set('s-late', { email: 'late@example.test', email_verified: true });
    oidc.signsIn = 's-late';
    const { url, cookie } = await begin();
    const back = Object.fromEntries((await followSignIn(url.href)).searchParams);
    const { rows } = await server.scene.owner.query(
      `update single_sign_on_requests set expires_at = now() - interval '1 second' returning state_hash`,
    );
    // of the state itself nothing is stored
    expect(JSON.stringify(rows)).not.toContain(back['state']);
    expectRefused(await finish(back, cookie), /older than ten minutes/);
  });

  test('with a code that was used, or one of another sign-in', async () => {
    await configure();
    oidc.people.set('s-code', { email: 'code@example.test', email_verified: true });
    const { back, answer } = await signIn('s-code');
    expect(answer.status).toBe(200);
    const code = back.searchParams.get('code');
    const next = await begin();
    const fresh = Object.fromEntries((await followSignIn(next.url.href)).searchParams);
    expectRefused(await finish({ ...fresh, code }, next.cookie), /identity provider/);
  });

  test('at another organisation: its address, its issuer, its domain', async () => {
    await configure();
    await save(
      {
        protocol: 'oidc',
        oidc_issuer: forging.issuer,
        oidc_client_id: CLIENT_ID,
        domains: ['other.test'],
        is_enabled: true,
      },
      others.admin,
    );
    oidc.people.set('s-mix', { email: 'mix@example.test', email_verified: true });
    oidc.signsIn = 's-mix';
    const ours = await begin();
    const back = Object.fromEntries((await followSignIn(ours.url.href)).searchParams);
    expectRefused(await finish(back, ours.cookie, others.clientId), /not begun/);
    expectRefused(await finish({ ...back, iss: forging.issuer }, ours.cookie), /identity provider/);
    const theirs = await begin('bo@other.test');
    expect(theirs.url.origin).toBe(new URL(forging.issuer).origin);
    expectRefused(
      await finish({ ...back, state: theirs.url.searchParams.get('state') }, ours.cookie, others.clientId),
      /not begun/,
    );
    expect((await membersOf(others.clientId)).join()).not.toContain('mix');
  });

  test.each([
    ['an e-mail of a foreign domain', { email: 'eve@evil.test', email_verified: true }, /not of a domain/],
    [
      'an e-mail that looks like two',
      { email: 'eve@evil.test,ann@example.test', email_verified: true },
      /that is none/,
    ],
    ['an e-mail that is not verified', { email: 'eve@example.test', email_verified: false }, /verified/],
    ['an e-mail of which nothing is said', { email: 'eve@example.test' }, /verified/],
    ['a sub-domain', { email: 'eve@sub.example.test', email_verified: true }, /not of a domain/],
  ])('with %s', async (_what, person, detail) => {
    await configure();
    const subject = randomUUID();
    oidc.people.set(subject, person);
    oidc.signsIn = subject;
    const { url, cookie } = await begin();
    const back = await followSignIn(url.href);
    expectRefused(await finish(Object.fromEntries(back.searchParams), cookie), detail);
  });

  test('for a person of another organisation, a member who left, and a stranger where no accounts are made', async () => {
    await configure({ creates_accounts: false });
    oidc.people.set('s-stranger', { email: 'stranger@example.test', email_verified: true });
    expectRefused((await signIn('s-stranger')).answer, /no account in this organisation/);
    await configure();
    // made after the domain was claimed
    await server.scene.owner.query(`update users set email = 'taken@example.test' where id = $1`, [
      others.developer.id,
    ]);
    oidc.people.set('s-taken', { email: 'taken@example.test', email_verified: true });
    expectRefused((await signIn('s-taken')).answer, /not of this organisation/);
    await server.scene.owner.query(`update users set email = 'dev@other.test' where id = $1`, [others.developer.id]);
    oidc.people.set('s-gone', { email: 'gone@example.test', email_verified: true });
    const { token } = await signIn('s-gone');
    const { _id } = await whoIs(token);
    expect((await server.call('DELETE', `/team/${_id}`, { as: 'admin' })).status).toBe(200);
    expect(await whoIs(token)).toBeUndefined();
    expectRefused((await signIn('s-gone')).answer, /was removed/);
  });

  test('for a superadmin of the same organisation, by e-mail and where a link is there already', async () => {
    await configure();
    const root = await createUser(server.scene.database, server.users.clientId, 'developer');
    oidc.people.set('s-root', { email: root.email, email_verified: true });
    const promote = (role: string) =>
      server.scene.owner.query('update users set role = $2 where id = $1', [root.id, role]);
    await promote('superadmin');
    expectRefused((await signIn('s-root')).answer, /superadmin signs in with the password/);
    await promote('developer');
    expect(await whoIs((await signIn('s-root')).token)).toMatchObject({ _id: root.id });
    await promote('superadmin');
    expectRefused((await signIn('s-root')).answer, /superadmin signs in with the password/);
    await promote('developer');
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, ForgedToken, RegExp]>([
    ['another nonce', { claims: { nonce: 'other' } }, /nonce/],
    ['no nonce', { claims: { nonce: undefined } }, /nonce/],
    ['another audience', { claims: { aud: 'somebody-else' } }, /aud/],
    ['several audiences', { claims: { aud: [CLIENT_ID, 'other'] } }, /audiences/],
    ['another issuer', { claims: { iss: 'https://accounts.example.com' } }, /iss/],
    ['an end in the past', { claims: { exp: past } }, /exp|timestamp/],
    ['no subject', { claims: { sub: undefined } }, /sub/],
    ['no signature (alg none)', { signature: 'none' }, /alg/],
    ['the signature of an unknown key', { signature: 'unknown' }, /key|JWK/i],
  ])('with an ID token with %s', async (_what, forged, detail) => {
    await configure({ oidc_issuer: forging.issuer });
    const { url, cookie } = await begin();
    const state = url.searchParams.get('state');
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    forging.nonce = url.searchParams.get('nonce') ?? '';
    forging.next = forged;
    expectRefused(await finish({ state, code: 'any' }, cookie), detail);
    expect(await membersOf(server.users.clientId)).not.toContain('forged@example.test');
  });

  test('the forging provider is believed where it tells the truth', async () => {
    await configure({ oidc_issuer: forging.issuer });
    const { url, cookie } = await begin();
    forging.nonce = url.searchParams.get('nonce') ?? '';
    forging.next = {};
    const answer = await finish({ state: url.searchParams.get('state'), code: 'any' }, cookie);
    expect(await whoIs(sessionOf(answer))).toMatchObject({ email: 'forged@example.test' });
  });

  test('where the provider calls itself by another name, or ends the sign-in', async () => {
    await configure({ oidc_issuer: forging.issuer });
    forging.metadata = { issuer: 'https://login.example.com' };
    const wrong = await server.call('POST', '/login/single-sign-on', { body: { email: 'ann@example.test' } });
    forging.metadata = {};
    expectRefused(wrong, /issuer/);
    const { url, cookie } = await begin();
    const denied = { state: url.searchParams.get('state'), error: 'access_denied', error_description: 'Not today <b>' };
    expectRefused(await finish(denied, cookie), /It says: "Not today <b>"/);
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/.//evil.example'])(
    'to another site afterwards: %s',
    async (next) => {
      await configure();
      oidc.people.set('s-back', { email: 'back@example.test', email_verified: true });
      const { answer } = await signIn('s-back', next);
      expect(answer.body.data.return_path).toBe('/');
    },
  );
});

describe('settings', () => {
  test('show the secret to nobody, and clear it for another host', async () => {
    await configure();
    const { data } = (await server.call('GET', '/single-sign-on', { as: 'admin' })).body;
    expect(data).toMatchObject({
      has_oidc_client_secret: true,
      oidc_client_secret_hint: CLIENT_SECRET.slice(-4),
      service: { redirect_uri: redirectOf(server.users.clientId) },
    });
    const { rows } = await server.scene.owner.query('select vault::text as row from vault');
    const places = [JSON.stringify(data), JSON.stringify(rows), server.logs.join('')];
    for (const place of places) expect(place).not.toContain(CLIENT_SECRET);
    const moved = await save({ oidc_issuer: 'https://login.example.com/tenant' });
    expect(moved.body.data.has_oidc_client_secret).toBe(false);
    for (const role of ['cyberoper', 'developer'] as const) {
      expect((await server.call('GET', '/single-sign-on', { as: role })).status).toBe(403);
    }
  });

  test.each<[string, object, RegExp]>([
    ['a domain without an own admin', { domains: ['unknown.test'] }, /admin who has an address/],
    ["another organisation's domain", { domains: ['other.test'] }, /another organisation/],
    ['a domain that is none', { domains: ['*.example.test'] }, /no domain/],
    ['an issuer that is none', { oidc_issuer: 'javascript:alert(1)' }, /https/],
    ['an issuer with a password', { oidc_issuer: 'https://a:b@login.example.com' }, /without user name/],
    ['a role that nobody gives', { default_role: 'superadmin' }, /one of/],
    ['a rule with more fields', { role_rules: [{ group: 'a', role: 'admin', client_id: 'x' }] }, /no such field/i],
    ['an unknown field', { client_id: randomUUID() }, /no such field/i],
    ['certificates that are none', { saml_certificates: ['-----BEGIN CERTIFICATE-----x'] }, /PEM/],
    ['enforcing before a test', { is_enforced: true, oidc_client_id: 'other' }, /Test the sign-in/],
    ['no domain at all', { domains: [] }, /at least one/],
  ])('refuse %s', async (_what, body, msg) => {
    await configure();
    const answer = await save(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].msg).toMatch(msg);
  });

  test('a private issuer is not called where the operator does not allow it', async () => {
    const careful = await startTestServer();
    try {
      const domain = careful.users.admin.email.split('@')[1];
      await careful.scene.owner.query(`update users set email = id || '@p.test' where role = 'superadmin'`);
      const body = { oidc_issuer: 'https://127.0.0.1:1/', oidc_client_id: 'x', domains: [domain], is_enabled: true };
      expect((await careful.call('PUT', '/single-sign-on', { as: 'admin', body })).status).toBe(200);
      const begun = await careful.call('POST', '/login/single-sign-on', { body: { email: careful.users.admin.email } });
      expectRefused(begun, /private network.*BREAKWATER_ALLOW_PRIVATE_HOSTS/);
      const http = await careful.call('PUT', '/single-sign-on', { as: 'admin', body: { oidc_issuer: oidc.issuer } });
      expect(http.status).toBe(422);
    } finally {
      await careful.close();
    }
  });
});

describe('enforced', () => {
  const login = (email: string, password = TEST_PASSWORD) =>
    server.call('POST', '/login', { body: { email, password } });
  const options = async (email: string) => (await server.call('POST', '/login/options', { body: { email } })).body.data;

  test('passwords do not count any more, but the one of an only admin', async () => {
    await configure();
    const { developer, admin } = server.users;
    const { clientId } = server.users;
    await server.scene.owner.query('update single_sign_on set tested_at = now() where client_id = $1', [clientId]);
    expect(await options(developer.email)).toEqual({ password: true, single_sign_on: true });
    expect((await save({ is_enforced: true })).body.data.is_enforced).toBe(true);
    expect(await options(developer.email)).toEqual({ password: false, single_sign_on: true });
    // the same for whoever does not exist
    expect(await options('nobody@example.test')).toEqual({ password: false, single_sign_on: true });
    expect(await options('nobody@unclaimed.test')).toEqual({ password: true, single_sign_on: false });
    expect(await login(developer.email)).toMatchObject({ status: 403, body: { code: 'single_sign_on_required' } });
    expect((await login(developer.email, 'Wrong-Password-1')).body.code).toBe('bad_credentials');
    await server.scene.owner.query(
      `update users set role = 'developer' where client_id = $1 and role = 'admin' and id <> $2`,
      [clientId, admin.id],
    );
    expect((await login(admin.email)).status).toBe(200);
    const second = await createUser(server.scene.database, clientId, 'admin');
    expect((await login(admin.email)).body.code).toBe('single_sign_on_required');
    await server.scene.owner.query(`update users set role = 'developer' where id = $1`, [second.id]);
    expect((await login(others.admin.email.replace('@example.test', '@other.test'))).status).toBe(200);
    expect((await save({ is_enforced: false })).status).toBe(200);
    expect((await login(developer.email)).status).toBe(200);
  });
});

test('metadata of a SAML provider is read from its address once, and a refusal says why', async () => {
  const site = await startFeedServer();
  const saml_metadata_url = new URL('metadata', site.address).href;
  const issueOf = async (body: object) => (await save({ protocol: 'saml', ...body })).body.detail[0];
  site.reply({ body: idpMetadata(makeSigningKey(), 'https://idp.example.test/redirect') });
  const { body } = await save({ protocol: 'saml', saml_metadata_url });
  expect(body.data).toMatchObject({
    saml_entity_id: IDP_ENTITY,
    saml_sign_in_url: 'https://idp.example.test/redirect',
  });
  expect(body.data.saml_certificates).toHaveLength(1);
  const loc = ['body', 'saml_metadata_url'];
  site.reply({ body: '<x/>' });
  expect(await issueOf({ saml_metadata_url })).toMatchObject({
    loc,
    msg: expect.stringMatching(/one identity provider/),
  });
  site.reply({ status: 302, headers: { location: 'http://169.254.169.254/' } });
  expect(await issueOf({ saml_metadata_url })).toMatchObject({ loc, msg: expect.stringMatching(/status 302/) });
  expect(await issueOf({ saml_metadata_url: 'ftp://idp.example.test' })).toMatchObject({ loc });
  expect(await issueOf({ saml_metadata_url, saml_metadata: '<x/>' })).toMatchObject({
    loc,
    msg: expect.stringMatching(/not both/),
  });
  await site.close();
});
