import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tools/testing/server.ts';
import { createUser, TEST_PASSWORD, type TestUser } from '../../tools/testing/users.ts';

const COMMANDS = path.join(import.meta.dirname, '../../tools/commands/admin.ts');
const secretKey = randomBytes(32).toString('base64');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { BREAKWATER_SECRET_KEY: secretKey } });
});
afterAll(() => server.close());

/** Runs a command as the operator does, on the database of the running server. */
const admin = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const environment = { PATH: process.env['PATH'], DATABASE_URL: server.scene.url, BREAKWATER_SECRET_KEY: secretKey };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMANDS, ...args], { env: environment });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
};

const enableTwoFactor = async (user: TestUser): Promise<void> => {
  const begun = await server.call('POST', '/user/configure-2fa', { as: user });
  const otp_code = generateSync({ secret: begun.body.data.otp_data.secret });
  const saved = await server.call('POST', '/user/save-2fa', { as: user, body: { otp_code } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
};
const login = async (user: TestUser) =>
  (await server.call('POST', '/login', { body: { email: user.email, password: TEST_PASSWORD } })).body;
const entriesOf = async (clientId: string, kind: string) =>
  (
    await server.scene.owner.query(
      `select actor, actor_type, subject, details from audit_entries where client_id = $1 and kind = $2 and actor_type = 'operator'`,
      [clientId, kind],
    )
  ).rows;

test('reset-2fa: the password alone counts again, all sessions end, the owner is told and the audit log says who', async () => {
  const { clientId } = server.users;
  const user = await createUser(server.scene.database, clientId, 'admin');
  const other = await createUser(server.scene.database, clientId, 'developer');
  await enableTwoFactor(user);
  await enableTwoFactor(other);
  const { ticket } = await login(user);
  expect(ticket).toEqual(expect.any(String));

  const done = await admin('reset-2fa', user.username.toUpperCase());
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('Two-factor is off for') });
  expect((await server.call('GET', '/session', { as: user })).status).toBe(401);
  const late = await server.call('POST', '/login/2fa', { body: { ticket, otp_code: '000000' } });
  expect(late.body.code).toBe('sign_in_ticket_invalid');
  expect(await login(user)).toMatchObject({ success: true, data: { user: { _id: user.id } } });
  // nobody else is touched
  expect((await server.call('GET', '/session', { as: other })).body.data.enable_2fa).toBe(true);
  expect(await login(other)).toMatchObject({ requires_2fa: true });
  expect(await entriesOf(clientId, 'account.two-factor-disabled')).toEqual([
    { actor: 'Operator of the installation', actor_type: 'operator', subject: user.username, details: {} },
  ]);
  const { rows } = await server.scene.owner.query(
    `select content::text as text from mails where recipient = $1 order by id desc limit 1`,
    [user.email],
  );
  expect(rows[0].text).toContain('Who runs this Breakwater installation has switched two-factor off');
  const { rows: secrets } = await server.scene.owner.query(
    `select field from vault where connector_id = 'two-factor' and client_id = $1`,
    [clientId],
  );
  expect(secrets).toEqual([{ field: other.id }]);

  const again = await admin('reset-2fa', user.email);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') });
  expect(await entriesOf(clientId, 'account.two-factor-disabled')).toHaveLength(1);
});

test('reset-2fa of nobody, and without a name, changes nothing and says why', async () => {
  expect(await admin('reset-2fa', 'nobody@example.test')).toMatchObject({
    code: 1,
    err: 'Nobody has the e-mail or username nobody@example.test.\n',
  });
  expect(await admin('reset-2fa')).toMatchObject({ code: 2, err: expect.stringContaining('reset-2fa <email or') });
});

test('reset-password and allow-passwords are entries of the audit log, too', async () => {
  const { clientId, admin: boss, developer } = server.users;
  const reset = await admin('reset-password', developer.email);
  expect(reset.out).toMatch(/shown only here: \S+\n$/);
  expect(await entriesOf(clientId, 'account.password-reset')).toMatchObject([{ subject: developer.username }]);
  const password = reset.out.trim().split(' ').at(-1);
  const signedIn = await server.call('POST', '/login', { body: { email: developer.email, password } });
  expect(signedIn.status).toBe(200);

  expect((await admin('allow-passwords', boss.email)).out).toContain('nothing was changed');
  expect(await entriesOf(clientId, 'settings.changed')).toEqual([]);
  await server.scene.owner.query(
    `insert into single_sign_on (client_id, protocol, is_enabled, is_enforced, tested_at) values ($1, 'oidc', true, true, now())`,
    [clientId],
  );
  expect((await admin('allow-passwords', boss.email)).out).toContain('Passwords count again');
  expect(await entriesOf(clientId, 'settings.changed')).toMatchObject([
    { subject: 'Single sign-on', details: { is_enforced: false } },
  ]);
});
