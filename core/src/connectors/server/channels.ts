import { type ConnectorError, isConnectorError } from '@breakwater/sdk';
import type { Channels, SendResult } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { ConnectorCatalogue } from '../../platform/model/connector-catalogue.ts';
import type { Connections } from './connections.ts';
import { connectionProblem } from './source-controls.ts';

const SEND_MS = 15_000;

/** Refusals of this very message, which would be the same again. */
const LASTING: ReadonlySet<string> = new Set(['scope', 'config', 'unsupported']);

const resultOf = (error: AppError, failure: ConnectorError | undefined): SendResult => {
  const reason = error.userMessage;
  if (error.code === 'integration_not_configured' || error.code === 'connector_not_found') return { outcome: 'gone' };
  if (failure === undefined) return { outcome: 'later', reason, isAttempt: error.code === 'upstream_failed' };
  if (LASTING.has(failure.code)) return { outcome: 'refused', reason };
  const { code, retryAfterMs: afterMs } = failure;
  // the connection itself has to be looked at, or to wait
  const isAttempt = code !== 'auth' && code !== 'rate_limited';
  return { outcome: 'later', reason, isAttempt, ...(afterMs === undefined ? {} : { afterMs }) };
};

/** Connectors with the capability `notify` as the notifications need them. */
export const createChannels = (catalogue: ConnectorCatalogue, connections: Connections): Channels => ({
  list: async (db, clientId) => {
    const all = await connections.entries(db, clientId);
    const entries = all.filter(
      ({ connector: { id, disabled } }) => disabled === undefined && catalogue.capability('notify', id) !== null,
    );
    const channels = [];
    for (const { connector, address } of entries) {
      const item = await connections.item(db, clientId, connector.id);
      const { is_configured: isConfigured, state_detail, title } = item.attributes;
      const problem = connectionProblem(item);
      channels.push({ connectorId: connector.id, title, address, name: state_detail.identity, isConfigured, problem });
    }
    return channels;
  },
  find: async (db, { clientId, connectorId }) => {
    const entries = await connections.entries(db, clientId);
    const entry = entries.find(({ connector }) => connector.id === connectorId);
    if (entry === undefined || catalogue.capability('notify', connectorId) === null)
      throw new AppError('connector_not_found');
    return { title: entry.connector.title };
  },
  send: async (connectionKey, message) => {
    const notify = await connections.capability(connectionKey, 'notify');
    if (notify === null) return { outcome: 'gone' };
    let failure: ConnectorError | undefined;
    try {
      await connections.use(
        connectionKey,
        (ctx) =>
          notify.send(ctx, message).catch((error: unknown) => {
            if (isConnectorError(error)) failure = error;
            throw error;
          }),
        { timeoutMs: SEND_MS, evenIfUnreached: true },
      );
      return { outcome: 'sent' };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return resultOf(error, failure);
    }
  },
});
