import { MAIN_DATABASE } from '@breakwater/core/platform/server/placed-database.ts';
import type pg from 'pg';
import { withClient } from '../postgres/app-login.ts';

/**
 * What the tables themselves would break in a move: a change whose old row does not say whose it was is refused by the publisher, for every
 * client; a foreign key that leaves the client's rows would point to nothing in another database.
 */
const OF_THE_TABLES = `
  with moved as (
    select c.oid, c.relreplident from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'placements'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped)
  )
  select format('changes of %s do not name the organisation: give it a key with client_id, or replica identity full', oid::regclass) as obstacle
  from moved where relreplident <> 'f' and not (relreplident = 'd' and exists (
    select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = moved.oid and i.indisprimary and a.attname = 'client_id'))
  union all
  select format('%s refers to %s, which does not move', conrelid::regclass, confrelid::regclass)
  from pg_constraint where contype = 'f' and conrelid in (select oid from moved)
    and confrelid not in (select oid from moved) and confrelid <> 'clients'::regclass
  union all
  select format('%s is partitioned, inherited or unlogged', c.oid::regclass) from pg_class c
  where c.relnamespace = 'public'::regnamespace and (c.relkind = 'p' or c.relkind = 'r' and (c.relispartition or c.relhassubclass or c.relpersistence <> 'p'))
  order by 1`;

/** What speaks against moving clients from or to a database with these tables. Empty: nothing. */
export const listTableObstacles = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ obstacle: string }>(OF_THE_TABLES);
  return rows.map(({ obstacle }) => obstacle);
};

interface Facts {
  is_superuser: boolean;
  wal_level: string;
  place: string;
  migrations: string;
}

const FACTS = `
  select r.rolsuper as is_superuser, current_setting('wal_level') as wal_level, s.system_identifier || '/' || d.oid as place,
    (select string_agg(name || ' ' || sha256, ', ' order by name) from schema_migrations) as migrations
  from pg_roles r, pg_control_system() s, pg_database d where r.rolname = current_user and d.datname = current_database()`;

const factsOf = async (client: pg.ClientBase): Promise<Facts> => {
  const { rows } = await client.query<Facts>(FACTS);
  if (rows[0] === undefined) throw new Error('The database does not say who its user is.');
  return rows[0];
};

/** @throws with everything that speaks against a move between these databases, and what to do. */
export const requireMovable = async (
  source: { name: string; client: pg.ClientBase },
  target: { name: string; client: pg.ClientBase },
): Promise<void> => {
  const [from, to] = [await factsOf(source.client), await factsOf(target.client)];
  const issues = await listTableObstacles(source.client);
  if (from.place === to.place) issues.push(`"${source.name}" and "${target.name}" are one database`);
  if (from.wal_level !== 'logical') issues.push(`set wal_level = logical in "${source.name}" and restart it`);
  // row-level security binds every other user: it would copy no row, and refuse to apply any
  for (const [{ is_superuser }, { name }] of [
    [from, source],
    [to, target],
  ] as const)
    if (!is_superuser) issues.push(`name a superuser in the address of "${name}"`);
  if (from.migrations !== to.migrations) issues.push('bring the tables of both to the same release');
  if (issues.length > 0) throw new Error(`The organisation cannot be moved: ${issues.join('; ')}.`);
};

/** Where a database says that a client is. */
export const placementIn = async (client: pg.ClientBase, clientId: string): Promise<string> => {
  const { rows } = await client.query<{ database: string }>('select database from placements where client_id = $1', [
    clientId,
  ]);
  return rows[0]?.database ?? MAIN_DATABASE;
};

/**
 * The server knows one database. Of an organisation that has been moved to another it would find nothing, or write to rows that the move left.
 * @throws where there is such an organisation
 */
export const requireOneDatabase = (ownerUrl: string): Promise<void> =>
  withClient({ connectionString: ownerUrl }, async (client) => {
    await client.query(`set app.identity = 'on'`);
    const { rows } = await client.query<{ client_id: string; database: string }>(
      'select client_id, database from placements where database <> $1 order by client_id limit 1',
      [MAIN_DATABASE],
    );
    if (rows[0] === undefined) return;
    throw new Error(
      `The organisation ${rows[0].client_id} was moved to the database "${rows[0].database}", and the server works with one database only. ` +
        `Move it back to "${MAIN_DATABASE}" first.`,
    );
  });
