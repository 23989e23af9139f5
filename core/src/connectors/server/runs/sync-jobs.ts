import { gateOf, type SyncTarget } from '@breakwater/sdk';
import { type Outcome, runStep } from '@breakwater/sdk/host';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { importRecords, type UploadDependencies } from '../../../ingest/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import type { PlanLimits } from '../../../platform/server/limits.ts';
import { upsertRepository } from '../../../repositories/server/index.ts';
import { lockConnection } from '../connection/advance-connection.ts';
import { failureEvent, finishRun, leaseFacts } from '../connection/connection-runs.ts';
import { ConnectionKey } from '../connection/connection-store.ts';
import { createConnectorContext, type OpenConnection } from '../connection/connector-context.ts';
import { isEntryConfigured } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { ADDED_PREFIX, readEntry } from '../connection/find-entry.ts';
import { failToOpen } from './run-check.ts';
import { walkSync } from './sync-stream.ts';

const MAX_NAME = 200;

const known = async (db: Db, connectionKey: ConnectionKey, targetId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ repository_id: string }>`
    update connection_targets set last_sync_at = now()
    where client_id = ${connectionKey.clientId} and connector_id = ${connectionKey.connectorId} and target_id = ${targetId}
    returning repository_id`.execute(db);
  return rows[0]?.repository_id;
};

const nameOf = ({ id, name }: SyncTarget): string => {
  const text = name.toWellFormed().replaceAll('\0', '').trim().slice(0, MAX_NAME);
  return text === '' ? id.slice(0, MAX_NAME) : text;
};

const linkOf = (url: string | undefined): string | null =>
  url !== undefined && /^https?:\/\//i.test(url) ? url : null;

/**
 * The application that a target of a service is. One of the same name that is there already is taken; a renamed target keeps
 * its application. @returns the application's id. @throws plan_limit where a new one would pass what the plan allows
 */
export const applicationOf = async (
  db: Db,
  order: { connectionKey: ConnectionKey; target: SyncTarget; tag: string; limits: PlanLimits },
): Promise<string> => {
  const { connectionKey, target, tag, limits } = order;
  const { clientId, connectorId } = connectionKey;
  const before = await known(db, connectionKey, target.id);
  if (before !== undefined) return before;
  const { id, isNew } = await upsertRepository(db, {
    clientId,
    nickname: nameOf(target),
    url: '',
    sourceControl: 'git',
    branch: 'main',
    externalId: null,
    tags: [tag],
    owner: null,
  });
  // counted in this transaction: where it is too many, nothing was added
  if (isNew) await limits.check(db, { clientId, kind: 'repositories', adding: 0 });
  await sql`
    insert into connection_targets (client_id, connector_id, target_id, repository_id, name, url)
    values (${clientId}, ${connectorId}, ${target.id}, ${id}, ${nameOf(target)}, ${linkOf(target.url)})
    on conflict (client_id, connector_id, target_id) do update set repository_id = excluded.repository_id, last_sync_at = now()
  `.execute(db);
  const audience = { repositoryIds: [id] };
  if (isNew) await publish(db, { clientId, type: 'repository.added', data: { repository_id: id }, audience });
  return id;
};

export interface SyncDeps extends ConnectionsDeps {
  ingest: UploadDependencies;
}

/** A process that is silent for longer has died, and its sync is taken up by another. */
const LEASE_MS = 90_000;
const HEARTBEAT_MS = 20_000;
const LONGEST_MS = 6 * 3_600_000;

/** Takes the connection for a sync, also one that was cut short. @returns the run, or null where nothing is to be done. */
const begin = (deps: SyncDeps, entry: CatalogueEntry, connectionKey: ConnectionKey): Promise<string | null> =>
  deps.database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    if (entry.connector.disabled !== undefined || !isEntryConfigured(entry, conn.record)) return null;
    const facts = leaseFacts(LEASE_MS);
    if (await conn.transition({ type: 'SYNC' }, { facts })) return facts.run_id;
    const isLeft = conn.state === 'syncing' && (conn.record.runUntil === null || conn.record.runUntil <= new Date());
    if (!isLeft || gateOf(conn.record.stored) !== 'open') return null;
    await conn.update(facts);
    return facts.run_id;
  });

/** Says that the run is alive. @returns whether it still has the connection, and no switch was moved. */
const beat = (deps: SyncDeps, connectionKey: ConnectionKey, runId: string): Promise<boolean> =>
  deps.database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    if (conn.record.runId !== runId || gateOf(conn.record.stored) !== 'open') return false;
    await conn.update({ run_until: new Date(Date.now() + LEASE_MS) });
    return true;
  });

const keepAlive = (deps: SyncDeps, connectionKey: ConnectionKey, runId: string) => {
  const lost = new AbortController();
  const timer = setInterval(() => {
    beat(deps, connectionKey, runId).then(
      (isOurs) => {
        if (!isOurs) lost.abort();
      },
      (error: unknown) => deps.log.warn({ err: error, connector: connectionKey.connectorId }, 'heartbeat of a sync'),
    );
  }, HEARTBEAT_MS);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
};

const readToEnd = async (findings: AsyncIterable<unknown>): Promise<void> => {
  const records = findings[Symbol.asyncIterator]();
  while ((await records.next()).done !== true);
};

/** Applications that the plan had no place for. */
interface Refused {
  names: string[];
  why: string;
}

