import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import {
  createUser,
  createUsers,
  TEST_PASSWORD,
  type TestUser,
  type TestUsers,
} from '../../../../tools/testing/users.ts';

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());

const invite = async (email: string, role = 'developer', as: 'admin' | 'cyberoper' = 'admin') =>
  server.call('POST', '/team', { as, body: { email, role } });
const tokenOf = (link: string): string => new URL(link, 'http://h.invalid').searchParams.get('token') ?? '';
const accept = (token: string, username: string, password = TEST_PASSWORD) =>
  server.call('POST', `/accept-verification/${token}`, { body: { username, password, confirm_password: password } });
const emails = async (query = ''): Promise<string[]> =>
  (await server.call('GET', `/team${query}`, { as: 'admin' })).body.data.map(
    (one: { attributes: { email: string } }) => one.attributes.email,
  );
const join = async (name: string, role = 'developer'): Promise<{ id: string; token: string }> => {
  const made = await invite(`${name}@example.test`, role);
  expect((await accept(tokenOf(made.body.data.link), name)).status).toBe(200);
  const headers = { accept: 'application/vnd.breakwater.token+json' };
  const { body } = await server.call('POST', '/login', { body: { username: name, password: TEST_PASSWORD }, headers });
  return { id: body.data.user._id, token: body.data.access_token };
};

test('an admin invites, the person accepts once with the password policy, and admins hear of it', async () => {
  const made = await invite('ann@example.test', 'cyberoper');
  expect(made.status).toBe(201);
  expect(made.body.data.attributes).toMatchObject({ email: 'ann@example.test', role: 'cyberoper', status: 'invited' });
  const token = tokenOf(made.body.data.link);
  const stored = await server.scene.owner.query('select token_hash from invitations');
  expect(JSON.stringify(stored.rows)).not.toContain(token);
  expect((await server.call('GET', `/accept-verification/${token}`)).body.data).toEqual({
    email: 'ann@example.test',
    role: 'cyberoper',
    organization_name: 'Test Organisation',
  });
  expect((await accept(token, 'ann', 'short')).status).toBe(422);
  expect((await accept(token, server.users.admin.username)).body.detail[0].loc).toEqual(['body', 'username']);
  expect((await accept(token, 'ann')).body).toMatchObject({ success: true, data: { email: 'ann@example.test' } });
  expect((await accept(token, 'ann2')).body.code).toBe('invitation_not_found');
  expect((await server.call('GET', `/accept-verification/${token}`)).status).toBe(404);
  const login = await server.call('POST', '/login', { body: { email: 'ann@example.test', password: TEST_PASSWORD } });
  expect(login.body.data.user).toMatchObject({ username: 'ann', role: 'cyberoper' });
  const { body } = await server.call('GET', '/client/notifications?notification_type=invite_accepted', { as: 'admin' });
  expect(body.data[0].attributes).toMatchObject({ title: 'ann joined the organisation', link: '/settings/team' });
});

