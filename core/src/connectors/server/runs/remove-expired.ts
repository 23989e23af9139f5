import { notify } from '../../../notifications/server/index.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { lockConnection } from '../connection/advance-connection.ts';
import { leaseFacts } from '../connection/connection-runs.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { readRefreshToken } from '../connection/refresh-token.ts';
import { finishRemoval, REMOVE_LEASE_MS } from './remove-connection.ts';

/**
 * Clears a connection whose token was taken before, is refused now and cannot be renewed, where its connector says so. Admins are
 * told. Source: specification §8 "Bitbucket 401 with no refresh token".
 * @returns what is said, or null where the connection stays
 */
export const removeExpired = async (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  connectionKey: ConnectionKey,
): Promise<string | null> => {
  const { auth, title } = entry.connector;
  if (auth.type !== 'oauth2' || auth.expired === undefined) return null;
  const message = auth.expired;
  const facts = leaseFacts(REMOVE_LEASE_MS);
  const record = await deps.database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    const before = conn.record;
    // credentials that the service never took were mistyped: they stay to be mended
    const wasAccepted = conn.state === 'needsAuth' && before.identity !== null;
    if (!wasAccepted || (await readRefreshToken(deps, db, auth, connectionKey)) !== undefined) return null;
    if (!(await conn.transition({ type: 'REMOVE' }, { message, facts }))) return null;
    await notify(db, {
      clientId: connectionKey.clientId,
      type: 'token_expiring',
      title: message,
      link: `/connector?source_control=${encodeURIComponent(title.toLowerCase())}`,
      to: { permission: 'connectors.write' },
    });
    return before;
  });
  if (record === null) return null;
  await finishRemoval(deps, entry, { ...connectionKey, runId: facts.run_id, record }, null);
  return message;
};
