import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Json } from '@breakwater/sdk';
import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { type Endpoint, publicEndpoint } from '../../platform/server/endpoint.ts';
import { receiveDelivery } from '../api/routes.ts';
import type { ConnectionKey } from '../model/connection-key.ts';
import { deliveryOf } from '../model/delivery.ts';
import { isJson, isStorable } from '../model/json.ts';
import type { Connections } from './connections.ts';
import type { ConnectionsDeps } from './deps.ts';
import { isProven } from './webhook-proof.ts';
import './tables.ts';

const MAX_BODY_BYTES = 1_048_576;
/** A service gives up sending again long before. */
const KEPT_DAYS = 14;

const readRaw = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new AppError('payload_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const readBody = (raw: Buffer): Json => {
  try {
    const value: unknown = raw.length === 0 ? null : JSON.parse(raw.toString('utf8'));
    if (isJson(value) && isStorable(value)) return value;
  } catch {
    // said below, as for everything else that is no JSON
  }
  throw new AppError('validation_failed', 'Send the delivery as JSON.');
};

const findPlace = ({ database }: ConnectionsDeps, token: string): Promise<ConnectionKey | undefined> =>
  database.forIdentity(async (db) => {
    // index: connections_hook
    const { rows } = await sql<ConnectionKey>`
      select client_id as "clientId", connector_id as "connectorId" from connections where hook_token = ${token}`.execute(
      db,
    );
    return rows[0];
  });

const isKnown = ({ database }: ConnectionsDeps, place: ConnectionKey, id: string): Promise<boolean> =>
  database.forClient(place.clientId, async (db) => {
    const row = await db
      .selectFrom('connection_deliveries')
      .select('delivery_id')
      .where('client_id', '=', place.clientId)
      .where('connector_id', '=', place.connectorId)
      .where('delivery_id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  });

const remember = ({ database }: ConnectionsDeps, place: ConnectionKey, id: string): Promise<void> =>
  database.forClient(place.clientId, async (db) => {
    const { clientId, connectorId } = place;
    await db
      .insertInto('connection_deliveries')
      .values({ client_id: clientId, connector_id: connectorId, delivery_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`delete from connection_deliveries where client_id = ${clientId} and connector_id = ${connectorId}
      and at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  });

/**
 * Takes deliveries of services. Whoever knows the address must still prove to be the service, before any code of the connector runs.
 * A delivery counts as taken once the code is through with it; one that failed may be sent again.
 */
export const webhookEndpoint = (deps: ConnectionsDeps, connections: Connections): Endpoint =>
  publicEndpoint(receiveDelivery)(async ({ params, request, signal }) => {
    const raw = await readRaw(request);
    const place = await findPlace(deps, params.token);
    const webhook = place === undefined ? null : deps.catalogue.capability('webhook', place.connectorId);
    if (place === undefined || webhook === null) throw new AppError('not_found');
    const { proof } = webhook;
    const secret = await deps.database.forClient(place.clientId, (db) =>
      deps.vault.read(db, { ...place, field: proof.secret }),
    );
    if (secret === undefined || !isProven(proof, secret, { headers: request.headers, raw })) {
      throw new AppError('forbidden', 'The delivery does not prove that it comes from the service.');
    }
    const { event, id } = deliveryOf(request.headers, createHash('sha256').update(raw).digest('hex'));
    const body = readBody(raw);
    if (await isKnown(deps, place, id)) return { success: true, message: 'Taken before.' };
    await connections.use(place, (ctx) => webhook.on(ctx, { event, id, body }), { signal });
    await remember(deps, place, id);
    return { success: true };
  });
