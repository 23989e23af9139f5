import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUser, TEST_PASSWORD, type TestUser } from '../../../../tools/testing/users.ts';
import { ensureFirstAdmin, ensureSuperadmin, resetPassword } from './accounts.ts';
import { readReader } from './reader.ts';
import { closeAllSessions } from './sessions.ts';

const TOKEN_TYPE = { accept: 'application/vnd.breakwater.token+json' };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate rate_limits'));

const login = (body: unknown, headers: Record<string, string> = {}) => server.call('POST', '/login', { body, headers });
const good = () => ({ email: server.users.admin.email, password: TEST_PASSWORD });

describe('signing in', () => {
  test('sets a browser-session cookie that scripts cannot read, and keeps the token out of the body', async () => {
    const answer = await login(good());
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      user: {
        _id: server.users.admin.id,
        email: server.users.admin.email,
        username: server.users.admin.username,
        role: 'admin',
      },
      client: { _id: server.users.clientId, organization_name: 'Test Organisation' },
      locale: { language: null, time_zone: null, number_format: null, density: null },
    });
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others.map((other) => other.split('=')[0])).toEqual(['knownDevice']);
    expect(cookie).toMatch(/^accessToken=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('remembering makes the cookie last 86,400 s', async () => {
    const [cookie] = (await login({ ...good(), rememberMe: true })).headers.getSetCookie();
    expect(cookie).toContain('Max-Age=86400');
  });

  test('the token is handed to clients that ask, and works', async () => {
    const { body } = await login(good(), TOKEN_TYPE);
    const session = await server.call('GET', '/session', { as: { token: body.data.access_token } });
    expect(session.body).toEqual({
      success: true,
      data: { ...body.data, access_token: undefined, enable_2fa: false, google_auth: 0, google_profile: null },
    });
  });

  test('works with username, e-mail in any case, or both', async () => {
    const { email, username } = server.users.admin;
    for (const identifiers of [
      { username },
      { email: email.toUpperCase() },
      { email, username },
      { username: email },
    ]) {
      expect((await login({ ...identifiers, password: TEST_PASSWORD })).status).toBe(200);
    }
    expect((await login({ email, username: server.users.developer.username, password: TEST_PASSWORD })).status).toBe(
      401,
    );
  });

  test('nothing but a password is 422; an array e-mail too', async () => {
    expect((await login({ password: 'x' })).body.detail[0].loc).toEqual(['body', 'email']);
    expect((await login({ email: [server.users.admin.email], password: TEST_PASSWORD })).status).toBe(422);
    expect((await login({ ...good(), role: 'superadmin' })).status).toBe(422);
  });

  test('a user who is not active cannot, and the session of one ends at once', async () => {
    const user = await createUser(server.scene.database, server.users.clientId, 'developer');
    await server.scene.owner.query(`update users set status = 'disabled' where id = $1`, [user.id]);
    expect((await login({ email: user.email, password: TEST_PASSWORD })).body.code).toBe('bad_credentials');
    expect((await server.call('GET', '/session', { as: user })).status).toBe(401);
  });

  test('is Secure where people arrive by https', async () => {
    const secure = await startTestServer({ environment: { BREAKWATER_PUBLIC_URL: 'https://app.example.test' } });
    try {
      const answer = await secure.call('POST', '/login', {
        body: { email: secure.users.admin.email, password: TEST_PASSWORD },
        headers: { origin: 'https://app.example.test', 'sec-fetch-site': 'same-origin' },
      });
      expect(answer.headers.get('set-cookie')).toContain('Secure');
      expect(answer.headers.get('strict-transport-security')).toContain('max-age=');
    } finally {
      await secure.close();
    }
  });
});

