import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { ClientTable } from './client-rows.ts';

const copyTable = async (
  { source, target }: { source: pg.Client; target: pg.Client },
  { name, columns, key }: ClientTable,
  clientId: string,
): Promise<void> => {
  const table = pg.escapeIdentifier(name);
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  await pipeline(
    source.query(copyTo(`copy (select ${list} from ${table} where ${key} = ${pg.escapeLiteral(clientId)}) to stdout`)),
    target.query(copyFrom(`copy ${table} (${list}) from stdin`)),
  );
};

const UNIQUE = '23505';

/**
 * Copies a client as it stood at a snapshot, in one transaction of each side. Without triggers, as the aggregates are copied too, and without
 * foreign keys, which no order of the tables would satisfy. Every table with one snapshot: the subscription's own copy takes a slot
 * and a worker for each, and waits for ever where the servers allow fewer.
 * @throws where the target has a row that excludes one of these
 */
export const copyRows = async (
  between: { source: pg.Client; target: pg.Client; tables: readonly ClientTable[] },
  clientId: string,
  snapshot: string,
): Promise<void> => {
  const { source, target, tables } = between;
  await source.query(
    `begin isolation level repeatable read read only; set transaction snapshot ${pg.escapeLiteral(snapshot)}`,
  );
  await target.query('begin; set local session_replication_role = replica');
  try {
    for (const table of tables) await copyTable(between, table, clientId);
    await target.query('commit');
  } catch (error) {
    if (Object(error).code !== UNIQUE) throw error;
    throw new Error(
      `The database that the organisation moves to has the same elsewhere: ${String(Object(error).detail)} Change one of the two first.`,
      { cause: error },
    );
  } finally {
    await target.query('rollback').catch(() => undefined);
    await source.query('rollback').catch(() => undefined);
  }
};
