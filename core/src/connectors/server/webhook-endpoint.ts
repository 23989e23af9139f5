import { ConnectorError, type DeliveryEvent, deliveryEventIssues, type Json } from '@breakwater/sdk';
import { deliveryOf, isProven } from '@breakwater/sdk/host';
import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { type Endpoint, publicEndpoint } from '../../platform/server/endpoint.ts';
import { readRawBody } from '../../platform/server/raw-body.ts';
import { receiveDelivery } from '../api/routes.ts';
import { isJson, isStorable } from '../model/credential-values.ts';
import type { ConnectionKey } from './connection/connection-store.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import type { Connections } from './connections.ts';
import './connection/tables.ts';
import { createHash } from 'node:crypto';

const MAX_BODY_BYTES = 1_048_576;
/** A service gives up sending again long before. */
const KEPT_DAYS = 14;

const readBody = (raw: Buffer): Json => {
  try {
    const value: unknown = raw.length === 0 ? null : JSON.parse(raw.toString('utf8'));
    if (isJson(value) && isStorable(value)) return value;
  } catch {
    // said below, as for everything else that is no JSON
  }
  throw new AppError('validation_failed', msg('Send the delivery as JSON.'));
};

const findConnectionKey = ({ database }: ConnectionsDeps, token: string): Promise<ConnectionKey | undefined> =>
  database.forIdentity(async (db) => {
    // index: connections_hook
    const { rows } = await sql<ConnectionKey>`
      select client_id as "clientId", connector_id as "connectorId" from connections where hook_token = ${token}`.execute(
      db,
    );
    return rows[0];
  });

/** A delivery whose process died may be sent again after that; no delivery takes so long. */
const CLAIM_SECONDS = 120;

/** Takes a delivery for this request alone. @returns false where it was taken, or another request is at it */
const claim = ({ database }: ConnectionsDeps, { clientId, connectorId }: ConnectionKey, id: string): Promise<boolean> =>
  database.forClient(clientId, async (db) => {
    const { rows } = await sql`
      insert into connection_deliveries as d (client_id, connector_id, delivery_id, claimed_until)
      values (${clientId}, ${connectorId}, ${id}, now() + make_interval(secs => ${CLAIM_SECONDS}))
      on conflict (client_id, connector_id, delivery_id) do update set claimed_until = excluded.claimed_until, at = now()
      where d.claimed_until < now()
      returning 1`.execute(db);
    return rows.length > 0;
  });

const remember = ({ database }: ConnectionsDeps, { clientId, connectorId }: ConnectionKey, id: string): Promise<void> =>
  database.forClient(clientId, async (db) => {
    await sql`update connection_deliveries set claimed_until = null
      where client_id = ${clientId} and connector_id = ${connectorId} and delivery_id = ${id}`.execute(db);
    await sql`delete from connection_deliveries where client_id = ${clientId} and connector_id = ${connectorId}
      and at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  });

const giveBack = ({ database }: ConnectionsDeps, { clientId, connectorId }: ConnectionKey, id: string): Promise<void> =>
  database.forClient(clientId, async (db) => {
    await sql`delete from connection_deliveries where client_id = ${clientId} and connector_id = ${connectorId}
      and delivery_id = ${id} and claimed_until is not null`.execute(db);
  });

/** What a delivery means, as the connector's code says. @throws ConnectorError upstream, where the host cannot act on it */
const sound = (events: readonly DeliveryEvent[] | undefined): readonly DeliveryEvent[] => {
  const [issue] = deliveryEventIssues(events);
  if (issue === undefined) return events ?? [];
  throw new ConnectorError('upstream', `A delivery was read as what cannot be: ${issue}.`);
};

/**
 * Takes deliveries of services. Whoever knows the address must still prove to be the service, before any code of the connector runs.
 * A delivery counts as taken once the code is through with it; one that failed may be sent again.
 */
export const webhookEndpoint = (deps: ConnectionsDeps, connections: Connections): Endpoint =>
  publicEndpoint(receiveDelivery)(async ({ params, request, signal }) => {
    const raw = await readRawBody(request, MAX_BODY_BYTES);
    const connectionKey = await findConnectionKey(deps, params.token);
    const webhook = connectionKey === undefined ? null : await connections.capability(connectionKey, 'webhook');
    if (connectionKey === undefined || webhook === null) throw new AppError('not_found');
    const { proof } = webhook;
    const secret = await deps.database.forClient(connectionKey.clientId, (db) =>
      deps.vault.read(db, { ...connectionKey, field: proof.secret }),
    );
    if (secret === undefined || !isProven(proof, secret, { headers: request.headers, raw })) {
      throw new AppError('forbidden', msg('The delivery does not prove that it comes from the service.'));
    }
    const { event, id } = deliveryOf(request.headers, createHash('sha256').update(raw).digest('hex'));
    const delivery = { event, id, body: readBody(raw) };
    if (!(await claim(deps, connectionKey, id))) return { success: true, message: msg('Taken before.') };
    try {
      const events = await connections.use(connectionKey, async (ctx) => sound(await webhook.on(ctx, delivery)), {
        signal,
      });
      await deps.afterDelivery?.(connectionKey, events);
    } catch (error) {
      await giveBack(deps, connectionKey, id);
      throw error;
    }
    await remember(deps, connectionKey, id);
    return { success: true };
  });
