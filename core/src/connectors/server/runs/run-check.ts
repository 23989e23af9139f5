import { ConnectorError, type Identity } from '@breakwater/sdk';
import { createSecretMask, LIMITS, type Outcome, runStep } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { closedMessage, gateView } from '../../model/availability.ts';
import { type Actor, type ConnectionActor, lockConnection } from '../connection/advance-connection.ts';
import {
  AT_ONCE,
  failureEvent,
  finishRun,
  identityFacts,
  startCheck,
  startFirstCheck,
} from '../connection/connection-runs.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import { createConnectorContext, type OpenConnection } from '../connection/connector-context.ts';
import { isEntryConfigured } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { removeExpired } from './remove-expired.ts';

interface Run extends ConnectionKey {
  runId: string;
}

const NOTHING_TO_ASK: Outcome<null> = { ok: true, value: null };

const ask = (deps: ConnectionsDeps, open: OpenConnection, signal?: AbortSignal): Promise<Outcome<Identity | null>> => {
  const check = deps.catalogue.capability('check', open.connectionKey.connectorId);
  if (check === null) return Promise.resolve(NOTHING_TO_ASK);
  const options = { timeoutMs: LIMITS.checkMs, ...(signal === undefined ? {} : { signal }) };
  return runStep((stepSignal) => check(open.ctx(stepSignal)), options);
};

/** What cannot even be opened: secrets that do not open, stored fields that cannot be upgraded. */
export const failToOpen = async (deps: ConnectionsDeps, run: Run, error: unknown): Promise<undefined> => {
  deps.log.error({ err: error, connector: run.connectorId, client: run.clientId }, 'connection could not be opened');
  const failure = new ConnectorError('config', msg('What is stored of this connection cannot be used.'), {
    help: msg('Enter the fields again.'),
  });
  const event = failureEvent(failure, { attempts: 0, mask: createSecretMask() });
  await finishRun(deps, run, { event, crashed: false });
};

/** The server stops: the check says nothing about the service, and another process takes it up at once. */
const handBack = (deps: ConnectionsDeps, run: Run): Promise<void> =>
  deps.database.forClient(run.clientId, async (db) => {
    const conn = await lockConnection(db, run);
    if (conn.record.runId === run.runId) await conn.update(AT_ONCE);
  });

/**
 * Asks the service who we are, outside any transaction, and writes what it said. The run must have begun.
 * @returns what is said where the connection was cleared, because its token expired and cannot be renewed; else null
 */
export const runCheck = async (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  run: Run,
  signal?: AbortSignal,
): Promise<string | null> => {
  let open: OpenConnection;
  try {
    open = await createConnectorContext(deps, entry, run);
  } catch (error) {
    await failToOpen(deps, run, error);
    return null;
  }
  const outcome = await ask(deps, open, signal);
  const now = new Date();
  if (outcome.ok) {
    const facts = outcome.value === null ? {} : { ...identityFacts(outcome.value, open.mask), last_check_at: now };
    await finishRun(deps, run, { event: { type: 'OK' }, facts, crashed: false });
    return null;
  }
  if (signal?.aborted === true) {
    await handBack(deps, run);
    return null;
  }
  const { error, crashed } = outcome;
  const event = failureEvent(error, { attempts: open.record.stored.attempts, mask: open.mask });
  if (crashed) {
    const cause = error.cause instanceof Error ? open.mask.text(error.cause.stack ?? error.cause.message) : undefined;
    deps.log.warn({ connector: run.connectorId, client: run.clientId, cause }, "a connector's code tripped");
  }
  await finishRun(deps, run, { event, facts: { last_check_at: now }, crashed });
  return error.code === 'auth' ? removeExpired(deps, entry, run) : null;
};

export interface CheckOrder {
  clientId: string;
  entry: CatalogueEntry;
  actor: Actor;
}

/** @throws conflict with the reason why nothing runs */
export const refuseClosed = ({ connector }: CatalogueEntry, conn: Pick<ConnectionActor, 'record'>): void => {
  if (connector.disabled !== undefined) throw new AppError('conflict', connector.disabled.reason);
  const gate = gateView(conn.record);
  if (gate.state !== 'open') throw new AppError('conflict', closedMessage(connector.title, gate));
};

const refusal = (title: string, conn: ConnectionActor): string => {
  const { retryAt } = conn.record.stored;
  if (conn.state === 'paused' && retryAt !== null)
    return sayEnglish('The service asked to wait; {title} is checked again at {retryAt}.', { title, retryAt });
  const work: Partial<Record<typeof conn.state, string>> = {
    authorizing: 'waits for your consent at the service',
    checking: 'is being checked already',
    syncing: 'is pulling findings, which shows that it works',
    removing: 'is being removed',
  };
  return `${title} ${work[conn.state] ?? 'cannot be checked now'}.`;
};

/** Begins the check that a person asks for, by the way that leads there from the present state. */
const begin = async (
  deps: ConnectionsDeps,
  { entry, actor }: CheckOrder,
  conn: ConnectionActor,
): Promise<string | null> => {
  const mayRetry = conn.state !== 'paused' || isPast(conn.record.stored.retryAt);
  if (conn.state === 'needsAuth') await conn.transition({ type: 'EDIT' }, { actor });
  if (conn.state === 'draft') return startFirstCheck(deps, entry, conn, actor);
  const hasCheck = deps.catalogue.capability('check', entry.connector.id) !== null;
  // what is connected and has nothing to ask is as sound as it can be
  if (!hasCheck && conn.state === 'connected') return null;
  const run =
    (await startCheck(conn, { type: 'CHECK' }, actor)) ??
    (mayRetry ? await startCheck(conn, { type: 'TIMER' }, actor) : null);
  if (run === null) throw new AppError('conflict', refusal(entry.connector.title, conn));
  return run;
};

const isPast = (time: string | null): boolean => time === null || new Date(time) <= new Date();

/** Tests the connection now. What the service says shows in the state. @throws conflict, integration_not_configured, connection_expired */
export const checkConnection = async (deps: ConnectionsDeps, order: CheckOrder): Promise<void> => {
  const { entry, clientId } = order;
  const connectionKey = { clientId, connectorId: entry.connector.id };
  const runId = await deps.database.forClient(clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    refuseClosed(entry, conn);
    if (!isEntryConfigured(entry, conn.record)) {
      throw new AppError(
        'integration_not_configured',
        say('{title} is not configured: fill in its form first.', { title: entry.connector.title }),
      );
    }
    return begin(deps, order, conn);
  });
  const expired = runId === null ? null : await runCheck(deps, entry, { ...connectionKey, runId });
  if (expired !== null) throw new AppError('connection_expired', expired);
};
