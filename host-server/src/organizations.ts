import { OPERATOR } from '@breakwater/core/platform/server/audit.ts';
import pg from 'pg';
import { JOB_SCHEMA } from './jobs/pg-boss-queue.ts';

/** An organisation, as an operator names it. */
export interface NamedOrganization {
  id: string;
  name: string;
}

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'breakwater-admin' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const find = async (client: pg.Client, nameOrId: string): Promise<NamedOrganization> => {
  await client.query(`set app.identity = 'on'`);
  const { rows } = await client.query<NamedOrganization>(
    'select id, organization_name as name from clients where organization_name = $1 or id::text = lower($1) order by id',
    [nameOrId],
  );
  await client.query('reset app.identity');
  const [found, ...others] = rows;
  if (found === undefined) throw new Error(`There is no organisation "${nameOrId}".`);
  if (others.length > 0)
    throw new Error(
      `There are ${rows.length} organisations "${nameOrId}". Name one by its id: ${rows.map(({ id }) => id).join(', ')}.`,
    );
  return found;
};

/** By its exact name, or its id where several have that name. @throws where there is none, or more than one. */
export const findOrganization = (url: string, nameOrId: string): Promise<NamedOrganization> =>
  connected(url, (client) => find(client, nameOrId));

const TENANT_TABLES = `
  select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;

/** Rows of an organisation, by table, most first; tables without any are left out. */
export const countOrganization = (url: string, id: string): Promise<{ table: string; rows: number }[]> =>
  connected(url, async (client) => {
    await client.query(`select set_config('app.client_id', $1, false)`, [id]);
    const { rows: tables } = await client.query<{ name: string }>(TENANT_TABLES);
    const counts = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ rows: string }>(
        `select count(*) as rows from ${pg.escapeIdentifier(name)} where client_id = $1`,
        [id],
      );
      counts.push({ table: name, rows: Number(rows[0]?.rows ?? 0) });
    }
    return counts.filter(({ rows }) => rows > 0).toSorted((one, other) => other.rows - one.rows);
  });

/** What foreign keys do not reach, such as aggregates that the deletion itself has written anew. */
const deleteRest = async (client: pg.Client, id: string): Promise<void> => {
  const { rows: tables } = await client.query<{ name: string }>(TENANT_TABLES);
  for (const { name } of tables)
    await client.query(`delete from ${pg.escapeIdentifier(name)} where client_id = $1`, [id]);
};

/** Says in the audit log of every superadmin's organisation that it is gone: its own log goes with it. */
const writeDown = async (client: pg.Client, { id, name }: NamedOrganization): Promise<void> => {
  await client.query(`select set_config('app.identity', 'on', true)`);
  await client.query(
    `insert into audit_entries (client_id, kind, actor, actor_type, subject, details)
     select distinct client_id, 'data.removed', $1, $2, $3, '{"what": "organisation"}'::jsonb
     from users where role = 'superadmin' and client_id <> $4`,
    [OPERATOR.name, OPERATOR.type, name, id],
  );
};

/**
 * Deletes an organisation with everything that belongs to it, its audit log and waiting jobs too, in one transaction. As the owner of the
 * tables: the application itself may delete no young entry of the audit log. @returns whose it was. @throws where there is none
 */
export const deleteOrganization = (url: string, nameOrId: string): Promise<NamedOrganization> =>
  connected(url, async (client) => {
    const organization = await find(client, nameOrId);
    const { id } = organization;
    await client.query('begin');
    await client.query(`select set_config('app.client_id', $1, true), set_config('app.identity', 'on', true)`, [id]);
    await client.query('delete from clients where id = $1', [id]);
    await deleteRest(client, id);
    await client.query(`delete from ${JOB_SCHEMA}.job where data->>'clientId' = $1`, [id]);
    await writeDown(client, organization);
    await client.query('commit');
    return organization;
  });
