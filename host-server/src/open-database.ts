import { createDatabase, type DatabaseHandle, type Replica } from '@breakwater/core/platform/server/database.ts';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { createReadCounter } from './http/monitoring.ts';
import { requireOneDatabase } from './placement/obstacles.ts';
import { ensureAppLogin, withLoginOf } from './postgres/app-login.ts';
import { startEmbeddedPostgres } from './postgres/embedded.ts';
import { checkExternalPostgres } from './postgres/external.ts';
import { migrate } from './postgres/migrate.ts';
import { createAppPool, createPoolerPool, createReplicaPool } from './postgres/pool.ts';
import { loginAtPooler, requireSessions } from './postgres/pooler.ts';
import { findRunningPostgres } from './postgres/running.ts';

export interface OpenDatabase {
  /** Connection string of the owner, at the server itself: migrations and the job queue. */
  ownerUrl: string;
  /** Connection string of the application's own login, at the server itself: live events and imports, which need a session. */
  appUrl: string;
  /** Short transactions, through the pooler where there is one. */
  database: DatabaseHandle;
  /** Attempts of sign-ins and the like, at the server itself: a request counts them while it holds what may be the pooler's last connection. */
  attempts: DatabaseHandle;
  /** No other process has it. */
  isAlone: boolean;
  /** Ends when an embedded PostgreSQL stops, wanted or not; never for an outside one. */
  stopped: Promise<void>;
  close(): Promise<void>;
}

const POOL_SIZE = 20;
const ATTEMPTS_POOL_SIZE = 2;

/** The server itself, where sessions are kept: started, or checked. */
const openServer = async (
  config: Config,
  log: Logger,
): Promise<{ url: string; stopped: Promise<void>; stop(): Promise<void> }> => {
  const { databaseUrl, databaseDirectUrl, dataDirectory } = config;
  if (databaseUrl === undefined) {
    return startEmbeddedPostgres({ dataDirectory, log: (line) => log.info({ postgres: line }, 'postgres') });
  }
  const [url, name] =
    databaseDirectUrl === undefined ? [databaseUrl, 'DATABASE_URL'] : [databaseDirectUrl, 'DATABASE_DIRECT_URL'];
  await checkExternalPostgres(url, name);
  await requireSessions(url, name);
  return { url, stopped: new Promise(() => undefined), stop: async () => undefined };
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

/** The one place that decides which way transactions of requests and jobs go: through the pooler where DATABASE_URL names one. */
const openPool = async (
  { databaseUrl, databaseDirectUrl }: Config,
  { ownerUrl, appUrl }: { ownerUrl: string; appUrl: string },
  log: Logger,
) => {
  if (databaseUrl === undefined || databaseDirectUrl === undefined) return createAppPool(appUrl, POOL_SIZE);
  const { url, reason } = await loginAtPooler(databaseUrl, { ownerUrl, appUrl });
  if (reason !== undefined) log.info({ reason }, 'the pooler does not know the login of the application');
  return createPoolerPool(url, POOL_SIZE);
};

/** Reads may run on the replica of DATABASE_REPLICA_URL. It may be away, also at start. */
const openReplica = (
  { databaseReplicaUrl }: Config,
  appUrl: string,
  log: Logger,
  metrics: Registry | undefined,
): Replica | undefined => {
  if (databaseReplicaUrl === undefined) return undefined;
  const reads = metrics && createReadCounter(metrics);
  let isAway = false;
  return {
    pool: createReplicaPool(withLoginOf(databaseReplicaUrl, appUrl), POOL_SIZE),
    onRead: (place, error) => {
      reads?.inc({ place });
      if (place === 'refused') log.debug({ err: error }, 'a read was done by the primary');
      if (place === 'away' && !isAway) log.warn({ err: error }, 'the replica cannot be asked; the primary answers');
      if (place === 'replica' && isAway) log.info('the replica answers again');
      if (place !== 'behind') isAway = place === 'away';
    },
  };
};

/** Starts the embedded PostgreSQL or checks the one of DATABASE_URL, and brings its tables up to date. */
export const openDatabase = async (config: Config, log: Logger, metrics?: Registry): Promise<OpenDatabase> => {
  const server = await openServer(config, log);
  try {
    const applied = await migrate(server.url);
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
    await requireOneDatabase(server.url);
    const addresses = { ownerUrl: server.url, appUrl: await openAppLogin(server.url, log) };
    const database = createDatabase(
      await openPool(config, addresses, log),
      openReplica(config, addresses.appUrl, log, metrics),
    );
    const attempts = createDatabase(createAppPool(addresses.appUrl, ATTEMPTS_POOL_SIZE));
    return {
      ...addresses,
      database,
      attempts,
      isAlone: config.databaseUrl === undefined,
      stopped: server.stopped,
      close: async () => {
        await database.close();
        await attempts.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
};
