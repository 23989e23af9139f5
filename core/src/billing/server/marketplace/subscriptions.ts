import { type Selectable, sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { MARKETPLACE_STATUSES, type MarketplaceStatus } from '../../model/marketplace.ts';
import { isLive } from '../../model/plans.ts';
import type { MarketplaceSubscriptionsTable } from '../tables.ts';
import { type MarketplacePurchase, seatsOf } from './marketplace-client.ts';
import '../tables.ts';

export type StoredSubscription = Selectable<MarketplaceSubscriptionsTable>;

/** @throws upstream_failed where Microsoft says something else */
export const statusOf = ({ saasSubscriptionStatus }: MarketplacePurchase): MarketplaceStatus => {
  // a purchase that was not even begun is one that waits
  const name = saasSubscriptionStatus === 'NotStarted' ? 'PendingFulfillmentStart' : saasSubscriptionStatus;
  const status = MARKETPLACE_STATUSES.find((one) => one === name);
  if (status === undefined) {
    throw new AppError('upstream_failed', msg('The Microsoft Marketplace names an unknown state of the subscription.'));
  }
  return status;
};

export const termEndOf = ({ term }: MarketplacePurchase): Date | null => {
  const time = Date.parse(term?.endDate ?? '');
  return Number.isNaN(time) ? null : new Date(time);
};

/** What the organisation pays for at the marketplace now, or did before it was suspended. Index: marketplace_subscriptions_live. */
export const readLiveSubscription = (db: Db, clientId: string): Promise<StoredSubscription | undefined> =>
  db
    .selectFrom('marketplace_subscriptions')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('status', '<>', 'Unsubscribed')
    .executeTakeFirst();

/** The organisation that activated it; within `forIdentity`. */
export const findOwner = async (db: Db, subscriptionId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('marketplace_subscriptions')
    .select('client_id')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return row?.client_id;
};

/** Our plan of that name. */
export const readPlanOf = (db: Db, planId: string): Promise<{ tier: string; title: string } | undefined> =>
  db.selectFrom('pricings').select(['tier', 'title']).where('tier', '=', planId).executeTakeFirst();

const PAYS_THERE = msg(
  'Your organisation pays through the Microsoft Marketplace. Change or cancel the subscription there.',
);

/** @throws conflict */
export const requireNoMarketplace = async (db: Db, clientId: string): Promise<void> => {
  if ((await readLiveSubscription(db, clientId)) !== undefined) throw new AppError('conflict', PAYS_THERE);
};

/** @throws conflict where the organisation pays already */
const requireNothingPaid = async (db: Db, clientId: string, subscriptionId: string): Promise<void> => {
  const account = await db
    .selectFrom('billing_accounts')
    .select('subscription_status')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (isLive(account?.subscription_status)) {
    throw new AppError('conflict', msg('Your organisation pays for a plan by card. End that subscription first.'));
  }
  const other = await readLiveSubscription(db, clientId);
  if (other !== undefined && other.subscription_id !== subscriptionId) {
    throw new AppError('conflict', msg('Your organisation has a subscription of the Microsoft Marketplace already.'));
  }
};

/**
 * Keeps whose a purchase is, before it is activated: a process that dies in between is made up for by the poller.
 * @throws conflict, pricing_not_found
 */
export const claimPurchase = async (db: Db, clientId: string, purchase: MarketplacePurchase): Promise<void> => {
  const status = statusOf(purchase);
  if (status === 'Unsubscribed') throw new AppError('conflict', msg('This subscription was cancelled. Buy a new one.'));
  if ((await readPlanOf(db, purchase.planId)) === undefined) {
    throw new AppError(
      'pricing_not_found',
      say('There is no plan "{planId}" on this server.', { planId: purchase.planId }),
    );
  }
  await requireNothingPaid(db, clientId, purchase.id);
  await db
    .insertInto('marketplace_subscriptions')
    .values({
      client_id: clientId,
      subscription_id: purchase.id,
      name: purchase.name ?? '',
      offer_id: purchase.offerId,
      plan_id: purchase.planId,
      quantity: seatsOf(purchase.quantity),
      // it counts once it was activated, or read as such
      status: 'PendingFulfillmentStart',
      term_end: termEndOf(purchase),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const own = await db
    .selectFrom('marketplace_subscriptions')
    .select('subscription_id')
    .where('client_id', '=', clientId)
    .where('subscription_id', '=', purchase.id)
    .executeTakeFirst();
  if (own === undefined) throw new AppError('conflict', msg('This purchase belongs to another organisation.'));
};

export interface BegunReading {
  sync_begun: string;
  claimed_at: Date;
}

/** Numbers a reading; undefined where the organisation has no such subscription. */
export const beginReading = async (
  db: Db,
  { clientId, subscriptionId }: { clientId: string; subscriptionId: string },
): Promise<BegunReading | undefined> => {
  const { rows } = await sql<BegunReading>`
    update marketplace_subscriptions set sync_begun = sync_begun + 1
    where client_id = ${clientId} and subscription_id = ${subscriptionId}
    returning sync_begun, claimed_at`.execute(db);
  return rows[0];
};

export interface ReadState {
  planId: string;
  quantity: number | null;
  status: MarketplaceStatus;
  termEnd: Date | null;
}

/** Writes what was read, unless a reading that began later has been written. @returns the state that stood there before */
export const writeReading = async (
  db: Db,
  { clientId, subscriptionId, begun }: { clientId: string; subscriptionId: string; begun: string },
  { planId, quantity, status, termEnd }: ReadState,
): Promise<{ was: MarketplaceStatus } | undefined> => {
  const { rows } = await sql<{ was: MarketplaceStatus }>`
    with known as (
      select client_id, subscription_id, status as was from marketplace_subscriptions
      where client_id = ${clientId} and subscription_id = ${subscriptionId} and sync_written < ${begun}::bigint
      for update
    )
    update marketplace_subscriptions m set
      plan_id = ${planId}, quantity = ${quantity}, status = ${status}, term_end = ${termEnd},
      sync_written = ${begun}::bigint,
      -- the marketplace makes a change a while after it was confirmed
      due_at = now() + case when ${status} = 'PendingFulfillmentStart' or touched_at > now() - interval '1 hour'
        then interval '1 minute' else interval '12 hours' end
    from known where m.client_id = known.client_id and m.subscription_id = known.subscription_id
    returning known.was`.execute(db);
  return rows[0];
};
