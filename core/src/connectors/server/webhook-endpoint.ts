import type { Json, WebhookProof } from '@breakwater/sdk';
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
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

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

/**
 * Takes deliveries of services. Whoever knows the address must still prove to be the service, before any code of the connector runs.
 * A delivery counts as taken once the code is through with it; one that failed may be sent again.
 */
export const webhookEndpoint = (deps: ConnectionsDeps, connections: Connections): Endpoint =>
  publicEndpoint(receiveDelivery)(async ({ params, request, signal }) => {
    const raw = await readRawBody(request, MAX_BODY_BYTES);
    const connectionKey = await findConnectionKey(deps, params.token);
    const webhook =
      connectionKey === undefined ? null : deps.catalogue.capability('webhook', connectionKey.connectorId);
    if (connectionKey === undefined || webhook === null) throw new AppError('not_found');
    const { proof } = webhook;
    const secret = await deps.database.forClient(connectionKey.clientId, (db) =>
      deps.vault.read(db, { ...connectionKey, field: proof.secret }),
    );
    if (secret === undefined || !isProven(proof, secret, { headers: request.headers, raw })) {
      throw new AppError('forbidden', msg('The delivery does not prove that it comes from the service.'));
    }
    const { event, id } = deliveryOf(request.headers, createHash('sha256').update(raw).digest('hex'));
    const body = readBody(raw);
    if (!(await claim(deps, connectionKey, id))) return { success: true, message: msg('Taken before.') };
    try {
      const events = await connections.use(connectionKey, (ctx) => webhook.on(ctx, { event, id, body }), { signal });
      await deps.afterDelivery?.(connectionKey, events ?? []);
    } catch (error) {
      await giveBack(deps, connectionKey, id);
      throw error;
    }
    await remember(deps, connectionKey, id);
    return { success: true };
  });

/** Headers in which services say what a delivery is about, the most telling first. */
const EVENT_HEADERS = ['x-github-event', 'x-gitlab-event', 'x-gitea-event', 'x-event-key', 'x-event', 'webhook-event'];
/** Headers in which services name a delivery; the same one sent again keeps its name. */
const ID_HEADERS = [
  'x-github-delivery',
  // GitLab gives what follows from another delivery the same event uuid
  'idempotency-key',
  'x-gitlab-event-uuid',
  'x-gitea-delivery',
  'x-request-uuid',
  'webhook-id',
  'x-atlassian-webhook-identifier',
  'x-delivery-id',
];
const MAX_LENGTH = 200;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One value of a header; null where there is none or several. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

const firstOf = (headers: Headers, names: readonly string[]): string | null => {
  for (const name of names) {
    const value = headerOf(headers, name)?.trim();
    if (value !== undefined && value !== '' && value.length <= MAX_LENGTH) return value;
  }
  return null;
};

/** What a delivery says of itself. Without a name of its own it goes by the digest of its body. */
export function deliveryOf(headers: Headers, bodyDigest: string): { event: string; id: string } {
  return { event: firstOf(headers, EVENT_HEADERS) ?? '', id: firstOf(headers, ID_HEADERS) ?? bodyDigest };
}

/** In a time that tells nothing about where two texts differ, nor how long they are. */
const isSame = (left: string, right: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
};

/** Whether a delivery comes from the service: judged by the raw body, before any code of the connector sees it. */
export const isProven = (
  proof: WebhookProof,
  secret: string,
  { headers, raw }: { headers: Readonly<Record<string, string | string[] | undefined>>; raw: Buffer },
): boolean => {
  const given = headerOf(headers, proof.header);
  if (given === null || secret === '') return false;
  if (proof.type === 'token') return isSame(given, secret);
  const expected = createHmac('sha256', secret).update(raw).digest('hex');
  return isSame(given.replace(/^sha256=/, '').toLowerCase(), expected);
};
