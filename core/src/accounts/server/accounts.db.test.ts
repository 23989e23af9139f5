import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUser, TEST_PASSWORD } from '../../../../tools/testing/users.ts';
import { ensureSuperadmin } from '../../session/server/index.ts';
import { type MailServer, startMailServer } from '../../testing/mail-server.ts';
import { issueFirstPasswordLink } from './index.ts';

let mailbox: MailServer;
let server: TestServer;
beforeAll(async () => {
  mailbox = await startMailServer();
  server = await startTestServer({
    environment: { SMTP_URL: mailbox.url, BREAKWATER_PUBLIC_URL: 'https://app.example.test' },
  });
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
beforeEach(() => server.scene.owner.query('truncate rate_limits, mails, account_links'));

const NEW = { password: 'An0ther-secret!', confirm_password: 'An0ther-secret!' };
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.call('POST', path, { body, headers });
const mails = async () => {
  const { rows } = await server.scene.owner.query(
    'select client_id, recipient, subject, content, is_secret, expires_at > now() as "isAlive" from mails order by created_at',
  );
  return rows;
};
/** Token of the newest link that was mailed. */
const mailedToken = async (): Promise<string> => {
  const path: string = (await mails()).at(-1)?.content.link.path ?? '';
  return /[A-Za-z0-9_-]{43}$/.exec(path)?.[0] ?? '';
};
const login = (email: string, password: string) => post('/login', { email, password });
const count = async (table: 'users' | 'clients'): Promise<number> =>
  (await server.scene.owner.query(`select count(*)::int as count from ${table}`)).rows[0].count;

describe('registration', () => {
  const email = () => `new-${Math.random().toString(36).slice(2)}@example.test`;
  const register = async (address = email()): Promise<{ token: string; address: string }> => {
    expect((await post('/register', { organization_name: 'Harbour', email: address })).status).toBe(200);
    return { token: await mailedToken(), address };
  };

  test('mails a link; until it is opened there is no organisation and nobody; then its admin signs in', async () => {
    const before = [await count('users'), await count('clients')];
    const { token, address } = await register();
    expect([await count('users'), await count('clients')]).toEqual(before);
    const shown = await server.call('GET', `/verify-register/${token}`);
    expect(shown.body.data).toEqual({ email: address, organization_name: 'Harbour' });
    const username = `captain-${token.slice(0, 6)}`;
    expect((await post(`/verify-register/${token}`, { username, ...NEW })).body).toEqual({ success: true });
    const { body } = await login(address, NEW.password);
    expect(body.data.user).toMatchObject({ username, role: 'admin', email: address });
    expect(body.data.client.organization_name).toBe('Harbour');
  });

  test('of 20 who open one link at once exactly one succeeds', async () => {
    const { token } = await register();
    const before = await count('clients');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        post(`/verify-register/${token}`, { username: `racer-${token.slice(0, 6)}-${index}`, ...NEW }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === 'link_invalid')).toHaveLength(19);
    expect(await count('clients')).toBe(before + 1);
  });

  test('weak passwords, borrowed names and taken ones leave the link open', async () => {
    const { token } = await register();
    const bad = await post(`/verify-register/${token}`, {
      username: 'boss@example.test',
      password: 'x',
      confirm_password: 'y',
    });
    expect(bad.status).toBe(422);
    expect(bad.body.detail.map((issue: { type: string }) => issue.type)).toContain('username');
    const { username } = server.users.admin;
    expect((await post(`/verify-register/${token}`, { username, ...NEW })).body.code).toBe('conflict');
    expect((await server.call('GET', `/verify-register/${token}`)).status).toBe(200);
  });

  test('nothing but name and password is taken from the one who opens it', async () => {
    const { token } = await register();
    const body = { username: 'x', ...NEW };
    for (const more of [{ role: 'superadmin' }, { client_id: server.users.clientId }, { email: 'a@b.test' }]) {
      expect((await post(`/verify-register/${token}`, { ...body, ...more })).status).toBe(422);
    }
  });

  test('a wrong link, an ended one and one of another kind are refused alike', async () => {
    const { token } = await register();
    await server.scene.owner.query(`update account_links set expires_at = now() - interval '1 second'`);
    for (const wrong of [token, 'x', 'a'.repeat(43), '%27']) {
      const answer = await server.call('GET', `/verify-register/${wrong}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'link_invalid']);
    }
    await post('/password-reset-request', { email: server.users.admin.email });
    const reset = await mailedToken();
    expect((await post(`/verify-register/${reset}`, { username: 'x', ...NEW })).body.code).toBe('link_invalid');
  });

  test('an ended link can be exchanged for a new one by mail, once; the old one stays closed', async () => {
    const { token } = await register();
    await server.scene.owner.query(`update account_links set expires_at = now() - interval '1 second'`);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.call('GET', `/resend-verification/${token}`)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404]);
    const renewed = await mailedToken();
    expect(renewed).not.toBe(token);
    expect((await server.call('GET', `/verify-register/${renewed}`)).status).toBe(200);
    expect((await server.call('GET', `/verify-register/${token}`)).status).toBe(404);
  });

  test('who is known is told by mail and gets no link; the answer is the same', async () => {
    const unknown = await post('/register', { organization_name: 'A', email: email() });
    const known = await post('/register', { organization_name: 'A', email: server.users.admin.email.toUpperCase() });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const [, told] = await mails();
    expect(told).toMatchObject({ recipient: server.users.admin.email, subject: 'You have an account at Breakwater' });
    expect(told.content.link.path).toBe('/login');
  });

  test('is closed where no mail is sent', async () => {
    const silent = await startTestServer();
    try {
      const answer = await silent.call('POST', '/register', { body: { organization_name: 'A', email: email() } });
      expect(answer.status).toBe(403);
      expect(answer.body.detail).toContain('sends no mail');
      expect((await silent.call('GET', '/login/options')).body.data).toEqual({ sends_mail: false, google: false });
    } finally {
      await silent.close();
    }
    expect((await server.call('GET', '/login/options')).body.data).toEqual({ sends_mail: true, google: false });
  });
});

describe('a forgotten password', () => {
  const user = () => createUser(server.scene.database, server.users.clientId, 'cyberoper');
  const request = (email: unknown) => post('/password-reset-request', { email } as object);

  test('the link sets another one, ends every session, tells the owner, and works once', async () => {
    const person = await user();
    await request(person.email);
    const token = await mailedToken();
    expect((await post('/password-reset-confirm', { token, ...NEW })).body).toEqual({ success: true });
    expect((await server.call('GET', '/session', { as: person })).status).toBe(401);
    expect((await login(person.email, TEST_PASSWORD)).status).toBe(401);
    expect((await login(person.email, NEW.password)).status).toBe(200);
    expect((await post('/password-reset-confirm', { token, ...NEW })).body.code).toBe('link_invalid');
    expect((await mails()).map((mail) => mail.subject)).toEqual([
      'Choose a new password for Breakwater',
      'Your password was changed',
    ]);
  });

  test('of 20 who open one link at once exactly one succeeds', async () => {
    const person = await user();
    await request(person.email);
    const token = await mailedToken();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) => {
        const password = `An0ther-secret-${index}!`;
        return post('/password-reset-confirm', { token, password, confirm_password: password });
      }),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === 'link_invalid')).toHaveLength(19);
  });

  test('a newer link ends the older one; a weak password leaves it open', async () => {
    const person = await user();
    await request(person.email);
    const first = await mailedToken();
    await request(person.email);
    const second = await mailedToken();
    expect((await post('/password-reset-confirm', { token: first, ...NEW })).body.code).toBe('link_invalid');
    expect(
      (await post('/password-reset-confirm', { token: second, password: 'x', confirm_password: 'x' })).status,
    ).toBe(422);
    expect((await post('/password-reset-confirm', { token: second, ...NEW })).status).toBe(200);
  });

  test('a link opens nothing once its address is not theirs any more, or the password was changed otherwise', async () => {
    const moved = await user();
    await request(moved.email);
    const stale = await mailedToken();
    await server.scene.owner.query(`update users set email = 'moved-' || email where id = $1`, [moved.id]);
    expect((await post('/password-reset-confirm', { token: stale, ...NEW })).body.code).toBe('link_invalid');
    // nor does it once somebody else has that address
    const heir = await user();
    await server.scene.owner.query('update users set email = $2 where id = $1', [heir.id, moved.email]);
    expect((await post('/password-reset-confirm', { token: stale, ...NEW })).body.code).toBe('link_invalid');
    expect((await login(`moved-${moved.email}`, TEST_PASSWORD)).status).toBe(200);
    expect((await login(moved.email, TEST_PASSWORD)).status).toBe(200);

    const person = await user();
    await request(person.email);
    const earlier = await mailedToken();
    const body = { old_password: TEST_PASSWORD, ...NEW };
    expect((await server.call('POST', '/user/change_password', { as: person, body })).status).toBe(200);
    expect((await post('/password-reset-confirm', { token: earlier, ...NEW })).body.code).toBe('link_invalid');
  });

  test('known and unknown addresses are answered alike and as much is written; only a known one is sent anything', async () => {
    const person = await user();
    const disabled = await user();
    await server.scene.owner.query(`update users set status = 'disabled' where id = $1`, [disabled.id]);
    const answers = [];
    for (const email of [person.email, 'nobody@example.test', disabled.email, server.users.admin.username]) {
      answers.push(await request(email.includes('@') ? email : `${email}@unknown.test`));
    }
    const bodies = answers.map(({ status, body }) => JSON.stringify([status, body]));
    expect(new Set(bodies)).toEqual(new Set(['[200,{"success":true}]']));
    expect((await mails()).map((mail) => mail.isAlive)).toEqual([true, false, false, false]);
    const { rows } = await server.scene.owner.query('select purpose from account_links order by created_at');
    expect(rows.map((row) => row.purpose)).toEqual(['reset', 'unknown', 'unknown', 'unknown']);
  });

  test.each([
    ['an array', ['a@example.test', 'eve@example.test']],
    ['two', 'a@example.test,eve@example.test'],
    ['a second header', 'a@example.test\r\nBcc: eve@example.test'],
    ['an object', { $ne: '' }],
    ['nothing', ''],
  ])('%s in place of an address is refused', async (_which, email) => {
    expect((await request(email)).status).toBe(422);
    expect(await mails()).toEqual([]);
  });

  test('a link leads to this installation, whatever the request says of its host', async () => {
    await post('/password-reset-request', { email: server.users.admin.email }, { 'x-forwarded-host': 'evil.example' });
    const [mail] = await mails();
    expect(mail.content.link.path).toMatch(/^\/reset-password\?token=[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(mail)).not.toContain('evil');
  });

  test('the mail is in the language of the browser that its reader signed in with, until they choose one', async () => {
    const { email } = server.users.admin;
    const signIn = { email, password: TEST_PASSWORD };
    await server.call('POST', '/login', { body: signIn, headers: { 'accept-language': 'de-DE,de;q=0.9' } });
    await request(email);
    expect((await mails()).at(-1)?.subject).toBe('Wählen Sie ein neues Passwort für Breakwater');
    await server.scene.owner.query('update users set browser_language = null where email = $1', [email]);
  });

  test('the database holds no token beside the mail', async () => {
    await request(server.users.admin.email);
    const token = await mailedToken();
    const { rows } = await server.scene.owner.query('select account_links::text as row from account_links');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('of many requests for one address five are taken, known or not', async () => {
    for (const email of [server.users.admin.email, 'nobody@example.test']) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => request(email)));
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
      expect(answers.filter((answer) => answer.body.code === 'too_many_requests')).toHaveLength(3);
    }
  });
});

describe('another password', () => {
  test('needs the old one, ends every session, and is told to its owner', async () => {
    const person = await createUser(server.scene.database, server.users.clientId, 'developer');
    const change = (old_password: string, more: object = NEW) =>
      server.call('POST', '/user/change_password', { as: person, body: { old_password, ...more } });
    expect((await change('Wrong-0ne!')).body.detail[0].loc).toEqual(['body', 'old_password']);
    expect((await change(TEST_PASSWORD, { password: 'weak', confirm_password: 'weak' })).status).toBe(422);
    expect((await change(TEST_PASSWORD)).status).toBe(200);
    expect((await server.call('GET', '/session', { as: person })).status).toBe(401);
    expect((await login(person.email, NEW.password)).status).toBe(200);
    expect((await mails()).at(-1)).toMatchObject({ recipient: person.email, subject: 'Your password was changed' });
  });

  test('of 30 wrong guesses at once at most 10 are looked at', async () => {
    const person = await createUser(server.scene.database, server.users.clientId, 'developer');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        server.call('POST', '/user/change_password', { as: person, body: { old_password: 'Wrong-0ne!', ...NEW } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 422).length).toBeLessThanOrEqual(10);
    expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(20);
  });
});

describe('a superadmin named without a password', () => {
  test('cannot sign in until a printed link has set one; then no link is printed', async () => {
    const { database } = server.scene;
    const email = 'root-without@example.test';
    await ensureSuperadmin(database, { organizationName: 'Platform', email, username: email, password: undefined });
    expect((await login(email, '')).status).toBe(422);
    expect((await login(email, 'An0ther-secret!')).status).toBe(401);
    const first = await issueFirstPasswordLink(database, email);
    const second = await issueFirstPasswordLink(database, email);
    const tokenOf = (path: string | undefined) => path?.split('token=')[1] ?? '';
    expect((await post('/password-reset-confirm', { token: tokenOf(first), ...NEW })).body.code).toBe('link_invalid');
    expect((await post('/password-reset-confirm', { token: tokenOf(second), ...NEW })).status).toBe(200);
    expect((await login(email, NEW.password)).body.data.user.role).toBe('superadmin');
    expect(await issueFirstPasswordLink(database, email)).toBeUndefined();
  });
});

describe('the outbox', () => {
  test('shows an admin the mails of the organisation, never the secret ones of others', async () => {
    const person = await createUser(server.scene.database, server.users.clientId, 'developer');
    await post('/password-reset-request', { email: person.email });
    await post('/password-reset-request', { email: server.users.admin.email });
    await post('/password-reset-request', { email: server.users.superadmin.email });
    await post('/register', { organization_name: 'Other', email: 'somebody-else@example.test' });
    const { body } = await server.call('GET', '/mail', { as: 'admin' });
    const seen = body.data.map(({ attributes }: { attributes: { recipient: string; content: object | null } }) => [
      attributes.recipient,
      attributes.content !== null,
    ]);
    expect(new Map(seen)).toEqual(
      new Map([
        [server.users.admin.email, true],
        [person.email, false],
      ]),
    );
    expect(body.meta.pagination.total).toBe(2);
  });
});
