import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, TEST_PASSWORD, type TestUsers } from '../../../../tools/testing/users.ts';

const REPORT = new URL('../../../data/demo-juice-shop/opengrep.semgrep-json.json', import.meta.url);
const SBOM = new URL('../../../data/demo-juice-shop/sbom.cyclonedx-1.2.json', import.meta.url);

let server: TestServer;
let other: TestUsers;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  other = await filled('Other Organisation');
});
afterAll(() => server.close());

const call = async (as: { token: string }, method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { as, ...(body === undefined ? {} : { body }) });
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer;
};
const sql = async (text: string, values: unknown[] = []) => (await server.scene.owner.query(text, values)).rows;

const filled = async (name: string): Promise<TestUsers> => {
  const users = await createUsers(server.scene.database, name);
  const repositories = {
    source_control: 'git',
    data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }],
  };
  const made = await call(users.admin, 'POST', '/create_repository_with_list', repositories);
  for (const file of [REPORT, SBOM]) {
    const report = (await readFile(file)).toString('base64');
    await call(users.admin, 'POST', `/upload_scan/${made.body.data[0]._id}?wait=100`, { tool: 'auto', file: report });
  }
  await call(users.admin, 'POST', '/team', { email: `new-${users.clientId}@example.test`, role: 'developer' });
  return users;
};

/** How many rows of each table of every schema name the organisation, in whatever column. */
const traces = async (id: string): Promise<Record<string, number>> => {
  const tables = await sql(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql(`select count(*)::int as rows from ${name} t where t::text ilike $1`, [`%${id}%`]);
    if (row.rows > 0) found[name] = row.rows;
  }
  return found;
};

const remove = (users: TestUsers, more: object = {}) =>
  server.call('DELETE', '/client', {
    as: users.admin,
    body: { organization_name: users.organizationName, password: TEST_PASSWORD, ...more },
  });

const withoutJobs = ({
  'public.job_state': _,
  'pgboss.job_common': __,
  'pgboss.job': ___,
  ...rows
}: Record<string, number>) => rows;

test('a deleted organisation leaves nothing in any table; another one keeps every row', async () => {
  const users = await filled('To be deleted');
  const kept = withoutJobs(await traces(other.clientId));
  expect(Object.keys(await traces(users.clientId)).length).toBeGreaterThan(20);
  const { data } = (await call(users.admin, 'GET', '/client/deletion')).body;
  expect(data).toMatchObject({ organization_name: 'To be deleted', people: 3, repositories: 1, refusal: null });
  expect(data.findings).toBeGreaterThan(10);

  expect((await remove(users)).status).toBe(200);

  expect(await traces(users.clientId)).toEqual({});
  expect(withoutJobs(await traces(other.clientId))).toEqual(kept);
  for (const user of [users.admin, users.cyberoper, users.developer])
    expect((await server.call('GET', '/session', { as: user })).status).toBe(401);
  const entries = await sql(
    `select actor, subject, details from audit_entries where kind = 'data.removed' and client_id = $1`,
    [users.superadmin.clientId],
  );
  expect(entries).toEqual([
    { actor: 'Admin of the organisation', subject: 'To be deleted', details: { what: 'organisation' } },
  ]);
});

test('only an admin who proves it and types the name deletes, and nobody for others', async () => {
  const users = await createUsers(server.scene.database, 'Guarded');
  for (const user of [users.cyberoper, users.developer, users.superadmin])
    for (const [method, path] of [
      ['DELETE', '/client'],
      ['GET', '/client/export'],
      ['GET', '/client/deletion'],
    ] as const) {
      const body = method === 'DELETE' ? { organization_name: 'Guarded', password: TEST_PASSWORD } : undefined;
      expect((await server.call(method, path, { as: user, ...(body && { body }) })).status).toBe(403);
    }
  for (const [more, field] of [
    [{ password: 'wrong' }, 'password'],
    [{ organization_name: other.organizationName }, 'organization_name'],
  ] as const) {
    const answer = await remove(users, more);
    expect([answer.status, answer.body.detail[0].loc.at(-1)]).toEqual([422, field]);
  }
  expect((await server.call('GET', '/session', { as: users.admin })).status).toBe(200);
});

