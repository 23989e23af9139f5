import { gateOf } from '@breakwater/sdk';
import { shouldGiveUp } from '@breakwater/sdk/host';
import { sql } from 'kysely';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type ConnectionActor, lockConnection } from '../connection/advance-connection.ts';
import { countCrash, cutShort, startCheck, startFirstCheck, takeOverCheck } from '../connection/connection-runs.ts';
import { isEntryConfigured } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { ADDED_PREFIX, readEntry } from '../connection/find-entry.ts';
import { endConsent } from '../consent/finish-consent.ts';
import { CONSENT_MINUTES } from '../consent/oauth-states.ts';
import { finishRemoval, takeOverRemoval } from './remove-connection.ts';
import { runCheck } from './run-check.ts';
import { runSync } from './sync-jobs.ts';
import '../connection/tables.ts';
import { Type } from 'typebox';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { isOlder } from '../../model/credential-values.ts';
import { ConnectionKey } from '../connection/connection-store.ts';
import { upgradeStored } from '../connection/connector-context.ts';

/** A connection that works is asked this often whether it still does. */
export const CHECK_EVERY_HOURS = 6;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const isOver = (until: Date | null): boolean => until === null || until <= new Date();

const isOpen = (conn: ConnectionActor): boolean => gateOf(conn.record.stored) === 'open';

/**
 * A check whose process ended is taken up. Dying counts as a crash: code that ends its process is not run for ever. A process that
 * was told to stop has handed its run back.
 */
const takeUpCheck = async (conn: ConnectionActor): Promise<string | null> => {
  if (!isOver(conn.record.runUntil)) return null;
  if (conn.record.runId !== null) await countCrash(conn);
  if (isOpen(conn)) return takeOverCheck(conn);
  await cutShort(conn);
  return null;
};

/** A sync whose process died is enqueued again; it goes on from its cursor. */
const takeUpSync = async (deps: ConnectionsDeps, db: Db, conn: ConnectionActor): Promise<void> => {
  if (!isOver(conn.record.runUntil)) return;
  if (!isOpen(conn)) {
    await cutShort(conn);
    return;
  }
  const { clientId, connectorId } = conn.record;
  await deps.jobs.enqueue(db, runSync, { clientId, connectorId });
};

const retry = async (conn: ConnectionActor): Promise<string | null> => {
  const { retryAt, attempts } = conn.record.stored;
  if (retryAt !== null && new Date(retryAt) > new Date()) return null;
  if (conn.state === 'paused') return startCheck(conn, { type: 'TIMER' }, null);
  if (shouldGiveUp(attempts)) {
    await conn.transition({ type: 'GIVE_UP' });
    return null;
  }
  return startCheck(conn, { type: 'BACKOFF' }, null);
};

const expire = async (deps: ConnectionsDeps, entry: CatalogueEntry, conn: ConnectionActor): Promise<string | null> => {
  const since = conn.record.authorizingSince;
  if (since !== null && since.getTime() > Date.now() - CONSENT_MINUTES * MINUTE_MS) return null;
  const message = sayEnglish('The sign-in at {title} was not finished within ten minutes.', {
    title: entry.connector.title,
  });
  return endConsent(deps, entry, conn, { event: 'EXPIRED', message, actor: null });
};

const isUnchecked = ({ record }: ConnectionActor): boolean =>
  record.lastCheckAt !== null && record.lastCheckAt.getTime() < Date.now() - CHECK_EVERY_HOURS * HOUR_MS;

/** What time has made due, decided under the lock of the connection. @returns the check that has begun. */
const decide = async (
  deps: ConnectionsDeps,
  db: Db,
  entry: CatalogueEntry,
  conn: ConnectionActor,
): Promise<string | null> => {
  switch (conn.state) {
    case 'checking':
      return takeUpCheck(conn);
    case 'syncing':
      await takeUpSync(deps, db, conn);
      return null;
    case 'paused':
    case 'retrying':
      return retry(conn);
    case 'connected':
      return isUnchecked(conn) ? startCheck(conn, { type: 'CHECK' }, null) : null;
    case 'authorizing':
      return expire(deps, entry, conn);
    case 'draft': {
      const waits = conn.record.stored.failure === null && isEntryConfigured(entry, conn.record);
      return waits ? startFirstCheck(deps, entry, conn, null) : null;
    }
    default:
      return null;
  }
};

