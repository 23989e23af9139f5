import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUser, createUsers, TEST_PASSWORD, type TestUser } from '../../../../../tools/testing/users.ts';

const TOKEN_TYPE = { accept: 'application/vnd.breakwater.token+json' };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate rate_limits, mails'));

const post = (path: string, body?: object, as?: { token: string }, headers: Record<string, string> = {}) =>
  server.call('POST', path, { body, headers, ...(as === undefined ? {} : { as }) });
/** The code of a period: 0 is now. Taken ones do not count again, so each test forgets which were. */
const codeOf = (secret: string, period = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + period * 30 });
const forgetPeriods = () => server.scene.owner.query('update users set two_factor_step = 0');

interface Enabled {
  user: TestUser;
  secret: string;
  codes: string[];
}

const newUser = (): Promise<TestUser> => createUser(server.scene.database, server.users.clientId, 'developer');

const withTwoFactor = async (): Promise<Enabled> => {
  const user = await newUser();
  const { secret } = (await post('/user/configure-2fa', undefined, user)).body.data.otp_data;
  const saved = await post('/user/save-2fa', { otp_code: codeOf(secret) }, user);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  await forgetPeriods();
  return { user, secret, codes: saved.body.data.recovery_codes };
};

const ticketOf = async (user: TestUser): Promise<string> => {
  const answer = await post('/login', { email: user.email, password: TEST_PASSWORD });
  expect(answer.body).toEqual({ requires_2fa: true, ticket: expect.stringMatching(/^[\w-]{43}$/) });
  expect(answer.headers.getSetCookie()).toEqual([]);
  return answer.body.ticket;
};
/** One after the other: many at once would look like guessing. */
const ticketsOf = async (user: TestUser, count: number): Promise<string[]> => {
  const tickets: string[] = [];
  while (tickets.length < count) tickets.push(await ticketOf(user));
  return tickets;
};
/** Does something within one period: done again where another one began meanwhile. */
const withinPeriod = async <T>(work: () => Promise<T>): Promise<T> => {
  for (;;) {
    const period = Math.floor(Date.now() / 30_000);
    const result = await work();
    if (period === Math.floor(Date.now() / 30_000)) return result;
    await forgetPeriods();
  }
};
const statusOf = async (token: string): Promise<number> =>
  (await server.call('GET', '/session', { as: { token } })).status;

describe('setting it up', () => {
  test('shows the secret as text and picture, asks for nothing until a code was given, then shows ten codes once', async () => {
    const user = await newUser();
    const check = async () => (await post('/user/check-2fa', undefined, user)).body.data;
    expect(await check()).toEqual({ enable_2fa: false, require_2fa: false, recovery_codes_left: 0 });
    const { qrcode, otp_data } = (await post('/user/configure-2fa', undefined, user)).body.data;
    expect(qrcode).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(Buffer.from(qrcode.split(',')[1], 'base64').toString()).toMatch(/^<svg [\s\S]*<\/svg>$/);
    expect(otp_data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await post('/login', { email: user.email, password: TEST_PASSWORD })).body.success).toBe(true);

    const wrong = await post('/user/save-2fa', { otp_code: '000000' }, user);
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'otp_code']]);
    const saved = await post('/user/save-2fa', { otp_code: codeOf(otp_data.secret) }, user);
    const { recovery_codes } = saved.body.data;
    expect(new Set(recovery_codes).size).toBe(10);
    expect(await check()).toEqual({ enable_2fa: true, require_2fa: false, recovery_codes_left: 10 });
    expect((await server.call('GET', '/session', { as: user })).body.data.enable_2fa).toBe(true);
    expect((await post('/user/configure-2fa', undefined, user)).body.code).toBe('conflict');
    expect((await post('/user/save-2fa', { otp_code: codeOf(otp_data.secret, 1) }, user)).body.code).toBe('conflict');

    const { rows } = await server.scene.owner.query(
      `select (select json_agg(v) from vault v)::text || (select json_agg(c) from recovery_codes c)::text || (select json_agg(m) from mails m)::text as dump`,
    );
    for (const secret of [otp_data.secret, ...recovery_codes]) {
      expect(rows[0].dump).not.toContain(secret);
      expect(server.logs.join('\n')).not.toContain(secret);
    }
    expect(rows[0].dump).toContain('Two-factor was switched on');
  });

  test('a second beginning takes the place of the first', async () => {
    const user = await newUser();
    const first = (await post('/user/configure-2fa', undefined, user)).body.data.otp_data.secret;
    const second = (await post('/user/configure-2fa', undefined, user)).body.data.otp_data.secret;
    expect((await post('/user/save-2fa', { otp_code: codeOf(first) }, user)).status).toBe(422);
    expect((await post('/user/save-2fa', { otp_code: codeOf(second) }, user)).status).toBe(200);
  });

  test('is switched off with a code or a recovery code, and not without', async () => {
    for (const isRecovery of [false, true]) {
      const { user, secret, codes } = await withTwoFactor();
      for (const body of [{ otp_code: '000000' }, { recovery_code: 'AAAA-AAAA-AAAA-AAAA' }, {}]) {
        expect((await post('/user/remove-2fa', body, user)).status).toBe(422);
      }
      const body = isRecovery ? { recovery_code: codes[3] } : { otp_code: codeOf(secret) };
      expect((await post('/user/remove-2fa', body, user)).body).toEqual({ success: true });
      expect((await post('/login', { email: user.email, password: TEST_PASSWORD })).body.success).toBe(true);
      expect((await post('/user/remove-2fa', body, user)).body.code).toBe('conflict');
    }
  });
});

