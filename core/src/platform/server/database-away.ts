/**
 * SQLSTATEs and system errors of a database that cannot be reached now: connections (class 08, which is also all that PgBouncer says), a server
 * that stops, starts or has no connection left, and one that is a replica, where a failover has just moved the primary.
 */
const AWAY =
  /^(?:08...|57P0[123]|53300|25006|ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT|EPIPE)$/;

/** What the driver says without a code: of a connection that broke, also between two statements, and of a pool that gets none. */
const LOST = /timeout exceeded when trying to connect|^Connection terminated|is not queryable$/;

/** Whether the database could not be reached, so that the same may succeed later. What was under way may or may not have been committed. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && AWAY.test(error.code)) || LOST.test(error.message));
