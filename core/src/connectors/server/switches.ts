import { randomUUID } from 'node:crypto';
import type { ConnectionEvent } from '@breakwater/sdk';
import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { EVENT_CHANNEL } from '../../platform/server/events.ts';
import { type Actor, lockConnection } from './connection/advance-connection.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import { runConnection } from './runs/connection-jobs.ts';

/** A switch is moved. */
export interface SwitchOrder {
  entry: CatalogueEntry;
  actor: Actor;
  isEnabled: boolean;
  reason: string | undefined;
}

const columnsOf = ({ actor, isEnabled, reason }: SwitchOrder) => ({
  is_enabled: isEnabled,
  actor: actor.userId,
  actor_name: actor.username,
  reason: reason === undefined || reason.trim() === '' ? null : reason.trim(),
});

/** An entry that its maker disabled explains itself. @throws conflict */
const refuseEnabling = ({ entry, isEnabled }: SwitchOrder): void => {
  const { disabled } = entry.connector;
  if (isEnabled && disabled !== undefined) throw new AppError('conflict', disabled.reason);
};

/** Moves the organisation's switch. Switched on, a connection that waits in draft goes on to its check. @throws conflict */
export const switchForOrganisation = async (
  deps: Pick<ConnectionsDeps, 'jobs'>,
  db: Db,
  order: SwitchOrder & { clientId: string },
): Promise<void> => {
  refuseEnabling(order);
  const { clientId, entry, actor, isEnabled } = order;
  const connectionKey = { clientId, connectorId: entry.connector.id };
  const conn = await lockConnection(db, connectionKey);
  const event: ConnectionEvent = { type: isEnabled ? 'ENABLE_BY_ORGANISATION' : 'DISABLE_BY_ORGANISATION' };
  // as it stands already: who moved it first, and why, is kept
  if (!conn.canTransition(event)) return;
  const columns = columnsOf(order);
  await db
    .insertInto('connector_switches')
    .values({ client_id: clientId, connector_id: connectionKey.connectorId, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'connector_id']).doUpdateSet({ ...columns, at: sql`now()` }),
    )
    .execute();
  await conn.transition(event, { actor, message: columns.reason });
  // a job that waits already may run before this commits
  if (isEnabled && conn.state === 'draft')
    await deps.jobs.enqueue(db, runConnection, connectionKey, { key: randomUUID() });
};

/** Moves the platform's switch and tells every organisation's browsers. @throws conflict */
export const switchForPlatform = (database: DatabaseHandle, order: SwitchOrder): Promise<void> => {
  refuseEnabling(order);
  const columns = columnsOf(order);
  return database.forIdentity(async (db) => {
    await db
      .insertInto('platform_connector_switches')
      .values({ connector_id: order.entry.connector.id, ...columns })
      .onConflict((conflict) => conflict.column('connector_id').doUpdateSet({ ...columns, at: sql`now()` }))
      .execute();
    const data = JSON.stringify({ connector_id: order.entry.connector.id });
    await sql`select pg_notify(${EVENT_CHANNEL},
        jsonb_build_object('clientId', id, 'type', 'connection.changed', 'data', ${data}::jsonb,
          'audience', jsonb_build_object('permission', 'connectors.read'))::text)
      from clients`.execute(db);
  });
};