describe('signing in', () => {
  test('takes a code of this period and of its neighbours, and none beyond', async () => {
    const { user, secret } = await withTwoFactor();
    for (const [period, status] of [
      [-2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
      [3, 401],
    ] as const) {
      const answer = await withinPeriod(async () =>
        post('/login/2fa', { ticket: await ticketOf(user), otp_code: codeOf(secret, period) }),
      );
      expect([period, answer.status]).toEqual([period, status]);
      if (status === 401) expect(answer.body.code).toBe('second_factor_wrong');
    }
  });

  test('opens the session that the first step asked for, and makes the browser known only then', async () => {
    const { user, secret } = await withTwoFactor();
    const { ticket } = (await post('/login', { email: user.email, password: TEST_PASSWORD, rememberMe: true })).body;
    const code = codeOf(secret);
    const otp_code = `${code.slice(0, 3)} ${code.slice(3)}`;
    const answer = await post('/login/2fa', { ticket, otp_code }, undefined, TOKEN_TYPE);
    expect(answer.body.data).toMatchObject({ user: { _id: user.id }, client: { _id: server.users.clientId } });
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['accessToken', 'knownDevice']);
    expect(cookies[0]).toContain('Max-Age=86400');
    expect(await statusOf(answer.body.data.access_token)).toBe(200);
  });

  test('a code counts once, also of 20 at the same time, with one ticket or with twenty', async () => {
    const { user, secret } = await withTwoFactor();
    const tickets = await ticketsOf(user, 20);
    for (const some of [tickets, Array<string>(20).fill(await ticketOf(user))]) {
      await server.scene.owner.query('truncate rate_limits');
      await forgetPeriods();
      const otp_code = codeOf(secret);
      const answers = await Promise.all(some.map((ticket) => post('/login/2fa', { ticket, otp_code })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const again = await post('/login/2fa', { ticket: await ticketOf(user), otp_code });
      expect([401, 429]).toContain(again.status);
    }
  });

  test('is written down: what was given besides the password, and what was wrong', async () => {
    const { user, secret } = await withTwoFactor();
    await post('/login/2fa', { ticket: await ticketOf(user), otp_code: '000000' });
    await post('/login/2fa', { ticket: await ticketOf(user), otp_code: codeOf(secret) });
    const { rows } = await server.scene.owner.query(
      'select kind, details from audit_entries where actor_id = $1 order by id desc limit 3',
      [user.id],
    );
    expect(rows).toEqual([
      { kind: 'sign-in.succeeded', details: { method: 'password', second_factor: 'code' } },
      { kind: 'sign-in.failed', details: { reason: 'wrong code' } },
      { kind: 'account.two-factor-enabled', details: expect.anything() },
    ]);
  });

  test('a recovery code counts once, as people type it', async () => {
    const { user, codes } = await withTwoFactor();
    const recovery_code = codes[0]?.toLowerCase().replaceAll('-', ' ');
    expect((await post('/login/2fa', { ticket: await ticketOf(user), recovery_code })).status).toBe(200);
    expect((await post('/login/2fa', { ticket: await ticketOf(user), recovery_code })).body.code).toBe(
      'second_factor_wrong',
    );
    const tickets = await ticketsOf(user, 4);
    const races = await Promise.all(tickets.map((ticket) => post('/login/2fa', { ticket, recovery_code: codes[1] })));
    expect(races.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('wrong codes are limited across tickets, and right ones do not help those who guess', async () => {
    const { user, secret } = await withTwoFactor();
    const tickets = await ticketsOf(user, 12);
    const answers = await Promise.all(tickets.map((ticket) => post('/login/2fa', { ticket, otp_code: '000000' })));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    const late = await post('/login/2fa', { ticket: await ticketOf(user), otp_code: codeOf(secret) });
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  test('a ticket is no session, is of one account, and ends', async () => {
    const [one, other] = [await withTwoFactor(), await withTwoFactor()];
    const ticket = await ticketOf(one.user);
    expect(await statusOf(ticket)).toBe(401);
    const cookie = { cookie: `accessToken=${ticket}` };
    expect((await server.call('GET', '/findings', { headers: cookie })).status).toBe(401);
    const foreign = await post('/login/2fa', { ticket, otp_code: codeOf(other.secret) });
    expect(foreign.body.code).toBe('second_factor_wrong');
    expect((await post('/login/2fa', { ticket, recovery_code: other.codes[0] })).status).toBe(401);
    for (const wrong of ['x', 'A'.repeat(43), one.user.token, `${ticket}A`, '../../etc/passwd']) {
      const answer = await post('/login/2fa', { ticket: wrong, otp_code: codeOf(one.secret) });
      expect(answer.body.code).toBe('sign_in_ticket_invalid');
    }
    await server.scene.owner.query(`update sign_in_tickets set expires_at = now() - interval '1 second'`);
    expect((await post('/login/2fa', { ticket, otp_code: codeOf(one.secret) })).body.code).toBe(
      'sign_in_ticket_invalid',
    );
  });

  test('a new password, removal and a disabled account end what was begun', async () => {
    const { user, secret } = await withTwoFactor();
    const ticket = await ticketOf(user);
    const passwords = { old_password: TEST_PASSWORD, password: 'An0ther-secret!', confirm_password: 'An0ther-secret!' };
    expect((await post('/user/change_password', passwords, user)).status).toBe(200);
    expect((await post('/login/2fa', { ticket, otp_code: codeOf(secret) })).body.code).toBe('sign_in_ticket_invalid');
    const disabled = await withTwoFactor();
    const left = await ticketOf(disabled.user);
    await server.scene.owner.query(`update users set status = 'disabled' where id = $1`, [disabled.user.id]);
    expect((await post('/login/2fa', { ticket: left, otp_code: codeOf(disabled.secret) })).status).toBe(401);
  });

  test('a password alone tells no more than before: wrong ones look the same with and without a second factor', async () => {
    const { user } = await withTwoFactor();
    const wrong = await post('/login', { email: user.email, password: 'Wrong-Password-1' });
    const unknown = await post('/login', { email: 'nobody@example.test', password: 'Wrong-Password-1' });
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  test.each([[{}], [{ otp_code: '1', recovery_code: '2' }], [{ otp_code: ['1'] }], [{ otp_code: '1', user_id: 'x' }]])(
    '%j is refused as a body',
    async (body) => {
      const { user } = await withTwoFactor();
      expect((await post('/login/2fa', { ticket: await ticketOf(user), ...body })).status).toBe(422);
    },
  );
});

describe('an organisation', () => {
  test('that requires it gets nothing from people without it but their own account, until they have set it up', async () => {
    const { owner, database } = server.scene;
    const users = await createUsers(database, 'Strict');
    const admin = users.admin;
    expect((await server.call('PUT', '/client', { as: users.cyberoper, body: { require_2fa: true } })).status).toBe(
      403,
    );
    expect((await server.call('PUT', '/client', { as: admin, body: { require_2fa: true } })).status).toBe(200);
    for (const user of [admin, users.developer]) {
      const refused = await server.call('GET', '/findings', { as: user });
      expect([refused.status, refused.body.code]).toEqual([403, 'two_factor_required']);
      expect((await server.call('GET', '/session', { as: user })).body.data.needs_2fa).toBe(true);
    }
    const { body } = await post('/login', { email: users.developer.email, password: TEST_PASSWORD });
    expect(body.data.needs_2fa).toBe(true);
    const { secret } = (await post('/user/configure-2fa', undefined, users.developer)).body.data.otp_data;
    expect((await post('/user/save-2fa', { otp_code: codeOf(secret) }, users.developer)).status).toBe(200);
    expect((await server.call('GET', '/findings', { as: users.developer })).status).toBe(200);
    expect((await server.call('GET', '/session', { as: users.developer })).body.data.needs_2fa).toBeUndefined();
    // who was let in by the organisation's own identity provider has given a second factor there
    await owner.query(`update sessions set method = 'oidc' where user_id = $1`, [users.cyberoper.id]);
    expect((await server.call('GET', '/findings', { as: users.cyberoper })).status).toBe(200);
  });

  test('can let a member start anew, who is told; nobody else can, and nobody from outside', async () => {
    const { user, secret } = await withTwoFactor();
    const others = await createUsers(server.scene.database, 'Others');
    const reset = (as: { token: string }) => post(`/team/${user.id}/reset-2fa`, undefined, as);
    expect((await reset(server.users.developer)).status).toBe(403);
    expect((await reset(server.users.cyberoper)).status).toBe(403);
    expect((await reset(others.admin)).body.code).toBe('user_not_found');
    const team = await server.call('GET', `/team?search=${user.username}`, { as: 'admin' });
    expect(team.body.data[0].attributes.enable_2fa).toBe(true);
    expect((await reset(server.users.admin)).status).toBe(200);
    expect((await reset(server.users.admin)).body.code).toBe('conflict');
    expect(await statusOf(user.token)).toBe(401);
    const { rows } = await server.scene.owner.query(
      'select recipient, subject from mails order by created_at desc limit 1',
    );
    expect(rows[0]).toEqual({ recipient: user.email, subject: 'Two-factor was switched off' });
    const signedIn = await post('/login', { email: user.email, password: TEST_PASSWORD }, undefined, TOKEN_TYPE);
    expect(signedIn.body.success).toBe(true);
    const next = { token: signedIn.body.data.access_token };
    expect((await post('/user/save-2fa', { otp_code: codeOf(secret) }, next)).body.code).toBe('conflict');
  });
});
