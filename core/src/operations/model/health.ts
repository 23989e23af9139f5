/** How a part of the installation is. `attention`: it works, and somebody should look. */
export const HEALTH_STATUSES = ['ok', 'attention', 'failed'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Share of the connections that PostgreSQL allows beyond which new processes may not get any. */
const MAX_CONNECTION_SHARE = 0.8;
export const databaseStatus = (database: { connections: number; maxConnections: number }): HealthStatus =>
  database.connections > database.maxConnections * MAX_CONNECTION_SHARE ? 'attention' : 'ok';

/** The longest that an import of the largest report waits for its turn on a machine that keeps up. */
const MAX_IMPORT_MS = 30 * MINUTE_MS;
/** Workers take a job within seconds. For so long none waits but behind many others; for longer nobody works. */
const WAIT_MS = { attention: 5 * MINUTE_MS, failed: 30 * MINUTE_MS };

export const queueStatus = (
  queue: { failed: number; waitingSince: Date | null; oldestImport: Date | null },
  now = Date.now(),
): HealthStatus => {
  const waitMs = queue.waitingSince === null ? 0 : now - queue.waitingSince.getTime();
  if (waitMs > WAIT_MS.failed) return 'failed';
  const isLate = queue.oldestImport !== null && now - queue.oldestImport.getTime() > MAX_IMPORT_MS;
  return queue.failed > 0 || isLate || waitMs > WAIT_MS.attention ? 'attention' : 'ok';
};

/** The check runs every night. */
export const rollupStatus = (
  check: { checkedAt: string; differences: number } | undefined,
  now = Date.now(),
): HealthStatus => {
  if (check === undefined) return 'ok';
  if (check.differences > 0) return 'failed';
  return now - Date.parse(check.checkedAt) > 2 * DAY_MS ? 'attention' : 'ok';
};

/** Beyond that EPSS says little, and vulnerabilities that are exploited are missing. */
export const MAX_FEED_AGE_DAYS = 45;

export const feedStatus = (
  feeds: readonly { dataDate: string | null; failure: string | null }[],
  now = Date.now(),
): HealthStatus =>
  feeds.some(
    ({ dataDate, failure }) =>
      failure !== null || dataDate === null || now - Date.parse(dataDate) > MAX_FEED_AGE_DAYS * DAY_MS,
  )
    ? 'attention'
    : 'ok';

/** Without a mail server mails stay in the outbox, which is a choice. */
export const mailStatus = (mail: { isConfigured: boolean; failed: number }): HealthStatus =>
  mail.isConfigured && mail.failed > 0 ? 'attention' : 'ok';
