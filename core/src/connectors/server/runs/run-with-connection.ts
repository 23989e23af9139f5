import type { ConnectorError, CredentialSchema, Ctx } from '@breakwater/sdk';
import { LIMITS, runStep } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import { lockConnection } from '../connection/advance-connection.ts';
import { AT_ONCE, countCrash, failureEvent, startCheck } from '../connection/connection-runs.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import { createConnectorContext, type OpenConnection } from '../connection/connector-context.ts';
import { isEntryConfigured } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { requireEntry } from '../connection/find-entry.ts';
import { removeExpired } from './remove-expired.ts';
import { refuseClosed } from './run-check.ts';

/** What the code of any connector gets. */
export type ConnectionCtx = Ctx<CredentialSchema>;

export interface UseOptions {
  /** Default 15 s. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Tries it also where the service was not reached lately: for what is sent again until it arrives. */
  evenIfUnreached?: boolean;
}

/** States in which the service may be asked; in the others something must be settled first. */
const USABLE = new Set(['connected', 'syncing', 'checking']);
/** What one refused step says of the whole connection. The other codes speak of this step alone. */
const TELLING = new Set(['auth', 'rate_limited']);

/** Refusals that say nothing of the credentials: the service was away, or in trouble. */
const AWAY = new Set(['unreachable', 'upstream']);

const isUnreached = ({ stored }: OpenConnection['record']): boolean =>
  (stored.connection === 'retrying' || stored.connection === 'failed') && AWAY.has(stored.failure?.code ?? '');

const admit = (
  entry: CatalogueEntry,
  { record }: OpenConnection,
  { evenIfUnreached = false }: Pick<UseOptions, 'evenIfUnreached'>,
): void => {
  refuseClosed(entry, { record });
  const { title } = entry.connector;
  if (!isEntryConfigured(entry, record)) {
    throw new AppError('integration_not_configured', say('{title} is not configured.', { title }));
  }
  if (USABLE.has(record.stored.connection) || (evenIfUnreached && isUnreached(record))) return;
  const why = record.stored.failure?.message ?? 'it has not been checked yet.';
  throw new AppError('conflict', say('{title} is not connected: {why}', { title, why }));
};

/** Keeps what a failed step says of the connection. A check or sync that runs meanwhile says it by itself. */
const remember = (
  deps: ConnectionsDeps,
  open: OpenConnection,
  { error, crashed }: { error: ConnectorError; crashed: boolean },
): Promise<void> =>
  deps.database.forClient(open.connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, open.connectionKey);
    if (crashed) await countCrash(conn);
    if (conn.state !== 'connected' || !TELLING.has(error.code)) return;
    await conn.transition(failureEvent(error, { attempts: conn.record.stored.attempts, mask: open.mask }));
  });

/** A service that answers again is checked at the next look of the poller, instead of when its next attempt is due. */
const askForCheck = (deps: ConnectionsDeps, connectionKey: ConnectionKey): Promise<void> =>
  deps.database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    if (isUnreached(conn.record) && (await startCheck(conn, { type: 'CHECK' }, null)) !== null)
      await conn.update(AT_ONCE);
  });

/** One step of a connector's code with the connection of a client. @throws conflict, integration_not_configured, upstream_failed, connection_expired */
export const runWithConnection = async <T>(
  deps: ConnectionsDeps,
  connectionKey: ConnectionKey,
  work: (ctx: ConnectionCtx) => Promise<T>,
  { timeoutMs = LIMITS.routeMs, signal, ...options }: UseOptions = {},
): Promise<T> => {
  const entry = await requireEntry(deps, connectionKey.clientId, connectionKey.connectorId);
  const open = await createConnectorContext(deps, entry, connectionKey);
  admit(entry, open, options);
  const outcome = await runStep((stepSignal) => work(open.ctx(stepSignal)), {
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  if (outcome.ok) {
    if (isUnreached(open.record)) await askForCheck(deps, connectionKey);
    return outcome.value;
  }
  await remember(deps, open, outcome);
  const { code, message, help } = outcome.error;
  const expired = code === 'auth' ? await removeExpired(deps, entry, connectionKey) : null;
  if (expired !== null) throw new AppError('connection_expired', expired);
  // of a missing right the help says which one
  const said = code === 'scope' && help !== undefined ? `${message} ${help}` : message;
  throw new AppError('upstream_failed', open.mask.text(`${entry.connector.title}: ${said}`));
};
