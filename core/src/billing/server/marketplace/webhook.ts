import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, publicEndpoint } from '../../../platform/server/endpoint.ts';
import { readRawBody } from '../../../platform/server/raw-body.ts';
import { receiveMarketplaceOperation } from '../../api/marketplace-routes.ts';
import type { BillingDeps } from '../deps.ts';
import { type Marketplace, type MarketplaceOperation, requireMarketplace } from './marketplace-client.ts';
import { findOwner, readPlanOf } from './subscriptions.ts';
import { followMarketplace } from './synchronize.ts';
import '../tables.ts';

const MAX_BODY_BYTES = 262_144;
/** Microsoft announces an operation again for eight hours. Source: "Implementing a webhook on the SaaS service". */
const KEPT_DAYS = 30;

const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });
/** Nothing else of it is believed. */
const Announced = Type.Object({ id: Uuid, subscriptionId: Uuid, action: Type.String() });

const refuse = (): AppError => new AppError('forbidden', msg('The Microsoft Marketplace knows no such operation.'));

const announcedOf = (raw: Buffer) => {
  try {
    const body: unknown = JSON.parse(raw.toString('utf8'));
    if (Value.Check(Announced, body)) return body;
  } catch {
    // refused below
  }
  throw refuse();
};

/** What the marketplace itself says of the operation that was announced. @throws forbidden, unavailable */
const lookUp = async (marketplace: Marketplace, authorization: string | undefined, raw: Buffer) => {
  try {
    await marketplace.verifyCaller(authorization);
    const { id, subscriptionId, action } = announcedOf(raw);
    const operation = await marketplace.readOperation(subscriptionId, id);
    const isSame =
      operation?.id.toLowerCase() === id.toLowerCase() &&
      operation.subscriptionId.toLowerCase() === subscriptionId.toLowerCase() &&
      operation.action === action;
    if (operation === undefined || !isSame) throw refuse();
    return operation;
  } catch (error) {
    // an answer of 4xx would turn the change down: it has to be announced again
    if (error instanceof AppError && error.code === 'upstream_failed') {
      throw new AppError('unavailable', error.userMessage, { cause: error });
    }
    throw error;
  }
};

/** Keeps the operation and asks for a reading, both or neither. @returns false where it was taken before */
const take = async (db: Db, deps: BillingDeps, { clientId, operation }: Taken): Promise<boolean> => {
  const { id: operationId, subscriptionId, action } = operation;
  const { rows } = await sql`
    insert into marketplace_operations (client_id, operation_id, action) values (${clientId}, ${operationId}, ${action})
    on conflict do nothing returning 1`.execute(db);
  if (rows.length === 0) return false;
  await sql`delete from marketplace_operations where client_id = ${clientId}
    and received_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  await db
    .updateTable('marketplace_subscriptions')
    .set({ touched_at: sql`now()`, due_at: sql`now() + interval '1 minute'` })
    .where('client_id', '=', clientId)
    .where('subscription_id', '=', subscriptionId)
    .execute();
  await deps.jobs.enqueue(db, followMarketplace, { clientId, subscriptionId, operationId });
  return true;
};

interface Taken {
  clientId: string;
  operation: MarketplaceOperation;
}

/** @throws conflict where the operation asks for a plan that is not there: the answer turns the change down */
const requirePlan = async (db: Db, { action, status, planId = '' }: MarketplaceOperation): Promise<void> => {
  if (action !== 'ChangePlan' || status !== 'InProgress' || (await readPlanOf(db, planId)) !== undefined) return;
  throw new AppError('conflict', say('There is no plan "{planId}" on this server.', { planId }));
};

/**
 * Takes operations of the marketplace: proven by a token of Entra ID, and looked up there before anything follows. What then follows is
 * what the marketplace says of the subscription when a job reads it, so that neither order nor repetition matters.
 */
export const marketplaceWebhookEndpoint = (deps: BillingDeps): Endpoint =>
  publicEndpoint(receiveMarketplaceOperation)(async ({ request }) => {
    const marketplace = requireMarketplace(deps.marketplace);
    const raw = await readRawBody(request, MAX_BODY_BYTES);
    const operation = await lookUp(marketplace, request.headers.authorization, raw);
    const clientId = await deps.database.forIdentity((db) => findOwner(db, operation.subscriptionId));
    if (clientId === undefined) return { success: true, message: msg('About no organisation of this server.') };
    const isNew = await deps.database.forClient(clientId, async (db) => {
      await requirePlan(db, operation);
      return take(db, deps, { clientId, operation });
    });
    return isNew ? { success: true } : { success: true, message: msg('Taken before.') };
  });
