import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';

/**
 * Every call of the areas identity, client and notifications, made on the running server in the order in which an organisation begins. What
 * each refuses stands in the tests of its slice. Source: specification §7, decisions.md "Wire shapes".
 */
const CALLS = [
  ...['GET /client', 'PUT /client', 'PUT /client/billing', 'PUT /client/config', 'DELETE /client/config'],
  ...['GET /semgrep-cli', 'POST /semgrep-cli', 'DELETE /semgrep-cli'],
  ...['POST /generate_plexalyzer_token', 'POST /add_plexalyzer_token'],
  ...['GET /team', 'POST /team', 'DELETE /team/{}', 'GET /users-developer', 'POST /users-developer'],
  ...['POST /register', 'POST /login', 'POST /login/google', 'POST /logout', 'GET /session'],
  ...['POST /user/change_password', 'POST /password-reset-request', 'POST /password-reset-confirm'],
  ...[
    'POST /accept-verification/{}',
    'GET /verify-register/{}',
    'POST /verify-register/{}',
    'GET /resend-verification/{}',
  ],
  ...['POST /user/check-2fa', 'POST /user/configure-2fa', 'POST /user/save-2fa', 'POST /user/remove-2fa'],
  ...['GET /client/notifications', 'POST /client/notifications'],
  ...['PUT /client/notifications/{}', 'DELETE /client/notifications/{}'],
];

const EMAIL = 'grace@quay.example';
const PASSWORDS = ['Steady-Anchor-9!', 'Steady-Anchor-10!', 'Steady-Anchor-11!'] as const;

let server: TestServer;
const made = new Set<string>();

beforeAll(async () => {
  // nobody listens there: what would be sent is read from the outbox
  server = await startTestServer({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
});
afterAll(() => server.close());

let token = '';

/** Makes a call and notes it. @param id the part of the address that names one thing */
const call = async (
  name: string,
  { id, query = '', body, status = 200 }: { id?: string; query?: string; body?: unknown; status?: number } = {},
) => {
  made.add(name);
  const [method = '', path = ''] = name.split(' ');
  const answer = await server.call(method, `${path.replace('{}', id ?? '')}${query}`, {
    ...(token === '' ? {} : { as: { token } }),
    ...(body === undefined ? {} : { body }),
    headers: { accept: 'application/vnd.breakwater.token+json' },
  });
  expect([name, answer.status, answer.status === status ? null : answer.body]).toEqual([name, status, null]);
  return answer.body;
};
/** The token in the link of the latest mail to somebody. */
const mailed = async (to: string): Promise<string> => {
  const { rows } = await server.scene.owner.query(
    `select content -> 'link' ->> 'path' as path from mails where recipient = $1 order by id desc limit 1`,
    [to],
  );
  return /[^/=]+$/.exec(rows[0].path)?.[0] ?? '';
};
const account = (username: string, password: string) => ({ username, password, confirm_password: password });
const signIn = async (password: string) => {
  token = '';
  token = (await call('POST /login', { body: { email: EMAIL, password } })).data.access_token;
};

test('every call of identity, client and notifications answers, from the registration to the end of the session', async () => {
  await call('POST /register', { body: { organization_name: 'Quay Works', email: EMAIL } });
  await call('GET /resend-verification/{}', { id: await mailed(EMAIL) });
  const registration = await mailed(EMAIL);
  expect((await call('GET /verify-register/{}', { id: registration })).data.email).toBe(EMAIL);
  await call('POST /verify-register/{}', { id: registration, body: account('grace', PASSWORDS[0]) });
  await call('POST /login/google', { body: { clientId: 'x', credential: 'y' }, status: 409 });
  await signIn(PASSWORDS[0]);
  expect((await call('GET /session')).data).toMatchObject({ user: { email: EMAIL, role: 'admin' }, enable_2fa: false });

  await call('POST /team', { body: { email: 'dev@quay.example', role: 'developer' }, status: 201 });
  await call('POST /users-developer', { body: { email: 'ops@quay.example', role: 'cyberoper' }, status: 201 });
  const own = token;
  token = '';
  await call('POST /accept-verification/{}', {
    id: await mailed('dev@quay.example'),
    body: account('dev', PASSWORDS[0]),
  });
  token = own;
  const { data: developers } = await call('GET /users-developer');
  expect(developers.map(({ attributes }: { attributes: { username: string } }) => attributes.username)).toEqual([
    'dev',
  ]);
  expect((await call('GET /team', { query: '?search=quay' })).meta.pagination.total).toBe(3);
  const [{ _id: developer }] = developers;

  const notice = { user_id: (await call('GET /session')).data.user._id, notification_type: 'sla_due', title: 'Look' };
  await call('POST /client/notifications', { body: notice, status: 201 });
  const listed = await call('GET /client/notifications', { query: '?notification_type=sla_due' });
  expect(listed.meta.pagination).toEqual({ page: 1, pageSize: 50, pageCount: 1, total: 1 });
  const [{ _id: id }] = listed.data;
  await call('PUT /client/notifications/{}', { id, body: { status: 'read' } });
  await call('DELETE /client/notifications/{}', { id });
  await call('DELETE /team/{}', { id: developer });

  expect((await call('GET /client')).data).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await call('PUT /client', { body: { schedule_scan: 'weekly' } });
  await call('PUT /client/billing', { body: { legal_name: 'Quay AG', address: 'Quay 1' } });
  await call('PUT /client/config', { body: { key: 'semgrep_cli', values: { token: 'x'.repeat(40) } } });
  await call('DELETE /client/config', { query: '?key=semgrep_cli' });
  await call('POST /semgrep-cli', { body: { token: 'y'.repeat(40), config: 'p/default' } });
  expect((await call('GET /semgrep-cli')).data).toMatchObject({ has_token: true, config: 'p/default' });
  await call('DELETE /semgrep-cli');
  const expired_at = new Date(Date.now() + 86_400_000).toISOString();
  const generated = await call('POST /generate_plexalyzer_token', { body: { name: 'ci', expired_at }, status: 201 });
  await call('POST /add_plexalyzer_token', { body: { token: generated.data.token } });

  await call('POST /user/check-2fa');
  const { secret } = (await call('POST /user/configure-2fa')).data.otp_data;
  const codeOf = (period: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + period * 30 });
  await call('POST /user/save-2fa', { body: { otp_code: codeOf(0) } });
  await call('POST /user/remove-2fa', { body: { otp_code: codeOf(1) } });

  const [old, next, last] = PASSWORDS;
  await call('POST /user/change_password', { body: { old_password: old, password: next, confirm_password: next } });
  token = '';
  await call('POST /password-reset-request', { body: { email: EMAIL } });
  const reset = await mailed(EMAIL);
  await call('POST /password-reset-confirm', { body: { token: reset, password: last, confirm_password: last } });
  await signIn(last);
  await call('POST /logout');
  await call('GET /session', { status: 401 });
  expect([...made].toSorted()).toEqual(CALLS.toSorted());
});
