import { sql } from 'kysely';
import { Type } from 'typebox';
import { defineJob } from '../../platform/server/jobs/define-job.ts';
import { ConnectionKey } from '../model/connection-key.ts';
import { type SyncDeps, syncFindings } from './sync-findings.ts';

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
