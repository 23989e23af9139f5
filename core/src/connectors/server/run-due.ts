import { gateOf } from '@breakwater/sdk';
import { shouldGiveUp } from '@breakwater/sdk/host';
import type { Card } from '../../platform/model/connector-catalogue.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ConnectionKey } from '../model/connection-key.ts';
import { type ConnectionActor, lockConnection } from './advance-connection.ts';
import { isCardConfigured } from './connector-item.ts';
import type { ConnectionsDeps } from './deps.ts';
import { countCrash, cutShort } from './finish-run.ts';
import { finishRemoval, takeOverRemoval } from './remove-connection.ts';
import { runCheck } from './run-check.ts';
import { startCheck, startFirstCheck, takeOverCheck } from './start-check.ts';
import { runSync } from './sync-jobs.ts';

/** A connection that works is asked this often whether it still does. */
export const CHECK_EVERY_HOURS = 6;
/** A person who was sent to the service to consent has this long. */
export const CONSENT_MINUTES = 10;
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
    await conn.send({ type: 'GIVE_UP' });
    return null;
  }
  return startCheck(conn, { type: 'BACKOFF' }, null);
};

const expire = async (conn: ConnectionActor): Promise<null> => {
  const since = conn.record.authorizingSince;
  if (since !== null && since.getTime() > Date.now() - CONSENT_MINUTES * MINUTE_MS) return null;
  await conn.send({ type: 'EXPIRED' }, { message: 'The consent at the service was not given within ten minutes.' });
  return null;
};

const isUnchecked = ({ record }: ConnectionActor): boolean =>
  record.lastCheckAt !== null && record.lastCheckAt.getTime() < Date.now() - CHECK_EVERY_HOURS * HOUR_MS;

/** What time has made due, decided under the lock of the connection. @returns the check that has begun. */
const decide = async (deps: ConnectionsDeps, db: Db, card: Card, conn: ConnectionActor): Promise<string | null> => {
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
      return expire(conn);
    case 'draft': {
      const waits = conn.record.stored.failure === null && isCardConfigured(card, conn.record);
      return waits ? startFirstCheck(deps, card, conn, null) : null;
    }
    default:
      return null;
  }
};

/** Does what is due for one connection. Safe to call at any time, from any number of processes: nothing due, nothing done. */
export const runDue = async (deps: ConnectionsDeps, place: ConnectionKey, signal?: AbortSignal): Promise<void> => {
  const card = deps.catalogue.card(place.connectorId);
  if (card === null) return;
  const removal = await takeOverRemoval(deps, place);
  if (removal !== null) return finishRemoval(deps, card, removal, null);
  if (card.connector.disabled !== undefined) return;
  const runId = await deps.database.forClient(place.clientId, async (db) =>
    decide(deps, db, card, await lockConnection(db, place)),
  );
  if (runId !== null) await runCheck(deps, card, { ...place, runId }, signal);
};
