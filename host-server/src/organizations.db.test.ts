import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tools/testing/server.ts';
import { createUser, createUsers, type TestUsers } from '../../tools/testing/users.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import { countOrganization, deleteOrganization, findOrganization } from './organizations.ts';

const REPORT = new URL('../../core/data/demo-juice-shop/opengrep.semgrep-json.json', import.meta.url);
const SBOM = new URL('../../core/data/demo-juice-shop/sbom.cyclonedx-1.2.json', import.meta.url);

let server: TestServer;
let other: TestUsers;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  other = await createUsers(server.scene.database);
  for (const token of [server.users.admin.token, other.admin.token]) await fill(token);
});
afterAll(() => server.close());

/** What organisations have: applications, reports, components, people, tokens, decisions, feedback. */
const fill = async (token: string): Promise<void> => {
  const call = async (method: string, where: string, body?: unknown) => {
    const answer = await server.call(method, where, { as: { token }, ...(body === undefined ? {} : { body }) });
    expect(answer.status, `${method} ${where} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const made = await call('POST', '/create_repository_with_list', {
    source_control: 'git',
    data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }],
  });
  for (const file of [REPORT, SBOM]) {
    const report = (await readFile(file)).toString('base64');
    await call('POST', `/upload_scan/${made.data[0]._id}?wait=100`, { tool: 'auto', file: report });
  }
  const list = await call('GET', '/findings?pagination[pageSize]=2');
  await call('PUT', `/findings/${list.data[0]._id}`, { verdict: { value: 'false_positive', reason: 'A test' } });
  await call('POST', '/team', { email: `new-${token.slice(0, 8).toLowerCase()}@example.test`, role: 'developer' });
};

/** Rows of every table of every schema that name the organisation, in whatever column. */
const traces = async (id: string): Promise<Record<string, number>> => {
  const { rows: tables } = await server.scene.owner.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await server.scene.owner.query(
      `select count(*)::int as rows from ${name} t where t::text ilike $1`,
      [`%${id}%`],
    );
    if (rows[0].rows > 0) found[name] = rows[0].rows;
  }
  return found;
};

test('one organisation is exported alone: restored elsewhere, nothing names the others', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-organization-'));
  const name = `exported_${Date.now()}`;
  // bound by row-level security, as a user of DATABASE_URL without more rights is
  const owner = `owner_of_${name}`;
  const maintenance = new pg.Client({ connectionString: inject('postgresUrl') });
  await maintenance.connect();
  await maintenance.query(`create role ${owner} login in role breakwater_app`);
  await maintenance.query(`create database ${name} owner ${owner}`);
  const superuserUrl = inject('postgresUrl').replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const url = superuserUrl.replace(/\/\/[^@/]*@/, `//${owner}@`);
  const file = path.join(folder, 'one.backup');
  await writeBackup({ url: server.scene.url, file, clientId: other.clientId });
  await restoreBackup({ url, file });
  const settled = (counts: { table: string; rows: number }[]) => counts.filter(({ table }) => table !== 'job_state');
  expect(settled(await countOrganization(url, other.clientId))).toEqual(
    settled(await countOrganization(server.scene.url, other.clientId)),
  );
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  expect((await client.query('select id from clients')).rows).toEqual([{ id: other.clientId }]);
  const { rows } = await client.query(`select tablename as name from pg_tables where schemaname in ('public')`);
  for (const table of rows) {
    const leaked = await client.query(`select from ${table.name} t where t::text ilike $1`, [
      `%${server.users.clientId}%`,
    ]);
    expect([table.name, leaked.rowCount]).toEqual([table.name, 0]);
  }
  await deleteOrganization(url, other.clientId);
  for (const table of rows) {
    const left = await client.query(`select from ${table.name} t where t::text ilike $1`, [`%${other.clientId}%`]);
    expect([table.name, left.rowCount]).toEqual([table.name, 0]);
  }
  await client.end();
  await maintenance.query(`drop database ${name} with (force)`);
  await maintenance.query(`drop role ${owner}`);
  await maintenance.end();
  await rm(folder, { recursive: true });
});

test('a deleted organisation leaves nothing in any table; the others keep every row, and superadmins read that it is gone', async () => {
  const { clientId } = server.users;
  const { name } = await findOrganization(server.scene.url, clientId);
  const kept = await countOrganization(server.scene.url, other.clientId);
  expect(Object.keys(await traces(clientId)).length).toBeGreaterThan(20);
  expect(await deleteOrganization(server.scene.url, clientId)).toEqual({ id: clientId, name });
  expect(await traces(clientId)).toEqual({});
  const settled = (counts: { table: string; rows: number }[]) => counts.filter(({ table }) => table !== 'job_state');
  expect(settled(await countOrganization(server.scene.url, other.clientId))).toEqual(settled(kept));
  const { rows } = await server.scene.owner.query(
    `select actor_type, subject from audit_entries where kind = 'data.removed' and client_id = $1`,
    [server.users.superadmin.clientId],
  );
  expect(rows).toEqual([{ actor_type: 'operator', subject: name }]);
  // its people are nobody now
  expect((await server.call('GET', '/session', { as: { token: server.users.admin.token } })).status).toBe(401);
  expect((await server.call('GET', '/session', { as: { token: other.admin.token } })).status).toBe(200);
});

test('a name that nobody or more than one has deletes nothing', async () => {
  await expect(deleteOrganization(server.scene.url, 'Nobody')).rejects.toThrow('There is no organisation "Nobody".');
  await server.scene.owner.query(`insert into clients (organization_name) values ('Twin'), ('Twin')`);
  await expect(deleteOrganization(server.scene.url, 'Twin')).rejects.toThrow(
    /2 organisations "Twin"\. Name one by its id/,
  );
  const user = await createUser(server.scene.database, other.clientId, 'developer');
  expect((await server.call('GET', '/session', { as: { token: user.token } })).status).toBe(200);
  const { rows } = await server.scene.owner.query(
    `select id from clients where organization_name = 'Twin' order by id`,
  );
  await deleteOrganization(server.scene.url, rows[0].id);
  expect((await findOrganization(server.scene.url, 'Twin')).id).toBe(rows[1].id);
});
