import { gateOf } from '@breakwater/sdk';
import { type Outcome, runStep } from '@breakwater/sdk/host';
import { importRecords, type UploadDependencies } from '../../ingest/server/index.ts';
import type { Card } from '../../platform/model/connector-catalogue.ts';
import type { ConnectionKey } from '../model/connection-key.ts';
import { lockConnection } from './advance-connection.ts';
import { isCardConfigured } from './connector-item.ts';
import type { ConnectionsDeps } from './deps.ts';
import { failureEvent, finishRun } from './finish-run.ts';
import { createConnectorContext, type OpenConnection } from './open-connection.ts';
import { failToOpen } from './run-check.ts';
import { leaseFacts } from './start-check.ts';
import { walkSync } from './sync-stream.ts';
import { applicationOf } from './sync-target.ts';

export interface SyncDeps extends ConnectionsDeps {
  ingest: UploadDependencies;
}

/** A process that is silent for longer has died, and its sync is taken up by another. */
const LEASE_MS = 90_000;
const HEARTBEAT_MS = 20_000;
const LONGEST_MS = 6 * 3_600_000;

/** Takes the connection for a sync, also one that was cut short. @returns the run, or null where nothing is to be done. */
const begin = (deps: SyncDeps, card: Card, place: ConnectionKey): Promise<string | null> =>
  deps.database.forClient(place.clientId, async (db) => {
    const conn = await lockConnection(db, place);
    if (card.connector.disabled !== undefined || !isCardConfigured(card, conn.record)) return null;
    const facts = leaseFacts(LEASE_MS);
    if (await conn.send({ type: 'SYNC' }, { facts })) return facts.run_id;
    const isLeft = conn.state === 'syncing' && (conn.record.runUntil === null || conn.record.runUntil <= new Date());
    if (!isLeft || gateOf(conn.record.stored) !== 'open') return null;
    await conn.note(facts);
    return facts.run_id;
  });

/** Says that the run is alive. @returns whether it still has the connection, and no switch was moved. */
const beat = (deps: SyncDeps, place: ConnectionKey, runId: string): Promise<boolean> =>
  deps.database.forClient(place.clientId, async (db) => {
    const conn = await lockConnection(db, place);
    if (conn.record.runId !== runId || gateOf(conn.record.stored) !== 'open') return false;
    await conn.note({ run_until: new Date(Date.now() + LEASE_MS) });
    return true;
  });

const keepAlive = (deps: SyncDeps, place: ConnectionKey, runId: string) => {
  const lost = new AbortController();
  const timer = setInterval(() => {
    beat(deps, place, runId).then(
      (isOurs) => {
        if (!isOurs) lost.abort();
      },
      (error: unknown) => deps.log.warn({ err: error, connector: place.connectorId }, 'heartbeat of a sync'),
    );
  }, HEARTBEAT_MS);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
};

/** Imports what one connection yields, target by target. @returns how many targets. */
const pull = (deps: SyncDeps, open: OpenConnection, signal: AbortSignal): Promise<number> => {
  const { place, card, record } = open;
  const { clientId, connectorId } = place;
  const { connector } = card;
  const source = deps.catalogue.capability('findings', connectorId);
  if (source === null) return Promise.resolve(0);
  return walkSync(source.sync(open.ctx(signal), record.syncCursor ?? undefined), {
    take: async (target, findings) => {
      const repositoryId = await deps.database.forClient(clientId, (db) =>
        applicationOf(db, { place, target, tag: connector.title }),
      );
      const order = { clientId, repositoryId, connectorId, toolId: connector.parser?.tool ?? connectorId };
      await importRecords(
        deps.ingest,
        { ...order, label: `${connector.title}: ${target.name}`.slice(0, 200) },
        findings,
      );
    },
    reached: (cursor) =>
      deps.database.forClient(clientId, async (db) => {
        await (await lockConnection(db, place)).note({ sync_cursor: cursor });
      }),
  });
};

const finish = async (deps: SyncDeps, open: OpenConnection, runId: string, outcome: Outcome<number>): Promise<void> => {
  const run = { ...open.place, runId };
  if (outcome.ok) {
    const facts = { last_sync_at: new Date(), sync_cursor: null };
    await finishRun(deps, run, { event: { type: 'DONE' }, facts, crashed: false });
    return;
  }
  const { error, crashed } = outcome;
  const cause = error.cause instanceof Error ? open.mask.text(error.cause.stack ?? error.cause.message) : undefined;
  const where = { connector: run.connectorId, client: run.clientId, code: error.code };
  deps.log.warn({ ...where, ...(crashed ? { cause } : {}) }, 'a sync did not reach its end');
  const event = failureEvent(error, { attempts: open.record.stored.attempts, mask: open.mask });
  await finishRun(deps, run, { event, crashed });
};

/**
 * Pulls the findings of one connection and imports them. Targets that were complete before a failure are kept; the rest comes with
 * the next run. Safe to call from any number of processes: one has the connection at a time.
 */
export const syncFindings = async (deps: SyncDeps, place: ConnectionKey, signal?: AbortSignal): Promise<void> => {
  const card = deps.catalogue.card(place.connectorId);
  if (card === null || deps.catalogue.capability('findings', place.connectorId) === null) return;
  const runId = await begin(deps, card, place);
  if (runId === null) return;
  const open = await createConnectorContext(deps, card, place).catch((error: unknown) =>
    failToOpen(deps, { ...place, runId }, error),
  );
  if (open === undefined) return;
  const life = keepAlive(deps, place, runId);
  const ends = AbortSignal.any([life.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    const outcome = await runStep((stepSignal) => pull(deps, open, stepSignal), {
      timeoutMs: LONGEST_MS,
      signal: ends,
    });
    await finish(deps, open, runId, outcome);
  } finally {
    life.stop();
  }
};
