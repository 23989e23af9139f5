import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type pg from 'pg';

/**
 * Every table of the database, by name. Each slice adds its own in its `server/tables.ts`:
 * `declare module './database.ts' { interface Database { scans: ScansTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Database {}

/** A transaction. Queries take this, so that none runs outside one. */
export type Db = Transaction<Database>;

/** All that reaches the database. One per process. */
export interface DatabaseHandle {
  /** Runs `work` in one transaction limited by row-level security to one client. Retried on deadlock and serialization failure. */
  forClient<T>(clientId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction that may read and write identity tables (clients, users, sessions) of all clients, and nothing else. */
  forIdentity<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Cheap aliveness check. @throws when the database is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 4;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const withRetry = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || !RETRYABLE.has(code) || attempt === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20 * (1 + Math.random())));
    }
  }
};

/** Wraps a pool whose connections act as the role that owns no table. */
export const createDatabase = (pool: pg.Pool): DatabaseHandle => {
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const scoped = <T>(setting: string, value: string, work: (db: Db) => Promise<T>): Promise<T> =>
    withRetry(() =>
      kysely.transaction().execute(async (db) => {
        await sql`select set_config(${setting}, ${value}, true)`.execute(db);
        return work(db);
      }),
    );
  return {
    forClient: (clientId, work) => scoped('app.client_id', clientId, work),
    forIdentity: (work) => scoped('app.identity', 'on', work),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    close: () => kysely.destroy(),
  };
};

/**
 * The turn of a client ($1), held until the transaction ends. Imports, decisions and scoring write the same rows in different orders,
 * and share dictionaries and rollups: without it they would lock each other out.
 */
export const TAKE_TURN = 'select pg_advisory_xact_lock(hashtextextended($1, 1))';

export const lockClient = async (db: Db, clientId: string): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw(TAKE_TURN, [clientId]));
};

/**
 * A LIKE pattern that finds a text anywhere: its own `%`, `_` and `\` mean themselves. PostgreSQL stores no NUL, so it is
 * left out. Lower the case in SQL, where the stored text got its.
 */
export const likePattern = (text: string): string =>
  `%${text.replaceAll('\0', '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** Values that a column can hold: PostgreSQL stores no NUL, so what has one equals nothing. */
export const storable = (values: readonly string[]): string[] => values.filter((value) => !value.includes('\0'));