describe('bad sign-ins', () => {
  test('known and unknown users look the same, in answer and time', async () => {
    const time = async (email: string): Promise<{ ms: number; body: unknown }> => {
      const started = performance.now();
      const { body } = await login({ email, password: 'Wrong-Password-1' });
      return { ms: performance.now() - started, body: { ...body, request_id: '' } };
    };
    const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await server.scene.owner.query('truncate rate_limits');
      const one = await time(server.users.admin.email);
      const other = await time(`nobody-${round}@example.test`);
      expect(one.body).toEqual(other.body);
      known.push(one.ms);
      unknown.push(other.ms);
    }
    // Without the pretended check an unknown user would answer some thirty times faster; a busy machine blurs less.
    expect(median(known) / median(unknown)).toBeGreaterThan(0.2);
    expect(median(known) / median(unknown)).toBeLessThan(5);
  });

  test.each([
    ['one account', () => server.users.admin.email],
    ['many accounts', (index: number) => `somebody-${index}@example.test`],
  ])('of 100 parallel ones for %s at most 10 are evaluated, whatever X-Forwarded-For says', async (_which, email) => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_value, index) =>
        login({ email: email(index), password: 'Wrong-Password-1' }, { 'x-forwarded-for': `10.0.0.${index}` }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 401).length).toBeLessThanOrEqual(10);
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(90);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused[0]?.body.code).toBe('too_many_requests');
  });

  test('behind a proxy that is named, people have addresses of their own', async () => {
    const behind = await startTestServer({ environment: { BREAKWATER_TRUSTED_PROXIES: 'loopback' } });
    try {
      const bad = (from: string) =>
        behind.call('POST', '/login', {
          body: { email: `${from}@example.test`, password: 'Wrong-Password-1' },
          headers: { 'x-forwarded-for': from },
        });
      for (let round = 0; round < 10; round += 1) expect((await bad('10.0.0.1')).status).toBe(401);
      expect((await bad('10.0.0.1')).status).toBe(429);
      expect((await bad('10.0.0.2')).status).toBe(401);
    } finally {
      await behind.close();
    }
  });

  test('right ones do not count', async () => {
    for (let round = 0; round < 12; round += 1) expect((await login(good())).status).toBe(200);
  });

  test('the table of attempts names nobody', async () => {
    await login({ email: 'canary@example.test', password: 'Wrong-Password-1' });
    const { rows } = await server.scene.owner.query('select key from rate_limits');
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('sessions', () => {
  const open = () => createUser(server.scene.database, server.users.clientId, 'cyberoper');
  const status = async (token: string): Promise<number> =>
    (await server.call('GET', '/session', { as: { token } })).status;

  test('logout ends this session only, at once, and clears the cookie', async () => {
    const user = await open();
    const second = (await login({ email: user.email, password: TEST_PASSWORD }, TOKEN_TYPE)).body.data.access_token;
    const answer = await server.call('POST', '/logout', { as: user });
    expect(answer.headers.get('set-cookie')).toMatch(/^accessToken=; .*Expires=Thu, 01 Jan 1970/);
    expect(await status(user.token)).toBe(401);
    expect(await status(second)).toBe(200);
  });

  test('end after 24 h, and after 2 h of rest unless remembered', async () => {
    const user = await open();
    const set = (column: string, hours: number) =>
      server.scene.owner.query(`update sessions set ${column} = now() + make_interval(mins => $2) where user_id = $1`, [
        user.id,
        hours * 60,
      ]);
    await set('last_seen_at', -23);
    expect(await status(user.token)).toBe(200);
    await server.scene.owner.query('update sessions set remember = false where user_id = $1', [user.id]);
    await set('last_seen_at', -1.9);
    expect(await status(user.token)).toBe(200);
    await set('last_seen_at', -2.1);
    expect(await status(user.token)).toBe(401);
    await server.scene.owner.query('update sessions set remember = true where user_id = $1', [user.id]);
    await set('expires_at', -0.1);
    expect(await status(user.token)).toBe(401);
  });

  test('a change of role counts at once', async () => {
    const user = await open();
    await server.scene.owner.query(`update users set role = 'developer' where id = $1`, [user.id]);
    expect((await server.call('PUT', '/client', { as: user, body: { address: 'x' } })).status).toBe(403);
  });

  test('all end together, and with a new password', async () => {
    const user = await open();
    await server.scene.database.forIdentity((db) => closeAllSessions(db, { clientId: user.clientId, userId: user.id }));
    expect(await status(user.token)).toBe(401);
    const { token } = (await login({ email: user.email, password: TEST_PASSWORD }, TOKEN_TYPE)).body.data;
    await resetPassword(server.scene.database, { identifier: user.email, password: 'An0ther-secret!' });
    expect(await status(String(token))).toBe(401);
    expect((await login({ email: user.email, password: TEST_PASSWORD })).status).toBe(401);
    expect((await login({ email: user.email, password: 'An0ther-secret!' })).status).toBe(200);
  });

  test('the database holds no token', async () => {
    const user = await open();
    const { rows } = await server.scene.owner.query('select sessions::text as row from sessions');
    const dump = JSON.stringify(rows);
    expect(dump).not.toContain(user.token);
    expect(dump).not.toContain(Buffer.from(user.token).toString('hex'));
  });
});

describe('where somebody is signed in', () => {
  const signIn = async (user: TestUser, agent: string): Promise<string> => {
    const body = { email: user.email, password: TEST_PASSWORD };
    return (await login(body, { ...TOKEN_TYPE, 'user-agent': agent })).body.data.access_token;
  };
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
  const listed = async (token: string) => (await server.call('GET', '/user/sessions', { as: { token } })).body.data;

  test('is listed with device and address, this one first; one can be ended, or all others', async () => {
    const user = await createUser(server.scene.database, server.users.clientId, 'developer');
    const firefox = await signIn(user, FIREFOX);
    const other = await signIn(user, '');
    const own = await listed(firefox);
    expect(own).toHaveLength(3);
    expect(own[0].attributes).toMatchObject({ device: 'Firefox 132 on Linux', is_current: true });
    expect(own[0].attributes.address).toMatch(/127\.0\.0\.1$/);
    expect(JSON.stringify(own)).not.toContain(firefox);
    const [otherSession] = await listed(other);
    const end = (token: string, id: string) => server.call('DELETE', `/user/sessions${id}`, { as: { token } });
    expect((await end(firefox, `/${otherSession._id}`)).status).toBe(200);
    expect((await server.call('GET', '/session', { as: { token: other } })).status).toBe(401);
    expect((await end(firefox, `/${otherSession._id}`)).status).toBe(404);
    expect((await end(firefox, '')).body.data).toEqual({ ended: 1 });
    expect((await server.call('GET', '/session', { as: { token: user.token } })).status).toBe(401);
    expect((await listed(firefox)).map((item: { _id: string }) => item._id)).toEqual([own[0]._id]);
  });

  test('sessions of others stay; those that rest or have ended are none', async () => {
    const user = await createUser(server.scene.database, server.users.clientId, 'developer');
    const [foreign] = await listed(server.tokens.admin);
    const answer = await server.call('DELETE', `/user/sessions/${foreign._id}`, { as: { token: user.token } });
    expect(answer.status).toBe(404);
    expect((await server.call('DELETE', '/user/sessions', { as: { token: user.token } })).body.data).toEqual({
      ended: 0,
    });
    expect((await server.call('GET', '/session', { as: 'admin' })).status).toBe(200);
    const resting = await signIn(user, FIREFOX);
    await server.scene.owner.query(
      "update sessions set last_seen_at = now() - interval '3 hours' where user_id = $1 and not remember",
      [user.id],
    );
    expect(await listed(user.token)).toHaveLength(1);
    expect((await server.call('GET', '/session', { as: { token: resting } })).status).toBe(401);
  });

  test('an admin ends every session of a member, of the own organisation alone', async () => {
    const user = await createUser(server.scene.database, server.users.clientId, 'cyberoper');
    const { superadmin } = server.users;
    const end = (id: string, as: 'admin' | 'cyberoper') => server.call('DELETE', `/team/${id}/sessions`, { as });
    expect((await end(user.id, 'cyberoper')).status).toBe(403);
    expect((await end(superadmin.id, 'admin')).status).toBe(404);
    expect((await end(user.id, 'admin')).status).toBe(200);
    expect((await server.call('GET', '/session', { as: { token: user.token } })).status).toBe(401);
  });
});

describe('the first start', () => {
  const setup = {
    organization_name: 'Example',
    email: 'first@example.test',
    username: 'first',
    password: 'Tr0ub4dor&3',
    confirm_password: 'Tr0ub4dor&3',
  };
  const empty = () => server.scene.owner.query(`delete from users where role <> 'superadmin'`);

  test('is over once somebody is there', async () => {
    expect((await server.call('GET', '/setup')).body.data.needed).toBe(false);
    expect(await server.call('POST', '/setup', { body: setup })).toMatchObject({
      status: 409,
      body: { code: 'setup_already_done' },
    });
  });

  test('weak passwords, differing ones and borrowed names are refused with every error', async () => {
    const fresh = await startTestServer();
    try {
      await fresh.scene.owner.query(`delete from users where role <> 'superadmin'`);
      const answer = await fresh.call('POST', '/setup', {
        body: { ...setup, username: 'boss@example.test', password: 'short', confirm_password: 'other' },
      });
      expect(answer.status).toBe(422);
      expect(answer.body.detail.map((issue: { type: string }) => issue.type)).toEqual([
        'username',
        'password_policy',
        'password_policy',
        'password_policy',
        'password_policy',
        'password_mismatch',
      ]);
    } finally {
      await fresh.close();
    }
  });

  test('of 20 at once exactly one succeeds, as admin, signed in', async () => {
    await empty();
    expect((await server.call('GET', '/setup')).body.data.needed).toBe(true);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        server.call('POST', '/setup', {
          body: { ...setup, email: `first${index}@example.test`, username: `first${index}` },
        }),
      ),
    );
    const made = answers.filter((answer) => answer.status === 200);
    expect(made).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === 'setup_already_done')).toHaveLength(19);
    expect(made[0]?.body.data.user.role).toBe('admin');
    const cookie = made[0]?.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await server.call('GET', '/session', { headers: { cookie } })).status).toBe(200);
  });

  test('the environment can name the first admin and the superadmin; a second start changes nothing', async () => {
    await server.scene.owner.query('delete from users');
    const account = {
      organizationName: 'Example',
      email: 'env@example.test',
      username: 'env',
      password: 'Tr0ub4dor&3',
    };
    const owner = { ...account, email: 'root@example.test', username: 'root' };
    const { database } = server.scene;
    expect(await ensureSuperadmin(database, owner)).toBe(true);
    const made = await Promise.all(Array.from({ length: 5 }, () => ensureFirstAdmin(database, account)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await ensureSuperadmin(database, owner)).toBe(false);
    const { body } = await login({ email: 'root@example.test', password: 'Tr0ub4dor&3' });
    expect(body.data.user.role).toBe('superadmin');
  });
});

test('what is sent to somebody is in the language of the browser they signed in with last, until they choose one', async () => {
  const { database } = server.scene;
  const person = await createUser(database, server.users.clientId, 'developer');
  const signIn = async (language: string) => {
    const body = { email: person.email, password: TEST_PASSWORD };
    expect((await login(body, { 'accept-language': language })).status).toBe(200);
  };
  const choose = (language: string | null) => server.call('PUT', '/user/profile', { as: person, body: { language } });
  const readsIn = async () => (await database.forIdentity((db) => readReader(db, person.email))).language;
  expect(await readsIn()).toBeNull();
  await signIn('de-AT,de;q=0.9,en;q=0.8');
  expect(await readsIn()).toBe('de');
  // a program that asks for no language says nothing about the person
  await signIn('*');
  expect(await readsIn()).toBe('de');
  await signIn('en-GB');
  expect(await readsIn()).toBe('en');
  await choose('de');
  await signIn('en-GB');
  expect(await readsIn()).toBe('de');
  await choose(null);
  expect(await readsIn()).toBe('en');
});
