import { sql } from 'kysely';
import Stripe from 'stripe';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, publicEndpoint } from '../../../platform/server/endpoint.ts';
import { readRawBody } from '../../../platform/server/raw-body.ts';
import { receiveStripeEvent } from '../../api/stripe-routes.ts';
import type { BillingDeps } from '../deps.ts';
import { findClientOf } from './accounts.ts';
import { requireStripe } from './stripe-client.ts';
import { synchronizeAccount } from './synchronize.ts';
import '../tables.ts';

const MAX_BODY_BYTES = 1_048_576;
/** Stripe sends an event again for three days at most. Source: Stripe, "Receive webhook events", 2026-11. */
const KEPT_DAYS = 30;

/** @throws forbidden where the signature is wrong, or older than five minutes */
const provenEvent = (secret: string, raw: Buffer, signature: string | string[] | undefined): Stripe.Event => {
  try {
    return Stripe.webhooks.constructEvent(raw, typeof signature === 'string' ? signature : '', secret);
  } catch (error) {
    throw new AppError('forbidden', msg('The event does not prove that it comes from Stripe.'), { cause: error });
  }
};

/** Whom an event is about; undefined where it is about no customer. */
const customerOf = ({ object }: Stripe.Event.Data): string | undefined => {
  if ('object' in object && object.object === 'customer' && 'id' in object && typeof object.id === 'string') {
    return object.id;
  }
  return 'customer' in object && typeof object.customer === 'string' ? object.customer : undefined;
};

/** Keeps the event and asks for a reading, both or neither. @returns false where it was taken before */
const take = async (db: Db, deps: BillingDeps, { clientId, event }: { clientId: string; event: Stripe.Event }) => {
  const { rows } = await sql`
    insert into stripe_events (client_id, event_id, type) values (${clientId}, ${event.id}, ${event.type})
    on conflict do nothing returning 1`.execute(db);
  if (rows.length === 0) return false;
  await sql`delete from stripe_events where client_id = ${clientId}
    and received_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  await deps.jobs.enqueue(db, synchronizeAccount, { clientId });
  return true;
};

/**
 * Takes events of Stripe. What an event says is not believed beyond whom it is about: the state is read at Stripe by a job, so that neither
 * order nor repetition matters, and an event is acknowledged only once that job will run.
 */
export const stripeWebhookEndpoint = (deps: BillingDeps): Endpoint =>
  publicEndpoint(receiveStripeEvent)(async ({ request }) => {
    const { webhookSecret } = requireStripe(deps.stripe);
    const raw = await readRawBody(request, MAX_BODY_BYTES);
    const event = provenEvent(webhookSecret, raw, request.headers['stripe-signature']);
    const customer = customerOf(event.data);
    const clientId =
      customer === undefined ? undefined : await deps.database.forIdentity((db) => findClientOf(db, customer));
    if (clientId === undefined) return { success: true, message: msg('About no organisation of this server.') };
    const isNew = await deps.database.forClient(clientId, (db) => take(db, deps, { clientId, event }));
    return isNew ? { success: true } : { success: true, message: msg('Taken before.') };
  });
