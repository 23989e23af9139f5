import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { ensureAppLogin } from './postgres/app-login.ts';
import { startEmbeddedPostgres } from './postgres/embedded.ts';
import { checkExternalPostgres } from './postgres/external.ts';
import { migrate } from './postgres/migrate.ts';
import { createAppPool } from './postgres/pool.ts';
import { findRunningPostgres } from './postgres/running.ts';

export interface OpenDatabase {
  /** Connection string of the owner: migrations and the job queue. */
  ownerUrl: string;
  /** Connection string of the application's own login. */
  appUrl: string;
  /** Connections under row-level security. */
  pool: pg.Pool;
  database: DatabaseHandle;
  /** No other process has it. */
  isAlone: boolean;
  /** Ends when an embedded PostgreSQL stops, wanted or not; never for an outside one. */
  stopped: Promise<void>;
  close(): Promise<void>;
}

const POOL_SIZE = 20;

const openServer = async (
  config: Config,
  log: Logger,
): Promise<{ url: string; stopped: Promise<void>; stop(): Promise<void> }> => {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === undefined) {
    return startEmbeddedPostgres({ dataDirectory, log: (line) => log.info({ postgres: line }, 'postgres') });
  }
  await checkExternalPostgres(databaseUrl);
  return { url: databaseUrl, stopped: new Promise(() => undefined), stop: async () => undefined };
};

/**
 * Runs `work` with the owner's connection string, and leaves tables as they are: on the database of the running server, or on one that is
 * started for it.
 */
export const withOwner = async <T>(config: Config, log: Logger, work: (ownerUrl: string) => Promise<T>): Promise<T> => {
  const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(config.dataDirectory));
  const server = await openServer({ ...config, databaseUrl }, log);
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
};

/** @returns the connection string of the pool. */
const openAppLogin = async (ownerUrl: string, log: Logger): Promise<string> => {
  const { url, reason, isSuperuser } = await ensureAppLogin(ownerUrl);
  if (isSuperuser) {
    log.warn(
      { reason },
      'the application logs in as a superuser of the database: name a user without such rights in DATABASE_URL, or let it make its own login',
    );
  } else if (reason !== undefined) log.info({ reason }, 'the application logs in as the owner of its tables');
  return url;
};

/** Starts the embedded PostgreSQL or checks the one of DATABASE_URL, and brings its tables up to date. */
export const openDatabase = async (config: Config, log: Logger): Promise<OpenDatabase> => {
  const server = await openServer(config, log);
  let appUrl: string;
  try {
    const applied = await migrate(server.url);
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
    appUrl = await openAppLogin(server.url, log);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const pool = createAppPool(appUrl, POOL_SIZE);
  const database = createDatabase(pool);
  return {
    ownerUrl: server.url,
    appUrl,
    pool,
    database,
    isAlone: config.databaseUrl === undefined,
    stopped: server.stopped,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
};