/** The application of a target; undefined where the plan has no place for another one, which is kept in `refused`. */
const admittedTo = async (
  { database, planLimits }: SyncDeps,
  order: { connectionKey: ConnectionKey; target: SyncTarget; tag: string },
  refused: Refused,
): Promise<string | undefined> => {
  try {
    return await database.forClient(order.connectionKey.clientId, (db) =>
      applicationOf(db, { ...order, limits: planLimits }),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'plan_limit') throw error;
    refused.names.push(nameOf(order.target));
    refused.why = error.userMessage;
    return undefined;
  }
};

/** Says what was left out. What is there already was brought up to date all the same. */
const notifyRefused = ({ database }: SyncDeps, open: OpenConnection, { names, why }: Refused): Promise<void> => {
  const { clientId } = open.connectionKey;
  const { title } = open.entry.connector;
  return database.forClient(clientId, async (db) => {
    await notify(db, {
      clientId,
      type: 'scan_failed',
      title:
        names.length === 1
          ? say('{connector}: {name} was not added', { connector: title, name: names[0] ?? '' })
          : say('{connector}: {count} were not added', { connector: title, count: names.length }),
      message: why,
      link: '/plan-pricings',
      to: { permission: 'connectors.write' },
    });
  });
};

/** Imports what one connection yields, target by target. @returns how many targets. */
const pull = async (deps: SyncDeps, open: OpenConnection, signal: AbortSignal): Promise<number> => {
  const { connectionKey, entry, record } = open;
  const { clientId, connectorId } = connectionKey;
  const { connector } = entry;
  const source = deps.catalogue.capability('findings', connectorId);
  if (source === null) return 0;
  const refused: Refused = { names: [], why: '' };
  const taken = await walkSync(source.sync(open.ctx(signal), record.syncCursor ?? undefined), {
    take: async (target, findings) => {
      const repositoryId = await admittedTo(deps, { connectionKey, target, tag: connector.title }, refused);
      if (repositoryId === undefined) {
        await readToEnd(findings);
        return;
      }
      const order = { clientId, repositoryId, connectorId, toolId: entry.tool };
      await importRecords(
        deps.ingest,
        { ...order, label: `${connector.title}: ${target.name}`.slice(0, 200) },
        findings,
      );
    },
    reached: (cursor) =>
      deps.database.forClient(clientId, async (db) => {
        await (await lockConnection(db, connectionKey)).update({ sync_cursor: cursor });
      }),
  });
  if (refused.names.length > 0) await notifyRefused(deps, open, refused);
  return taken;
};

const finish = async (deps: SyncDeps, open: OpenConnection, runId: string, outcome: Outcome<number>): Promise<void> => {
  const run = { ...open.connectionKey, runId };
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
export const syncFindings = async (
  deps: SyncDeps,
  connectionKey: ConnectionKey,
  signal?: AbortSignal,
): Promise<void> => {
  const entry = await readEntry(deps, connectionKey.clientId, connectionKey.connectorId);
  if (entry === null || deps.catalogue.capability('findings', connectionKey.connectorId) === null) return;
  const runId = await begin(deps, entry, connectionKey);
  if (runId === null) return;
  const open = await createConnectorContext(deps, entry, connectionKey).catch((error: unknown) =>
    failToOpen(deps, { ...connectionKey, runId }, error),
  );
  if (open === undefined) return;
  const life = keepAlive(deps, connectionKey, runId);
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

/** A connection that works is pulled from this often, and once right after it was first connected. */
const SYNC_EVERY_HOURS = 24;
const MAX_ENQUEUED = 200;

/** Pulls findings through one connection. */
export const runSync = defineJob({
  name: 'connections.sync',
  input: ConnectionKey,
  key: ({ clientId, connectorId }) => `${clientId} ${connectorId}`,
  retry: { limit: 5 },
  concurrency: 2,
  run: (deps: SyncDeps, { data, signal }) => syncFindings(deps, data, signal),
});

/** Enqueues a sync of every connection that is due for one. @returns how many. Index: connections_unchecked. */
export const enqueueDueSyncs = async (deps: SyncDeps): Promise<number> => {
  const ids = deps.catalogue
    .entries()
    .flatMap(({ connector }) => (deps.catalogue.capability('findings', connector.id) === null ? [] : [connector.id]));
  const { rows } = await deps.database.forIdentity((db) =>
    sql<ConnectionKey>`
      select c.client_id as "clientId", c.connector_id as "connectorId" from connections c
      left join connector_switches s on s.client_id = c.client_id and s.connector_id = c.connector_id
      left join platform_connector_switches p on p.connector_id = c.connector_id
      where c.state = 'connected' and c.health = 'sound' 
        and (c.connector_id = any(${ids}::text[])
          or exists (select from added_connectors a where a.client_id = c.client_id and a.id = c.connector_id and a.brings_findings)
          or (c.connector_id like ${`${ADDED_PREFIX}%`} and plugin_brings_findings(c.client_id, c.connector_id)))
        and (c.last_sync_at is null or c.last_sync_at <= now() - make_interval(hours => ${SYNC_EVERY_HOURS}))
        and coalesce(s.is_enabled, true) and coalesce(p.is_enabled, true)
      limit ${MAX_ENQUEUED}`.execute(db),
  );
  for (const connection of rows) {
    await deps.database.forClient(connection.clientId, (db) => deps.jobs.enqueue(db, runSync, connection));
  }
  return rows.length;
};

export const findDueSyncs = defineJob({
  name: 'connections.due-syncs',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 15 },
  run: enqueueDueSyncs,
});
