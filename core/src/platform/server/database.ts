import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import { AppError } from '../model/app-error.ts';
import { msg } from '../model/message.ts';
import { createReplicaReads, type ReplicaOptions } from './replica-reads.ts';

/**
 * Every table of the database, by name. Each slice adds its own in its `server/tables.ts`:
 * `declare module './database.ts' { interface Database { scans: ScansTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Database {}

/** A transaction. Queries take this, so that none runs outside one. */
export type Db = Transaction<Database>;

/** Role that transactions act as. It owns no table, so row-level security binds it. */
export const APP_ROLE = 'breakwater_app';

/** All that reaches the database. One per process. */
export interface DatabaseHandle {
  /** Runs `work` in one transaction limited by row-level security to one client. Retried on deadlock, serialization failure and lock timeout. */
  forClient<T>(clientId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * The same for work that only reads and may be done twice: on a replica where there is one that has everything committed so far, else as
   * `forClient`. Never stale, whoever wrote.
   */
  readClient<T>(clientId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction that may read and write identity tables (clients, users, sessions) of all clients, and nothing else. */
  forIdentity<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction of nobody: for tables that belong to no client, such as `rate_limits`. */
  forPlatform<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Cheap aliveness check. @throws when the database is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 4;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** A lock was not free within the `lock_timeout` that the transaction set: an import holds it, perhaps for a while. */
const LOCK_TIMEOUT = '55P03';
const MAX_WAIT_MS = 120_000;
const LOCKED = msg('An import is changing the same findings. Try again when it is done.');

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms * (1 + Math.random())));

const withRetry = async <T>(run: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + MAX_WAIT_MS;
  let failures = 0;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const code = codeOf(error);
      if (code === LOCK_TIMEOUT) {
        if (Date.now() > deadline) throw new AppError('unavailable', LOCKED, { cause: error });
        await pause(20);
        continue;
      }
      failures += 1;
      if (code === undefined || !RETRYABLE.has(code) || failures === MAX_ATTEMPTS) throw error;
      await pause(failures * 20);
    }
  }
};

/** Role and time zone belong to the transaction, not to the connection: a pooler may give the next one to another server process. */
export const ACT_AS_APP = sql`set_config('role', ${APP_ROLE}, true), set_config('TimeZone', 'UTC', true)`;

export interface Replica extends Pick<ReplicaOptions<Database>, 'onRead'> {
  pool: pg.Pool;
}

const kyselyOf = (pool: pg.Pool): Kysely<Database> => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });

const ofClient = (clientId: string): RawBuilder<unknown> =>
  sql`${ACT_AS_APP}, set_config('app.client_id', ${clientId}, true)`;

/** @returns what reads on the replica, and `undefined` where the primary has to. */
const openReplica = (primary: Kysely<Database>, replica: Replica | undefined) => {
  if (replica === undefined) return undefined;
  const kysely = kyselyOf(replica.pool);
  const read = createReplicaReads({ primary, replica: kysely, onRead: replica.onRead });
  return { read, close: () => kysely.destroy() };
};

/**
 * Wraps a pool whose login may act as the application's role. Nothing here needs a session: every setting ends with its transaction and no
 * statement is named.
 * @param ofOne what a transaction of a client begins with.
 */
export const createDatabase = (pool: pg.Pool, replica?: Replica, ofOne = ofClient): DatabaseHandle => {
  const kysely = kyselyOf(pool);
  const opened = openReplica(kysely, replica);
  const scoped = <T>(settings: RawBuilder<unknown>, work: (db: Db) => Promise<T>): Promise<T> =>
    withRetry(() =>
      kysely.transaction().execute(async (db) => {
        await sql`select ${settings}`.execute(db);
        return work(db);
      }),
    );
  return {
    forClient: (clientId, work) => scoped(ofOne(clientId), work),
    readClient: async (clientId, work) => {
      const settings = ofOne(clientId);
      const read = await opened?.read((db) => sql`select ${settings}`.execute(db), work);
      return read === undefined ? scoped(settings, work) : read.value;
    },
    forIdentity: (work) => scoped(sql`${ACT_AS_APP}, set_config('app.identity', 'on', true)`, work),
    forPlatform: (work) => scoped(ACT_AS_APP, work),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    close: async () => {
      await opened?.close();
      await kysely.destroy();
    },
  };
};

/**
 * Shorter than PostgreSQL's deadlock_timeout (1 s), so that of an import and a short transaction that wait for each other the short one
 * gives way: it is done again (`forClient`) at no cost, an import would read its whole report anew.
 */
const MAX_LOCK_WAIT_MS = 250;

/**
 * For short transactions that write findings: decisions and scoring. They lock findings in order of their ids before they read them, and
 * give up all their locks and begin again where one is not free in time.
 */
export const limitLockWait = async (db: Db): Promise<void> => {
  await sql`select set_config('lock_timeout', ${String(MAX_LOCK_WAIT_MS)}, true)`.execute(db);
};

/**
 * A LIKE pattern that finds a text anywhere: its own `%`, `_` and `\` mean themselves. PostgreSQL stores no NUL, so it is
 * left out. Lower the case in SQL, where the stored text got its.
 */
export const likePattern = (text: string): string =>
  `%${text.replaceAll('\0', '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** Values that a column can hold: PostgreSQL stores no NUL, so what has one equals nothing. */
export const storable = (values: readonly string[]): string[] => values.filter((value) => !value.includes('\0'));
