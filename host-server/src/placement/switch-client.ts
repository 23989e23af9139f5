import type pg from 'pg';
import { type ClientTable, digestClient, summarise, type TableDigest } from './client-rows.ts';
import { untilCaughtUp } from './replication.ts';

/** Two databases during a move. */
export interface Switch {
  clientId: string;
  to: string;
  tables: readonly ClientTable[];
  source: pg.ClientBase;
  target: pg.ClientBase;
  /** Another session of the source, which holds the lock in one transaction. */
  holder: pg.ClientBase;
}

export interface Switched {
  /** Equal in both databases. */
  digests: TableDigest[];
  /** How long transactions of the client waited, at most. */
  stopMs: number;
}

/** Transactions that begin wait behind the lock, so it is asked for briefly, and again. */
const LOCK_WAIT = '2s';
const RETRY_MS = 500;
const MAX_ATTEMPTS = 240;
const MAX_CATCH_UP_MS = 10_000;
/** A stop that takes longer is given up, and everything stays as it was. Of one table no more than the limit of a statement. */
const MAX_COMPARE_MS = 20_000;
const STATEMENT_LIMIT = '20s';
/** Far above what can be given while the position is read and set. */
const SEQUENCE_MARGIN = 1_000_000;

/** Imports have connections of their own, which no transaction of the client waits for; a scan that has not ended says that one may run. */
const UNFINISHED_SCANS = `
  select from scans where client_id = $1 and status in ('queued', 'running', 'parsing', 'merging') limit 1`;

const isLockTimeout = (error: unknown): boolean => Object(error).code === '55P03';

/** Holds every transaction of the client, within a transaction of `holder`. @returns whether it came to that. */
const stopClient = async (holder: pg.ClientBase, clientId: string): Promise<boolean> => {
  try {
    await holder.query(`set local lock_timeout = '${LOCK_WAIT}'`);
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('placement:' || $1, 0))`, [clientId]);
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
  return (await holder.query(UNFINISHED_SCANS, [clientId])).rowCount === 0;
};

const requireEqual = (before: readonly TableDigest[], after: readonly TableDigest[]): void => {
  const different = before.filter((table, index) => JSON.stringify(table) !== JSON.stringify(after[index]));
  if (different.length === 0) return;
  throw new Error(`The copy is not equal in ${different.map(({ table }) => table).join(', ')}; nothing was switched.`);
};

/** Replication leaves sequences as they are. In the target only ever forward, as other clients are given numbers meanwhile. */
const advanceSequences = async ({ source, target }: Switch): Promise<void> => {
  const { rows } = await source.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null`,
  );
  for (const { name, last } of rows)
    await target.query(
      `select setval(format('public.%I', sequencename)::regclass, $2::bigint + ${SEQUENCE_MARGIN})
       from pg_sequences where schemaname = 'public' and sequencename = $1 and coalesce(last_value, 0) < $2::bigint`,
      [name, last],
    );
};

/** Writes down where the client is from now on. */
export const place = async (
  client: pg.ClientBase,
  { clientId, to, leftDigest }: { clientId: string; to: string; leftDigest: string | null },
): Promise<void> => {
  await client.query(
    `insert into placements (client_id, database, left_digest) values ($1, $2, $3)
     on conflict (client_id) do update set database = $2, left_digest = $3, changed_at = now()`,
    [clientId, to, leftDigest],
  );
};

const compareAndLeave = async (move: Switch): Promise<TableDigest[]> => {
  const { clientId, to, tables, source, target, holder } = move;
  await untilCaughtUp(move, clientId, MAX_CATCH_UP_MS);
  const deadline = Date.now() + MAX_COMPARE_MS;
  const [before, after] = await Promise.all([
    digestClient(source, tables, clientId, deadline),
    digestClient(target, tables, clientId, deadline),
  ]);
  requireEqual(before, after);
  await advanceSequences(move);
  await place(holder, { clientId, to, leftDigest: summarise(before) });
  return before;
};

const attempt = async (move: Switch): Promise<Switched | undefined> => {
  const { holder, clientId } = move;
  await holder.query('begin');
  const start = Date.now();
  try {
    const digests = (await stopClient(holder, clientId)) ? await compareAndLeave(move) : undefined;
    await holder.query(digests === undefined ? 'rollback' : 'commit');
    return digests && { digests, stopMs: Date.now() - start };
  } catch (error) {
    await holder.query('rollback').catch(() => undefined);
    throw error;
  }
};

/**
 * Holds the client's transactions, waits until the copy has everything, compares both sides, and has the source refuse the client from its
 * next transaction on. What waited goes on in the target once that says that the client is there.
 * @throws where the copy differs or does not catch up, and where the client never was without an import and a long transaction; then
 * nothing has changed
 */
export const switchClient = async (move: Switch): Promise<Switched> => {
  for (const client of [move.source, move.target]) await client.query(`set statement_timeout = '${STATEMENT_LIMIT}'`);
  try {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const switched = await attempt(move);
      if (switched !== undefined) return switched;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    throw new Error(
      'The organisation cannot be stopped: an import of it or a long transaction was under way each time. Try again when it is quiet.',
    );
  } finally {
    for (const client of [move.source, move.target])
      await client.query('set statement_timeout = 0').catch(() => undefined);
  }
};
