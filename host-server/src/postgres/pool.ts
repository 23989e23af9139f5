import pg from 'pg';
import { APP_ROLE } from './migrate.ts';

pg.types.setTypeParser(20, Number);

/** Longer than this nobody waits for a free connection: the request is refused as `unavailable`. */
const CONNECT_TIMEOUT_MS = 15_000;

const createPool = (settings: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({ ...settings, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
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

/** Connections of the owner: migrations and the job queue only. */
export const createOwnerPool = (url: string, max = 4): pg.Pool =>
  createPool({ connectionString: url, max, options: '-c timezone=UTC', application_name: 'breakwater-jobs' });
