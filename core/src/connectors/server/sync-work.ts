import { sql } from 'kysely';
import type { JobQueue } from '../../platform/server/jobs.ts';
import { type Sweep, startSweep } from '../../platform/server/sweep.ts';
import { type ConnectionKey, SYNC_JOB } from '../model/connector-jobs.ts';
import { type SyncDeps, syncFindings } from './sync-findings.ts';

/** A connection that works is pulled from this often, and once right after it was first connected. */
const SYNC_EVERY_HOURS = 24;
const SWEEP_EVERY_MS = 15_000;
const CONCURRENCY = 2;
const MAX_AT_ONCE = 200;

export interface SyncWorkDeps extends SyncDeps {
  jobs: Pick<JobQueue, 'enqueue' | 'work'>;
}

/** Orders a sync of every connection that is due for one. @returns how many. Index: connections_unchecked. */
export const sweepSyncs = async (deps: SyncWorkDeps): Promise<number> => {
  const ids = deps.catalogue
    .cards()
    .flatMap(({ connector }) => (deps.catalogue.capability('findings', connector.id) === null ? [] : [connector.id]));
  if (ids.length === 0) return 0;
  const { rows } = await deps.database.forIdentity((db) =>
    sql<ConnectionKey>`
      select c.client_id as "clientId", c.connector_id as "connectorId" from connections c
      left join connector_switches s on s.client_id = c.client_id and s.connector_id = c.connector_id
      left join platform_connector_switches p on p.connector_id = c.connector_id
      where c.state = 'connected' and c.health = 'sound' and c.connector_id = any(${ids}::text[])
        and (c.last_sync_at is null or c.last_sync_at <= now() - make_interval(hours => ${SYNC_EVERY_HOURS}))
        and coalesce(s.is_enabled, true) and coalesce(p.is_enabled, true)
      limit ${MAX_AT_ONCE}`.execute(db),
  );
  for (const place of rows) {
    const singletonKey = `${place.clientId} ${place.connectorId}`;
    await deps.database.forClient(place.clientId, (db) => deps.jobs.enqueue(db, SYNC_JOB, place, { singletonKey }));
  }
  return rows.length;
};

/** Takes the sync jobs, and looks every 15 s for what is due. */
export const startSyncWork = async (deps: SyncWorkDeps): Promise<Sweep> => {
  await deps.jobs.work<ConnectionKey>(SYNC_JOB, ({ data, signal }) => syncFindings(deps, data, signal), {
    concurrency: CONCURRENCY,
  });
  const sweep = (): Promise<void> =>
    sweepSyncs(deps).then(
      () => undefined,
      (error: unknown) => deps.log.warn({ err: error }, 'sweep of syncs'),
    );
  return startSweep(sweep, SWEEP_EVERY_MS);
};
