import type { Db } from '../../../platform/server/database.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import './tables.ts';

/**
 * Deletes all that an organisation stored of connectors that exist no more: settings, secrets, memory, switches and history. Findings and
 * applications stay. No service is asked: tokens stay valid there. In a transaction of that organisation.
 */
export const purgeConnections = async (
  db: Db,
  vault: Pick<Vault, 'remove'>,
  { clientId, connectorIds }: { clientId: string; connectorIds: readonly string[] },
): Promise<void> => {
  for (const connectorId of connectorIds) {
    await vault.remove(db, { clientId, connectorId });
    // memory, deliveries and sign-ins that have begun go with the connection
    for (const table of ['connections', 'connection_history', 'connector_switches', 'connection_targets'] as const) {
      await db.deleteFrom(table).where('client_id', '=', clientId).where('connector_id', '=', connectorId).execute();
    }
  }
};
