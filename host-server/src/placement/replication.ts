import pg from 'pg';
import type { ClientTable } from './client-rows.ts';

const POLL_MS = 25;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Of publication, subscription and replication slot. */
export const replicationName = (clientId: string): string => `breakwater_move_${clientId.replaceAll('-', '_')}`;

/**
 * Publishes the rows of one client. Without TRUNCATE, which no row filter limits. Columns that are computed are left out by default: the
 * other side computes them.
 */
export const publish = async (
  source: pg.ClientBase,
  tables: readonly ClientTable[],
  clientId: string,
): Promise<void> => {
  const filtered = tables.map(
    ({ name, key }) => `${pg.escapeIdentifier(name)} where (${key} = ${pg.escapeLiteral(clientId)})`,
  );
  await source.query(
    `create publication ${replicationName(clientId)} for table ${filtered.join(', ')} with (publish = 'insert, update, delete')`,
  );
};

export const isPublished = async (source: pg.ClientBase, clientId: string): Promise<boolean> =>
  (await source.query('select from pg_publication where pubname = $1', [replicationName(clientId)])).rowCount === 1;

export const unpublish = async (source: pg.ClientBase, clientId: string): Promise<void> => {
  await source.query(`drop publication if exists ${replicationName(clientId)}`);
};

/**
 * Keeps the changes of the source from now on. Waits for transactions that have begun before.
 * @returns the snapshot in front of them, which lives until `close`.
 */
export const openSlot = async (
  sourceUrl: string,
  clientId: string,
): Promise<{ snapshot: string; close(): Promise<void> }> => {
  const config = { connectionString: sourceUrl, replication: 'database' };
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ snapshot_name: string }>(
      // the replication protocol knows its words in capitals only
      `CREATE_REPLICATION_SLOT ${replicationName(clientId)} LOGICAL pgoutput EXPORT_SNAPSHOT`,
    );
    return { snapshot: rows[0]?.snapshot_name ?? '', close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
};

/** It would keep the source's log for ever. */
const dropSlot = async (source: pg.ClientBase, clientId: string): Promise<void> => {
  for (;;) {
    const { rows } = await source.query<{ active_pid: number | null }>(
      'select active_pid from pg_replication_slots where slot_name = $1',
      [replicationName(clientId)],
    );
    if (rows[0] === undefined) return;
    if (rows[0].active_pid === null) {
      await source.query('select pg_drop_replication_slot($1)', [replicationName(clientId)]);
      return;
    }
    await source.query('select pg_terminate_backend($1)', [rows[0].active_pid]);
    await pause();
  }
};

/** Says that rows of the client are a copy, which nothing changes yet. @param sourceUrl as the target's server reaches it. */
export const subscribe = async (target: pg.ClientBase, sourceUrl: string, clientId: string): Promise<void> => {
  const name = replicationName(clientId);
  // the first error disables it, instead of being tried for ever
  await target.query(
    `create subscription ${name} connection ${pg.escapeLiteral(sourceUrl)} publication ${name}
     with (enabled = false, create_slot = false, copy_data = false, slot_name = '${name}', disable_on_error = true)`,
  );
};

/** Applies the changes behind the snapshot of `openSlot`. */
export const startSubscription = async (target: pg.ClientBase, clientId: string): Promise<void> => {
  await target.query(`alter subscription ${replicationName(clientId)} enable`);
};

export const isSubscribed = async (target: pg.ClientBase, clientId: string): Promise<boolean> =>
  (await target.query('select from pg_subscription where subname = $1', [replicationName(clientId)])).rowCount === 1;

/** Ends its worker, so that no row arrives any more. */
export const stopSubscription = async (target: pg.ClientBase, clientId: string): Promise<void> => {
  const name = replicationName(clientId);
  await target.query(`alter subscription ${name} disable`);
  for (;;) {
    const { rowCount } = await target.query(
      'select pg_terminate_backend(pid) from pg_stat_subscription where subname = $1 and pid is not null',
      [name],
    );
    if (rowCount === 0) return;
    await pause();
  }
};

/** Removes subscription and slot, whichever there are. */
export const unsubscribe = async (
  { source, target }: { source: pg.ClientBase; target: pg.ClientBase },
  clientId: string,
): Promise<void> => {
  const name = replicationName(clientId);
  if (await isSubscribed(target, clientId)) {
    await stopSubscription(target, clientId);
    await target.query(`alter subscription ${name} set (slot_name = none)`);
    await target.query(`drop subscription ${name}`);
  }
  await dropSlot(source, clientId);
};

const requireEnabled = async (target: pg.ClientBase, clientId: string): Promise<void> => {
  const { rows } = await target.query<{ subenabled: boolean }>(
    'select subenabled from pg_subscription where subname = $1',
    [replicationName(clientId)],
  );
  if (rows[0]?.subenabled !== true)
    throw new Error('The database that the organisation moves to refused a change of its rows. Its log says which.');
};

/** The position behind everything that has been committed, and that is on the disk, as only then it is sent. */
const positionOf = async (source: pg.ClientBase): Promise<string> => {
  await source.query('set synchronous_commit = on');
  await source.query(`select pg_logical_emit_message(true, 'breakwater', 'position')`);
  const { rows } = await source.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
  return rows[0]?.lsn ?? '';
};

/**
 * Until the target has applied all that was committed before. Outside a transaction of `source`.
 * @returns milliseconds that it took. @throws after `limitMs`, and where the target refuses a row
 */
export const untilCaughtUp = async (
  { source, target }: { source: pg.ClientBase; target: pg.ClientBase },
  clientId: string,
  limitMs: number,
): Promise<number> => {
  const start = Date.now();
  const lsn = await positionOf(source);
  for (;;) {
    const { rows } = await source.query<{ is_there: boolean }>(
      'select confirmed_flush_lsn >= $2::pg_lsn as is_there from pg_replication_slots where slot_name = $1',
      [replicationName(clientId), lsn],
    );
    if (rows[0]?.is_there === true) return Date.now() - start;
    await requireEnabled(target, clientId);
    if (Date.now() - start > limitMs) throw new Error(`The copy is not up to date after ${limitMs / 1000} s.`);
    await pause();
  }
};