test('of two deletions at once one succeeds', async () => {
  const users = await createUsers(server.scene.database, 'Twice');
  const answers = await Promise.all([remove(users), remove(users)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a deletion whose connection dies half way leaves all of it, and can be repeated', async () => {
  const users = await filled('Killed');
  const before = withoutJobs(await traces(users.clientId));
  await sql('begin');
  await sql('lock table feedback_posts in access exclusive mode');
  const answer = remove(users);
  const waiting = async () => {
    await sql('select pg_stat_clear_snapshot()');
    return sql(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and pid <> pg_backend_pid() and datname = current_database()`,
    );
  };
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  const [{ pid }] = await waiting();
  await sql('select pg_terminate_backend($1)', [pid]);
  await sql('commit');
  expect((await answer).status).toBeGreaterThanOrEqual(500);
  expect(withoutJobs(await traces(users.clientId))).toEqual(before);
  expect((await remove(users)).status).toBe(200);
  expect(await traces(users.clientId)).toEqual({});
});

test('while somebody pays for a plan nothing is deleted, and the refusal says what to do', async () => {
  const users = await createUsers(server.scene.database, 'Paying');
  await sql(
    `insert into billing_accounts (client_id, customer_id, subscription_id, subscription_status) values ($1, $2, 'sub_1', 'active')`,
    [...[users.clientId, `cus_${users.clientId}`]],
  );
  const refused = await remove(users);
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('choose the free plan')]);
  expect((await call(users.admin, 'GET', '/client/deletion')).body.data.refusal).toBe(refused.body.detail);
  await sql('update billing_accounts set cancel_at_period_end = true where client_id = $1', [users.clientId]);
  await sql(
    `insert into marketplace_subscriptions (client_id, subscription_id, name, offer_id, plan_id, status) values ($1, $2, 'n', 'o', 'p', 'Suspended')`,
    [...[users.clientId, users.clientId]],
  );
  expect((await remove(users)).body.detail).toContain('Microsoft Marketplace');
  await sql(`update marketplace_subscriptions set status = 'Unsubscribed' where client_id = $1`, [users.clientId]);
  expect((await remove(users)).status).toBe(200);
});

test('an organisation of superadmins is the operator’s to delete', async () => {
  const users = await createUsers(server.scene.database, 'Operators');
  await sql(`update users set role = 'superadmin' where id = $1`, [users.cyberoper.id]);
  const refused = await remove(users);
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('whoever operates the server')]);
  expect((await call(users.admin, 'GET', '/client/deletion')).body.data.refusal).toBe(refused.body.detail);
});

test('the export holds every row of the organisation, none of others, and no secret', async () => {
  const response = await fetch(`${server.baseUrl}/api/v1/client/export`, {
    headers: { authorization: `Bearer ${other.admin.token}` },
  });
  expect(response.headers.get('content-disposition')).toContain('.json.gz');
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
  const { tables } = JSON.parse(text);
  const [counts] = await sql(
    `select (select count(*)::int from findings where client_id = $1) as findings, (select count(*)::int from components where client_id = $1) as components`,
    [other.clientId],
  );
  expect([tables.findings.length, tables.components.length]).toEqual([counts.findings, counts.components]);
  expect(tables.clients).toEqual([expect.objectContaining({ organization_name: other.organizationName })]);
  expect(tables.users.map(({ email }: { email: string }) => email)).toContain(other.developer.email);
  expect(text).not.toMatch(/argon2|token_hash|ciphertext/);
  for (const secret of ['vault', 'sessions', 'recovery_codes']) expect(tables[secret]).toBeUndefined();
  expect(text).not.toContain(server.users.clientId);
  expect(text).not.toContain(server.users.admin.email);
});