/** Does what is due for one connection. Safe to call at any time, from any number of processes: nothing due, nothing done. */
export const runDue = async (
  deps: ConnectionsDeps,
  connectionKey: ConnectionKey,
  signal?: AbortSignal,
): Promise<void> => {
  const entry = await readEntry(deps, connectionKey.clientId, connectionKey.connectorId);
  if (entry === null) return;
  const removal = await takeOverRemoval(deps, connectionKey);
  if (removal !== null) return finishRemoval(deps, entry, removal, null);
  if (entry.connector.disabled !== undefined) return;
  const runId = await deps.database.forClient(connectionKey.clientId, async (db) =>
    decide(deps, db, entry, await lockConnection(db, connectionKey)),
  );
  if (runId !== null) await runCheck(deps, entry, { ...connectionKey, runId }, signal);
};

const MAX_AT_ONCE = 500;

/**
 * Connections of every client for which time has made something due. Needs `app.identity`.
 * Indexes: connections_due, connections_stuck, connections_unchecked, connections_authorizing.
 */
export const listDueConnections = async (
  db: Db,
  { checkEveryHours, consentMinutes }: { checkEveryHours: number; consentMinutes: number },
): Promise<ConnectionKey[]> => {
  const { rows } = await sql<ConnectionKey>`
    with due as (
      select client_id, connector_id, true as must_be_open from connections
        where state in ('paused', 'retrying') and retry_at <= now() and health = 'sound'
      union all
      select client_id, connector_id, false from connections
        where state in ('checking', 'syncing', 'removing') and run_until <= now()
      union all
      select client_id, connector_id, true from connections
        where state = 'connected' and last_check_at <= now() - make_interval(hours => ${checkEveryHours}) and health = 'sound'
      union all
      select client_id, connector_id, false from connections
        where state = 'authorizing' and authorizing_since <= now() - make_interval(mins => ${consentMinutes})
    )
    select due.client_id as "clientId", due.connector_id as "connectorId" from due
    left join connector_switches s on s.client_id = due.client_id and s.connector_id = due.connector_id
    left join platform_connector_switches p on p.connector_id = due.connector_id
    where not due.must_be_open or (coalesce(s.is_enabled, true) and coalesce(p.is_enabled, true))
    limit ${MAX_AT_ONCE}`.execute(db);
  return rows;
};

/** Which plugin version stored each connection, of every client. Needs `app.identity`; reads the whole table, once at start. */
export const listStoredVersions = async (db: Db): Promise<(ConnectionKey & { version: string })[]> => {
  const { rows } = await sql<ConnectionKey & { version: string }>`
    select client_id as "clientId", connector_id as "connectorId", plugin_version as version
    from connections where plugin_version is not null`.execute(db);
  return rows;
};

/** Does what is due for one connection: a check, a retry, a removal cut short. */
export const runConnection = defineJob({
  name: 'connections.run',
  input: ConnectionKey,
  key: ({ clientId, connectorId }) => `${clientId} ${connectorId}`,
  retry: { limit: 5 },
  concurrency: 4,
  run: (deps: ConnectionsDeps, { data, signal }) => runDue(deps, data, signal),
});

/** Enqueues what is due: retries, checks of what works, runs of a process that died. @returns how many. */
export const enqueueDueConnections = async (deps: ConnectionsDeps): Promise<number> => {
  const limits = { checkEveryHours: CHECK_EVERY_HOURS, consentMinutes: CONSENT_MINUTES };
  const found = await deps.database.forIdentity((db) => listDueConnections(db, limits));
  // of a plugin that is not here any more
  const due = found.filter(
    ({ connectorId }) => connectorId.startsWith(ADDED_PREFIX) || deps.catalogue.entry(connectorId) !== null,
  );
  for (const connection of due) {
    await deps.database.forClient(connection.clientId, (db) => deps.jobs.enqueue(db, runConnection, connection));
  }
  return due.length;
};

export const findDueConnections = defineJob({
  name: 'connections.due',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 15 },
  run: async (deps: ConnectionsDeps) => {
    const count = await enqueueDueConnections(deps);
    if (count > 0) deps.log.info({ count }, 'connections have something due');
  },
});

/** Brings what older plugin versions stored to the present ones. To be awaited before the first request. */
export const upgradeStoredConnections = async (deps: ConnectionsDeps): Promise<void> => {
  const stored = await deps.database.forIdentity((db) => listStoredVersions(db));
  for (const { version, ...connectionKey } of stored) {
    const entry = deps.catalogue.entry(connectionKey.connectorId);
    if (entry === null || !isOlder(version, entry.pluginVersion)) continue;
    await deps.database
      .forClient(connectionKey.clientId, async (db) =>
        upgradeStored(deps, db, entry, await lockConnection(db, connectionKey)),
      )
      .catch((error: unknown) =>
        deps.log.error({ err: error, ...connectionKey, version }, 'stored fields were not upgraded'),
      );
  }
};
