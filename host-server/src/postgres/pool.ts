import { APP_ROLE } from '@breakwater/core/platform/server/database.ts';
import pg from 'pg';

pg.types.setTypeParser(20, Number);

/** Longer than this nobody waits for a free connection: the request is refused as `unavailable`. */
const CONNECT_TIMEOUT_MS = 15_000;
const REPLICA_TIMEOUT_MS = 1000;

const createPool = (settings: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...settings, keepAlive: true });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  // The same for one that breaks while a transaction holds it between two queries: its next query tells, and is answered 503.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** How to connect so that a session acts as the application's role from its first statement on. Plain data. */
export const appConnection = (url: string): { connectionString: string; options: string } => ({
  connectionString: url,
  options: `-c role=${APP_ROLE} -c timezone=UTC`,
});

/** Connections of the application's role. */
export const createAppPool = (url: string, max = 10): pg.Pool =>
  createPool({ ...appConnection(url), max, application_name: 'breakwater' });

/** The same through a pooler, which takes no options: transactions take the role by themselves, and nothing is asked outside one. */
export const createPoolerPool = (url: string, max: number): pg.Pool =>
  createPool({ connectionString: url, max, application_name: 'breakwater' });

/** Of a replica: while it is away the primary is asked, so nobody waits long for it. */
export const createReplicaPool = (url: string, max: number): pg.Pool =>
  createPool({
    connectionString: url,
    max,
    connectionTimeoutMillis: REPLICA_TIMEOUT_MS,
    application_name: 'breakwater',
  });

/** Connections of the owner: migrations and the job queue only. */
export const createOwnerPool = (url: string, max = 4): pg.Pool =>
  createPool({ connectionString: url, max, options: '-c timezone=UTC', application_name: 'breakwater-jobs' });
