import { APP_ROLE } from '@breakwater/core/platform/server/database.ts';
import pg from 'pg';
import { isRefused, withClient, withLoginOf } from './app-login.ts';

/** Rounds in which another connection may be given the server process that this one had. */
const ROUNDS = 4;
const PATIENCE_MS = 5000;

const NAME_THE_SERVER = 'Name the server itself in DATABASE_DIRECT_URL; DATABASE_URL may then be the pooler.';

const pidOf = async (client: pg.Client, before = ''): Promise<number> => {
  const results: unknown = await client.query(`${before} select pg_backend_pid() as pid`);
  const last = Array.isArray(results) ? results.at(-1) : results;
  return Number(Object(last).rows?.[0]?.pid);
};

/** Whether `client`, which says nothing in between, keeps its server process while others work: only then it has a session. */
const keepsProcess = async (url: string, client: pg.Client, pid: number): Promise<boolean> => {
  const others: pg.Client[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
      others.push(other);
      // a pooler for sessions that has none left lets it wait: then `client` has its own
      const isWaiting = await other.connect().then(
        () => pidOf(other, 'begin;').then(() => false),
        () => true,
      );
      if (isWaiting) return true;
      if ((await pidOf(client)) !== pid) return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all(others.map((other) => other.end().catch(() => undefined)));
  }
};

/**
 * What sessions need of an address: start-up options arrive, and all statements of a connection are answered by one server process. PgBouncer
 * in transaction mode gives neither. A pooler is known by the number of the server process, which it makes up where the server tells its own.
 */
const lossOf = async (url: string): Promise<string | undefined> => {
  const client = new pg.Client({
    connectionString: url,
    options: '-c breakwater.probe=kept',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ probe: string | null; pid: number }>(
      `select current_setting('breakwater.probe', true) as probe, pg_backend_pid() as pid`,
    );
    const [row] = rows;
    if (row?.probe !== 'kept') return 'drops the options of connections';
    if (Reflect.get(client, 'processID') === row.pid) return undefined;
    return (await keepsProcess(url, client, row.pid)) ? undefined : 'gives one connection to several server processes';
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message))
      return 'refuses the options of connections';
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/**
 * Refuses an address that keeps no session, before LISTEN, locks or migrations get lost there.
 * @param name of the setting. @throws in words for the operator.
 */
export const requireSessions = async (url: string, name: string): Promise<void> => {
  const loss = await lossOf(url);
  if (loss === undefined) return;
  throw new Error(`${name} names a pooler, such as PgBouncer in transaction mode: it ${loss}. ${NAME_THE_SERVER}`);
};

const IDENTITY = `
  select pg_postmaster_start_time()::text || ' ' || oid as identity from pg_database where datname = current_database()`;

const identityOf = (url: string): Promise<string> =>
  withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ identity: string }>(IDENTITY);
    return rows[0]?.identity ?? '';
  });

/** @throws where a transaction is refused (statement mode), or the login may not act as the application. */
const tryTransaction = (url: string): Promise<unknown> =>
  withClient({ connectionString: url }, (client) =>
    client.query(`begin; set local role ${APP_ROLE}; select 1; rollback`),
  );

export interface PoolerLogin {
  /** Connection string of the pool of requests. */
  url: string;
  /** Why it logs in as the user of DATABASE_URL rather than by the application's own login. */
  reason: string | undefined;
}

/**
 * How requests log in at the pooler: by the application's own login where the pooler knows it, else as the user of DATABASE_URL, acting as the
 * application's role in each transaction. @throws in words where neither works or the pooler leads elsewhere.
 */
export const loginAtPooler = async (
  poolerUrl: string,
  { ownerUrl, appUrl }: { ownerUrl: string; appUrl: string },
): Promise<PoolerLogin> => {
  const own = withLoginOf(poolerUrl, appUrl);
  const login = await tryTransaction(own).then(
    () => ({ url: own, reason: undefined }),
    async (error: unknown) => {
      if (own === poolerUrl || !isRefused(error)) throw error;
      await tryTransaction(poolerUrl);
      return { url: poolerUrl, reason: error instanceof Error ? error.message : String(error) };
    },
  );
  if ((await identityOf(login.url)) !== (await identityOf(ownerUrl)))
    throw new Error('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.');
  return login;
};
