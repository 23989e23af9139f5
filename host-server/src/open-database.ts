import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './postgres/embedded.ts';
import { checkExternalPostgres } from './postgres/external.ts';
import { migrate } from './postgres/migrate.ts';
import { createAppPool } from './postgres/pool.ts';

export interface OpenDatabase {
  /** Connection string of the owner: migrations, jobs, events. */
  ownerUrl: string;
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

/** Starts the embedded PostgreSQL or checks the one of DATABASE_URL, and brings its tables up to date. */
export const openDatabase = async (config: Config, log: Logger): Promise<OpenDatabase> => {
  const server = await openServer(config, log);
  try {
    const applied = await migrate(server.url);
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  } catch (error) {
    await server.stop();
    throw error;
  }
  const pool = createAppPool(server.url, POOL_SIZE);
  const database = createDatabase(pool);
  return {
    ownerUrl: server.url,
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
