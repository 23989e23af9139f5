import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

const APP_ROLE = 'breakwater_app';
/** Rows of the queue, of the migrations, the platform's own switches and sign-ins of nobody yet belong to no client. */
const WITHOUT_CLIENT = [
  'schema_migrations',
  'rate_limits',
  'platform_connector_switches',
  'reference_feeds',
  'google_sign_ins',
  'pricings',
  'pricing_prices',
  'partners',
  'verified_publishers',
  'installed_plugins',
  'installed_plugin_versions',
];
/** The search functions read these two as their owner; see docs/decisions. */
const NOT_FORCED = ['finding_definitions', 'finding_files'];

let it: TestDatabase;
const clients: string[] = [];

beforeAll(async () => {
  it = await createTestDatabase();
  for (const name of ['Harbour Works', 'Lighthouse Ltd']) {
    const { rows } = await it.owner.query('insert into clients (organization_name) values ($1) returning id', [name]);
    clients.push(rows[0].id);
    await it.owner.query('begin');
    await it.owner.query("select set_config('app.client_id', $1, true)", [rows[0].id]);
    await it.owner.query("insert into repositories (client_id, nickname, source_control) values ($1, $2, 'git')", [
      rows[0].id,
      name,
    ]);
    await it.owner.query('commit');
  }
});
afterAll(() => it.drop());

const tables = async (): Promise<
  { name: string; isOn: boolean; isForced: boolean; owner: string; hasClient: boolean }[]
> => {
  const { rows } = await it.owner.query(`
    select c.relname as name, c.relrowsecurity as "isOn", c.relforcerowsecurity as "isForced", r.rolname as owner,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id') as "hasClient"
    from pg_class c join pg_roles r on r.oid = c.relowner
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`);
  return rows;
};

test('every table that belongs to a client is under row-level security, and only those may lack a client', async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(20);
  const owned = all.filter((table) => table.hasClient || table.name === 'clients');
  expect(owned.filter((table) => !table.isOn).map((table) => table.name)).toEqual([]);
  expect(owned.filter((table) => !table.isForced).map((table) => table.name)).toEqual(NOT_FORCED);
  const others = all.filter((table) => !table.hasClient && table.name !== 'clients').map((table) => table.name);
  expect(others.filter((name) => !WITHOUT_CLIENT.includes(name))).toEqual([]);
});

test('the client is first in the key of every such table', async () => {
  const { rows } = await it.owner.query(`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisprimary and c.relnamespace = 'public'::regnamespace and a.attname <> 'client_id'
      and exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'client_id')`);
  expect(rows).toEqual([]);
});

test('the role of the application owns nothing and cannot switch the security off', async () => {
  expect((await tables()).filter((table) => table.owner === APP_ROLE)).toEqual([]);
  const { rows } = await it.owner.query(
    'select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin from pg_roles where rolname = $1',
    [APP_ROLE],
  );
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcanlogin: false }]);
  await expect(
    it.database.forClient(clients[0]!, async (db) =>
      sql`alter table repositories disable row level security`.execute(db),
    ),
  ).rejects.toThrow(/must be owner/);
});

test('without a client no table shows a row', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000';
  for (const { name } of (await tables()).filter((table) => table.hasClient || table.name === 'clients')) {
    const rows = await it.database.forClient(
      nobody,
      async (db) => (await sql`select 1 from ${sql.table(name)}`.execute(db)).rows,
    );
    expect(rows, name).toEqual([]);
  }
});

test('a client sees its own rows and can neither read, change nor plant rows of another', async () => {
  const [mine, theirs] = clients;
  const names = await it.database.forClient(
    mine!,
    async (db) => (await sql<{ nickname: string }>`select nickname from repositories`.execute(db)).rows,
  );
  expect(names).toEqual([{ nickname: 'Harbour Works' }]);
  const changed = await it.database.forClient(mine!, async (db) =>
    sql`update repositories set nickname = 'taken' where client_id = ${theirs}`.execute(db),
  );
  expect(changed.numAffectedRows).toBe(0n);
  await expect(
    it.database.forClient(mine!, async (db) =>
      sql`insert into repositories (client_id, nickname, source_control) values (${theirs}, 'planted', 'git')`.execute(
        db,
      ),
    ),
  ).rejects.toThrow(/row-level security/);
});

test('two hundred interleaved transactions of two clients never mix', async () => {
  const seen = await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const client = clients[index % 2]!;
      return it.database.forClient(client, async (db) => {
        const { rows } = await sql<{ client_id: string }>`select client_id from repositories, pg_sleep(0.001)`.execute(
          db,
        );
        return rows.every((row) => row.client_id === client) && rows.length === 1;
      });
    }),
  );
  expect(seen.every(Boolean)).toBe(true);
});
