import { createHash } from 'node:crypto';
import pg from 'pg';
import { listTables } from '../backup/table-catalogue.ts';

/** A table with rows of clients. */
export interface ClientTable {
  name: string;
  /** Without those that the database computes. */
  columns: string[];
  /** Its column that says whose a row is. */
  key: 'client_id' | 'id';
}

/** How many rows of a client a table has, and a digest of them that knows no order. */
export interface TableDigest {
  table: string;
  rows: number;
  digest: string;
}

/** Says where clients are, and so is of the database rather than of the client. */
const OF_THE_DATABASE = 'placements';

/** Every table whose rows go along with a client, by name: all that have a `client_id`, and the client itself. */
export const listClientTables = async (client: pg.ClientBase): Promise<ClientTable[]> =>
  (await listTables(client))
    .filter(({ name, hasClient }) => (hasClient && name !== OF_THE_DATABASE) || name === 'clients')
    .map(({ name, columns, hasClient }) => ({ name, columns, key: hasClient ? 'client_id' : 'id' }));

/** How a row is written as text must not depend on the server. */
export const DIGEST_OPTIONS = '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex';

const digestTable = async (
  client: pg.ClientBase,
  { name, columns, key }: ClientTable,
  clientId: string,
): Promise<TableDigest> => {
  const row = `row(${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})::text`;
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(${row}), 16))::bit(64)::bigint::numeric), 0)::text as digest
     from ${pg.escapeIdentifier(name)} where ${key} = $1`,
    [clientId],
  );
  return { table: name, rows: Number(rows[0]?.rows), digest: rows[0]?.digest ?? '' };
};

/**
 * Every table of a client, in the order of `tables`. Reads each of its rows once.
 * @param deadline time in milliseconds, after which no further table is begun. @throws then
 */
export const digestClient = async (
  client: pg.ClientBase,
  tables: readonly ClientTable[],
  clientId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<TableDigest[]> => {
  const digests: TableDigest[] = [];
  for (const table of tables) {
    if (Date.now() > deadline) throw new Error(`Comparing the rows took too long; ${table.name} was not reached.`);
    digests.push(await digestTable(client, table, clientId));
  }
  return digests;
};

/** One digest of all of them. */
export const summarise = (digests: readonly TableDigest[]): string =>
  createHash('sha256').update(JSON.stringify(digests)).digest('hex');

/**
 * Deletes a client's rows, within a transaction. Without triggers and foreign keys: aggregates and all that refers to a row go with it,
 * since nothing of a client refers to another.
 */
export const deleteClientRows = async (
  client: pg.ClientBase,
  tables: readonly ClientTable[],
  clientId: string,
): Promise<void> => {
  await client.query('set local session_replication_role = replica');
  for (const { name, key } of tables)
    await client.query(`delete from ${pg.escapeIdentifier(name)} where ${key} = $1`, [clientId]);
};