test('20 who open one link at once make one account', async () => {
  const token = tokenOf((await invite('many@example.test')).body.data.link);
  const answers = await Promise.all(Array.from({ length: 20 }, (_value, index) => accept(token, `many-${index}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
});

test('a second invitation replaces the first, a withdrawn or expired one opens nothing, a member is not invited again', async () => {
  const first = tokenOf((await invite('bo@example.test')).body.data.link);
  const second = await invite('BO@example.test', 'admin');
  expect((await server.call('GET', `/accept-verification/${first}`)).status).toBe(404);
  expect((await emails('?search=bo%40')).length).toBe(1);
  const token = tokenOf(second.body.data.link);
  await server.scene.owner.query(
    `update invitations set expires_at = now() - interval '1 second' where lower(email) = 'bo@example.test'`,
  );
  expect((await accept(token, 'bo')).status).toBe(404);
  const third = await invite('bo@example.test');
  expect((await server.call('DELETE', `/team/${third.body.data._id}`, { as: 'admin' })).status).toBe(200);
  expect((await accept(tokenOf(third.body.data.link), 'bo')).status).toBe(404);
  expect((await invite(server.users.developer.email)).body.code).toBe('conflict');
});

test('only admins see and change the team, of their own organisation alone; nobody makes a superadmin', async () => {
  const refused = await invite('x@example.test', 'developer', 'cyberoper');
  expect(refused).toMatchObject({ status: 403, body: { detail: 'Your role does not allow this.' } });
  expect((await invite('x@example.test', 'superadmin')).status).toBe(422);
  expect(
    (await server.call('POST', '/team', { as: 'admin', body: { email: ['a@b.test'], role: 'developer' } })).status,
  ).toBe(422);
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PUT', { role: 'developer' }],
  ] as const) {
    const path = `/team/${others.cyberoper.id}`;
    expect((await server.call(method, path, { as: 'admin', body })).body.code).toBe('user_not_found');
  }
  expect(await emails()).not.toContain(others.admin.email);
  const members = await server.call('GET', '/members', { as: 'developer' });
  expect(JSON.stringify(members.body)).not.toContain('@');
  expect(members.body.data.length).toBeGreaterThanOrEqual(3);
});

test('another role or removal ends the sessions at once', async () => {
  const carl = await join('carl');
  const session = () => server.call('GET', '/session', { as: { token: carl.token } });
  expect((await session()).body.data.user.role).toBe('developer');
  await server.call('PUT', `/team/${carl.id}`, { as: 'admin', body: { role: 'cyberoper' } });
  expect((await session()).status).toBe(401);
  const again = await server.call('POST', '/login', { body: { username: 'carl', password: TEST_PASSWORD } });
  expect(again.body.data.user.role).toBe('cyberoper');
  await server.call('DELETE', `/team/${carl.id}`, { as: 'admin' });
  expect((await server.call('POST', '/login', { body: { username: 'carl', password: TEST_PASSWORD } })).status).toBe(
    401,
  );
  expect(await emails()).not.toContain('carl@example.test');
  // the e-mail is free again
  expect((await invite('carl@example.test')).status).toBe(201);
});

const REPORT = JSON.stringify({
  results: [
    {
      check_id: 'python.eval',
      path: 'src/a.py',
      start: { line: 1, col: 1 },
      end: { line: 1, col: 9 },
      extra: { message: 'Do not use eval.', severity: 'ERROR', metadata: {}, lines: 'eval(x)' },
    },
  ],
  errors: [],
  version: '1.2.0',
});

test('what a member owned goes to whom the admin names, with its history', async () => {
  const dora = await join('dora');
  const { developer } = server.users;
  const added = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: {
      source_control: 'git',
      data: [{ nickname: 'dora-shop', url: 'https://git.example.test/dora.git', owner: dora.id }],
    },
  });
  const repository: string = added.body.data[0]._id;
  const upload = { tool: 'opengrep', ext: 'json', file: Buffer.from(REPORT).toString('base64') };
  const uploaded = await server.call('POST', `/upload_scan/${repository}?wait=60`, { as: 'admin', body: upload });
  expect(uploaded.body, JSON.stringify(uploaded.body)).toMatchObject({ success: true });
  // on a busy machine the import may outlast the wait
  const mine = async () => (await server.call('GET', '/findings', { as: { token: dora.token } })).body.data;
  await expect.poll(async () => (await mine()).length).toBeGreaterThan(0);
  const finding: string = (await mine())[0]._id;
  await server.call('PUT', `/findings/${finding}`, {
    as: 'admin',
    body: { issue_owner: dora.id, developer_ids: [dora.id] },
  });
  const strange = await server.call('DELETE', `/team/${dora.id}?hand_over_to=${others.developer.id}`, { as: 'admin' });
  expect(strange.status).toBe(422);
  expect((await server.call('DELETE', `/team/${dora.id}?hand_over_to=${developer.id}`, { as: 'admin' })).status).toBe(
    200,
  );
  expect((await server.call('GET', `/repositories/${repository}`, { as: 'admin' })).body.data.attributes.owner).toBe(
    developer.id,
  );
  await expect
    .poll(
      async () => {
        const { body } = await server.call('GET', `/findings/${finding}`, { as: 'admin' });
        return [body.data.attributes.issue_owner, body.data.attributes.developers];
      },
      { timeout: 120_000 },
    )
    .toEqual([developer.id, [developer.id]]);
  const assigned = '/client/notifications?notification_type=finding_assigned';
  const told = async () => (await server.call('GET', assigned, { as: 'developer' })).body.data.length;
  await expect.poll(told).toBeGreaterThan(0);
});

test('the last admin stays: 20 who remove each other at once leave one, nobody removes or demotes the last', async () => {
  const { clientId } = others;
  const { database } = server.scene;
  const more: TestUser[] = [];
  for (let index = 0; index < 19; index += 1) more.push(await createUser(database, clientId, 'admin'));
  const admins = [others.admin, ...more];
  const as = (user: TestUser) => ({ token: user.token });
  const remaining = async () =>
    (
      await server.scene.owner.query(
        `select id from users where client_id = $1 and role = 'admin' and status = 'active'`,
        [clientId],
      )
    ).rows.map(({ id }) => id as string);
  for (let round = 0; round < 20 && (await remaining()).length > 1; round += 1) {
    const ids = await remaining();
    await Promise.all(
      ids.map((id, index) => {
        const caller = admins.find((user) => user.id === id);
        const target = ids[(index + 1) % ids.length];
        return caller && server.call('DELETE', `/team/${target}`, { as: as(caller) });
      }),
    );
    expect((await remaining()).length).toBeGreaterThan(0);
  }
  const [last] = await remaining();
  expect(await remaining()).toHaveLength(1);
  const caller = admins.find((user) => user.id === last);
  const token = caller?.token ?? '';
  const demoted = await server.call('PUT', `/team/${last}`, { as: { token }, body: { role: 'developer' } });
  expect(demoted.body).toMatchObject({ code: 'conflict' });
  expect((await server.call('DELETE', `/team/${last}`, { as: { token } })).body.code).toBe('conflict');
  expect(await remaining()).toEqual([last]);
});
