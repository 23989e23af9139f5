import type { Identity } from '@breakwater/sdk';
import { ConnectorError } from '@breakwater/sdk';
import { createSecretMask, LIMITS, type Outcome, runStep } from '@breakwater/sdk/host';
import type { Card } from '../../platform/model/connector-catalogue.ts';
import type { ConnectionKey } from '../model/connection-key.ts';
import { lockConnection } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { failureEvent, finishRun, identityFacts } from './finish-run.ts';
import { createConnectorContext, type OpenConnection } from './open-connection.ts';

interface Run extends ConnectionKey {
  runId: string;
}

const NOTHING_TO_ASK: Outcome<null> = { ok: true, value: null };

const ask = (deps: ConnectionsDeps, open: OpenConnection, signal?: AbortSignal): Promise<Outcome<Identity | null>> => {
  const check = deps.catalogue.capability('check', open.place.connectorId);
  if (check === null) return Promise.resolve(NOTHING_TO_ASK);
  const options = { timeoutMs: LIMITS.checkMs, ...(signal === undefined ? {} : { signal }) };
  return runStep((stepSignal) => check(open.ctx(stepSignal)), options);
};

/** What cannot even be opened: secrets that do not open, stored fields that cannot be upgraded. */
export const failToOpen = async (deps: ConnectionsDeps, run: Run, error: unknown): Promise<undefined> => {
  deps.log.error({ err: error, connector: run.connectorId, client: run.clientId }, 'connection could not be opened');
  const failure = new ConnectorError('config', 'What is stored of this connection cannot be used.', {
    help: 'Enter the fields again.',
  });
  const event = failureEvent(failure, { attempts: 0, mask: createSecretMask() });
  await finishRun(deps, run, { event, crashed: false });
};

/** The server stops: the check says nothing about the service, and another process takes it up at once. */
const handBack = (deps: ConnectionsDeps, run: Run): Promise<void> =>
  deps.database.forClient(run.clientId, async (db) => {
    const conn = await lockConnection(db, run);
    if (conn.record.runId === run.runId) await conn.note({ run_id: null, run_until: new Date() });
  });

/** Asks the service who we are, outside any transaction, and writes what it said. The run must have begun. */
export const runCheck = async (deps: ConnectionsDeps, card: Card, run: Run, signal?: AbortSignal): Promise<void> => {
  let open: OpenConnection;
  try {
    open = await createConnectorContext(deps, card, run);
  } catch (error) {
    return failToOpen(deps, run, error);
  }
  const outcome = await ask(deps, open, signal);
  const now = new Date();
  if (outcome.ok) {
    const facts = outcome.value === null ? {} : { ...identityFacts(outcome.value, open.mask), last_check_at: now };
    await finishRun(deps, run, { event: { type: 'OK' }, facts, crashed: false });
    return;
  }
  if (signal?.aborted === true) return handBack(deps, run);
  const { error, crashed } = outcome;
  const event = failureEvent(error, { attempts: open.record.stored.attempts, mask: open.mask });
  if (crashed) {
    const cause = error.cause instanceof Error ? open.mask.text(error.cause.stack ?? error.cause.message) : undefined;
    deps.log.warn({ connector: run.connectorId, client: run.clientId, cause }, "a connector's code tripped");
  }
  await finishRun(deps, run, { event, facts: { last_check_at: now }, crashed });
};
