import { isConnectorError } from '@breakwater/sdk';
import { createSecretMask } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import { lockConnection } from '../connection/advance-connection.ts';
import { failureEvent } from '../connection/connection-runs.ts';
import { isEntryConfigured } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { readConnection } from '../connection/read-connections.ts';
import { refreshToken } from '../connection/refresh-token.ts';
import { removeExpired } from '../runs/remove-expired.ts';
import { refuseClosed } from '../runs/run-check.ts';
import { REFRESH_FAILED, refusedExchange } from './finish-consent.ts';

/**
 * Renews the access token of a connection because a person asks for it; once for all who ask at the same time.
 * @throws token_exchange_failed, integration_not_configured, connection_expired, conflict
 */
export const renewConnection = async (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  clientId: string,
): Promise<void> => {
  const connectionKey = { clientId, connectorId: entry.connector.id };
  const { title } = entry.connector;
  const record = await deps.database.forClient(clientId, (db) => readConnection(db, connectionKey));
  refuseClosed(entry, { record });
  if (!isEntryConfigured(entry, record)) {
    throw new AppError('integration_not_configured', say('{title} is not configured.', { title }));
  }
  try {
    await refreshToken(deps, entry, connectionKey);
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    if (error.code === 'auth') {
      const event = failureEvent(error, { attempts: 0, mask: createSecretMask() });
      await deps.database.forClient(clientId, async (db) => {
        const conn = await lockConnection(db, connectionKey);
        if (conn.state === 'connected') await conn.transition(event);
      });
      const message = await removeExpired(deps, entry, connectionKey);
      if (message !== null) throw new AppError('connection_expired', message);
    }
    throw refusedExchange(error, REFRESH_FAILED);
  }
};
