import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { FREE_TIER } from '../../model/plans.ts';
import { changePlan, MARKETPLACE } from '../change-plan.ts';
import type { BillingDeps } from '../deps.ts';
import type { BillingJobDeps } from '../stripe/synchronize.ts';
import { type Marketplace, type MarketplacePurchase, requireMarketplace, seatsOf } from './marketplace-client.ts';
import { beginReading, type ReadState, readPlanOf, statusOf, termEndOf, writeReading } from './subscriptions.ts';
import '../tables.ts';

interface Named {
  clientId: string;
  subscriptionId: string;
}

/** A purchase that nobody could activate for so long is given up, so that another organisation may have it. */
const PENDING_MS = 24 * 3_600_000;

const stateOf = (purchase: MarketplacePurchase): ReadState => ({
  planId: purchase.planId,
  quantity: seatsOf(purchase.quantity),
  status: statusOf(purchase),
  termEnd: termEndOf(purchase),
});

/** Activates what waits for it. What was activated meanwhile is so. @throws upstream_failed */
const activated = async (marketplace: Marketplace, id: string, state: ReadState): Promise<ReadState> => {
  if (state.status !== 'PendingFulfillmentStart') return state;
  try {
    await marketplace.activate(id, state);
  } catch (error) {
    const again = await marketplace.readSubscription(id);
    if (again === undefined || statusOf(again) === 'PendingFulfillmentStart') throw error;
    return stateOf(again);
  }
  return { ...state, status: 'Subscribed' };
};

/** Which plan follows; undefined where none does. What is not paid for through the marketplace is left alone. */
const planOf = async (db: Db, was: string, { status, planId }: ReadState): Promise<string | undefined> => {
  if (status === 'Subscribed') return (await readPlanOf(db, planId))?.tier;
  return was === 'Subscribed' ? FREE_TIER : undefined;
};

/** Gives up a purchase that waits for too long. */
const removePending = (db: Db, { clientId, subscriptionId }: Named) =>
  db
    .deleteFrom('marketplace_subscriptions')
    .where('client_id', '=', clientId)
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'PendingFulfillmentStart')
    .execute();

/**
 * Reads at the marketplace how a subscription stands, activates it where an admin asked for that, and makes the plan follow. In whatever
 * order operations arrive, and however often: what the marketplace says now counts. @throws integration_not_configured, upstream_failed
 */
export const synchronizeMarketplace = async (
  deps: Pick<BillingDeps, 'database' | 'marketplace'>,
  { clientId, subscriptionId }: Named,
): Promise<void> => {
  const marketplace = requireMarketplace(deps.marketplace);
  const { database } = deps;
  const begun = await database.forClient(clientId, (db) => beginReading(db, { clientId, subscriptionId }));
  if (begun === undefined) return;
  const read = await marketplace.readSubscription(subscriptionId);
  let state: ReadState | undefined = read && stateOf(read);
  try {
    state = state && (await activated(marketplace, subscriptionId, state));
  } catch (error) {
    if (begun.claimed_at.getTime() > Date.now() - PENDING_MS) throw error;
    await database.forClient(clientId, (db) => removePending(db, { clientId, subscriptionId }));
    return;
  }
  await database.forClient(clientId, async (db) => {
    const known = state ?? (await lastState(db, { clientId, subscriptionId }));
    const written = await writeReading(db, { clientId, subscriptionId, begun: begun.sync_begun }, known);
    if (written === undefined) return;
    await publish(db, { clientId, type: 'client.changed', data: {}, audience: { permission: 'billing.read' } });
    const tier = await planOf(db, written.was, known);
    if (tier !== undefined) await changePlan(db, { clientId, tier, actor: MARKETPLACE, origin: undefined });
  });
};

/** What was known of a subscription that the marketplace keeps no more: it has ended. */
const lastState = async (db: Db, { clientId, subscriptionId }: Named): Promise<ReadState> => {
  const row = await db
    .selectFrom('marketplace_subscriptions')
    .select(['plan_id', 'quantity', 'term_end'])
    .where('client_id', '=', clientId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  return { planId: row.plan_id, quantity: row.quantity, status: 'Unsubscribed', termEnd: row.term_end };
};

const CHANGES = new Set(['ChangePlan', 'ChangeQuantity']);

/** Asked for by operations of the marketplace, and by the poller. */
export const followMarketplace = defineJob({
  name: 'billing.follow-marketplace',
  input: Type.Object({
    clientId: Type.String(),
    subscriptionId: Type.String(),
    /** Of a change that waits to be confirmed. */
    operationId: Type.Optional(Type.String()),
  }),
  retry: { limit: 20 },
  key: ({ subscriptionId, operationId = '' }) => `${subscriptionId} ${operationId}`,
  run: async ({ database, marketplace }: BillingJobDeps, { data: { clientId, subscriptionId, operationId } }) => {
    if (marketplace === undefined) return;
    const operation =
      operationId === undefined ? undefined : await marketplace.readOperation(subscriptionId, operationId);
    if (operation !== undefined && operation.status === 'InProgress' && CHANGES.has(operation.action)) {
      await marketplace.confirmOperation(operation);
    }
    await synchronizeMarketplace({ database, marketplace }, { clientId, subscriptionId });
  },
});

/** So many subscriptions a run. */
const BATCH = 200;

/** Index: marketplace_subscriptions_due. */
const findDue = async (db: Db): Promise<{ client_id: string; subscription_id: string }[]> => {
  const { rows } = await sql<{ client_id: string; subscription_id: string }>`
    select client_id, subscription_id from marketplace_subscriptions
    where due_at < now() and status <> 'Unsubscribed' order by due_at limit ${BATCH}`.execute(db);
  return rows;
};

/** Looks where no operation was announced: the server was away, or it was killed between claim and activation. */
export const pollMarketplace = defineJob({
  name: 'billing.poll-marketplace',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { everySeconds: 30 },
  run: async ({ database, jobs, marketplace }: BillingJobDeps) => {
    if (marketplace === undefined) return;
    for (const { client_id: clientId, subscription_id: subscriptionId } of await database.forIdentity(findDue)) {
      await database.forClient(clientId, (db) => jobs.enqueue(db, followMarketplace, { clientId, subscriptionId }));
    }
  },
});
