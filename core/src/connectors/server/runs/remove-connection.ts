import { gateOf } from '@breakwater/sdk';
import { revokeOAuth } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import { effectiveConfig } from '../../model/credential-values.ts';
import { type Actor, lockConnection } from '../connection/advance-connection.ts';
import { leaseFacts, NO_RUN } from '../connection/connection-runs.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import { baseUrlOverride, type ConnectionsDeps } from '../connection/deps.ts';
import { knownClient } from '../connection/oauth-client.ts';
import type { ConnectionRecord } from '../connection/read-connections.ts';

/** How long a removal may be silent before another process takes it. */
export const REMOVE_LEASE_MS = 30_000;

interface Removal extends ConnectionKey {
  runId: string;
  record: ConnectionRecord;
}

/** Tells the service that the token is no longer ours. Best effort: what is deleted here cannot be used either way. */
const revoke = async (deps: ConnectionsDeps, entry: CatalogueEntry, removal: Removal): Promise<void> => {
  const { connector } = entry;
  const { auth } = connector;
  if (auth.type !== 'oauth2' || auth.revokeUrl === undefined || gateOf(removal.record.stored) !== 'open') return;
  const { clientId, connectorId } = removal;
  const field = auth.tokenField ?? 'oauth_token';
  const override = baseUrlOverride(deps, connectorId);
  try {
    const { token, client } = await deps.database.forClient(clientId, async (db) => ({
      token: await deps.vault.read(db, { clientId, connectorId, field }),
      client: await knownClient(deps, db, entry, removal.record),
    }));
    if (token === undefined) return;
    await revokeOAuth(deps.gate, {
      connector,
      config: effectiveConfig(connector.credentials, removal.record.config),
      token,
      ...client,
      ...(override === undefined ? {} : { baseUrlOverride: override }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    deps.log.warn({ connector: connectorId, client: clientId, reason }, 'the service was not told to revoke the token');
  }
};

/** Deletes fields, secrets and memory. The row stays as `absent`, the history and all findings stay. */
const deleteStored = (deps: ConnectionsDeps, removal: Removal, actor: Actor | null): Promise<void> =>
  deps.database.forClient(removal.clientId, async (db) => {
    const { clientId, connectorId } = removal;
    const conn = await lockConnection(db, removal);
    if (conn.state !== 'removing' || conn.record.runId !== removal.runId) return;
    await deps.vault.remove(db, { clientId, connectorId });
    for (const table of ['connection_store', 'connection_deliveries'] as const) {
      await db.deleteFrom(table).where('client_id', '=', clientId).where('connector_id', '=', connectorId).execute();
    }
    const facts = {
      ...NO_RUN,
      config: '{}',
      plugin_version: null,
      identity: null,
      scopes: [],
      sync_cursor: null,
      refreshed_at: null,
      token_expires_at: null,
      hook_token: null,
    };
    await deps.deliveriesLost?.(db, { clientId, connectorId });
    await conn.transition({ type: 'DONE' }, { actor, facts });
  });

/** Goes on with a removal that has begun. */
export const finishRemoval = async (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  removal: Removal,
  actor: Actor | null,
): Promise<void> => {
  await revoke(deps, entry, removal);
  await deleteStored(deps, removal, actor);
};

/** Deletes a configuration; one that is not there is deleted already. @throws conflict */
export const removeConnection = async (
  deps: ConnectionsDeps,
  { clientId, entry, actor }: { clientId: string; entry: CatalogueEntry; actor: Actor },
): Promise<void> => {
  const connectionKey = { clientId, connectorId: entry.connector.id };
  const facts = leaseFacts(REMOVE_LEASE_MS);
  const record = await deps.database.forClient(clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    if (conn.state === 'absent') return null;
    const before = conn.record;
    if (await conn.transition({ type: 'REMOVE' }, { actor, facts })) return before;
    throw new AppError('conflict', say('{title} is being removed already.', { title: entry.connector.title }));
  });
  if (record !== null) await finishRemoval(deps, entry, { ...connectionKey, runId: facts.run_id, record }, actor);
};

/** Takes a removal whose process died. @returns null where it is under way. */
export const takeOverRemoval = async (
  deps: Pick<ConnectionsDeps, 'database'>,
  connectionKey: ConnectionKey,
): Promise<Removal | null> =>
  deps.database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    const { runUntil } = conn.record;
    if (conn.state !== 'removing' || (runUntil !== null && runUntil > new Date())) return null;
    const facts = leaseFacts(REMOVE_LEASE_MS);
    await conn.update(facts);
    return { ...connectionKey, runId: facts.run_id, record: conn.record };
  });
