import { sql } from 'kysely';
import type Stripe from 'stripe';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { actorOf, type RequestOrigin } from '../../../platform/server/audit.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import { FREE_TIER, isLive } from '../../model/plans.ts';
import { changePlan } from '../change-plan.ts';
import type { BillingDeps } from '../deps.ts';
import { requireNoMarketplace } from '../marketplace/subscriptions.ts';
import { ensureCustomer, readAccount } from './accounts.ts';
import { readSubscription } from './read-subscription.ts';
import { askStripe, requireStripe } from './stripe-client.ts';
import { synchronize } from './synchronize.ts';
import '../tables.ts';

/** A killed request holds others up for so long. */
const LEASE_SECONDS = 60;

/** One request at a time of an organisation. @throws conflict */
const withLease = async <T>({ database }: BillingDeps, clientId: string, work: () => Promise<T>): Promise<T> => {
  const isTaken = await database.forClient(clientId, async (db) => {
    const { rows } = await sql`
      update billing_accounts set checkout_lease = now() + make_interval(secs => ${LEASE_SECONDS}), visited_at = now()
      where client_id = ${clientId} and (checkout_lease is null or checkout_lease < now()) returning 1`.execute(db);
    return rows.length > 0;
  });
  if (!isTaken) throw new AppError('conflict', msg('Somebody is opening a checkout for your organisation. Try again.'));
  try {
    return await work();
  } finally {
    await database.forClient(clientId, (db) =>
      db.updateTable('billing_accounts').set({ checkout_lease: null }).where('client_id', '=', clientId).execute(),
    );
  }
};

interface Purchase {
  clientId: string;
  customerId: string;
  priceId: string;
}

/** The checkout that is open for this price; one for another price is closed, so that nobody pays twice. */
const findOpenCheckout = async (client: Stripe, { customerId, priceId }: Purchase): Promise<string | undefined> => {
  const { data } = await askStripe(() =>
    client.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }),
  );
  const same = data.find(({ metadata, url }) => metadata?.['price_id'] === priceId && url !== null);
  for (const other of data.filter(({ id }) => id !== same?.id)) {
    await askStripe(() => client.checkout.sessions.expire(other.id));
  }
  return same?.url ?? undefined;
};

const openCheckout = async ({ stripe, origin }: BillingDeps, purchase: Purchase): Promise<string> => {
  const { client } = requireStripe(stripe);
  const open = await findOpenCheckout(client, purchase);
  if (open !== undefined) return open;
  const { clientId, customerId, priceId } = purchase;
  const metadata = { client_id: clientId, price_id: priceId };
  const session = await askStripe(() =>
    client.checkout.sessions.create({
      mode: 'subscription',
      customer: customerId,
      client_reference_id: clientId,
      line_items: [{ price: priceId, quantity: 1 }],
      metadata,
      subscription_data: { metadata },
      success_url: `${origin}/payment/success`,
      cancel_url: `${origin}/payment/cancel`,
    }),
  );
  if (session.url === null) throw new AppError('upstream_failed', msg('Stripe opened no checkout. Try again.'));
  return session.url;
};

/** Where the organisation confirms another price for the subscription that it has. */
const openChange = async (
  { stripe, origin }: BillingDeps,
  { customerId, priceId }: Purchase,
  subscription: Stripe.Subscription,
): Promise<string> => {
  const { client } = requireStripe(stripe);
  const [item] = subscription.items.data;
  if (item === undefined)
    throw new AppError('upstream_failed', msg('Stripe says nothing of what the subscription is for.'));
  if (item.price.id === priceId && !subscription.cancel_at_period_end) {
    throw new AppError('conflict', msg('Your organisation has this plan already.'));
  }
  const back = `${origin}/plan-pricings`;
  const isSame = item.price.id === priceId;
  const session = await askStripe(() =>
    client.billingPortal.sessions.create({
      customer: customerId,
      return_url: back,
      // one that ends is taken back on the page of Stripe itself
      ...(isSame
        ? {}
        : {
            flow_data: {
              type: 'subscription_update_confirm',
              after_completion: { type: 'redirect', redirect: { return_url: `${origin}/payment/success` } },
              subscription_update_confirm: {
                subscription: subscription.id,
                items: [{ id: item.id, price: priceId, quantity: 1 }],
              },
            },
          }),
    }),
  );
  return session.url;
};

/** Where a plan is bought or changed. The price has to sell a plan now. @throws pricing_not_found, conflict, upstream_failed */
export const buyPlan = async (deps: BillingDeps, { clientId }: Caller, priceId: string): Promise<string> => {
  const { client } = requireStripe(deps.stripe);
  const price = await deps.database.forClient(clientId, (db) =>
    db
      .selectFrom('pricing_prices')
      .select('price_id')
      .where('price_id', '=', priceId)
      .where('is_current', '=', true)
      .executeTakeFirst(),
  );
  if (price === undefined) throw new AppError('pricing_not_found');
  await deps.database.forClient(clientId, (db) => requireNoMarketplace(db, clientId));
  const purchase = { clientId, customerId: await ensureCustomer(deps, clientId), priceId };
  return withLease(deps, clientId, async () => {
    await synchronize(deps, clientId);
    const subscription = await readSubscription(client, purchase.customerId);
    return subscription !== undefined && isLive(subscription.status)
      ? openChange(deps, purchase, subscription)
      : openCheckout(deps, purchase);
  });
};

/** Where card, address and subscription are managed. @throws conflict, upstream_failed */
export const openPortal = async ({ database, stripe, origin }: BillingDeps, { clientId }: Caller): Promise<string> => {
  const { client } = requireStripe(stripe);
  const customer = await database.forClient(clientId, async (db) => {
    await db
      .updateTable('billing_accounts')
      .set({ visited_at: sql`now()` })
      .where('client_id', '=', clientId)
      .execute();
    return (await readAccount(db, clientId))?.customer_id ?? null;
  });
  if (customer === null) throw new AppError('conflict', msg('Your organisation has bought nothing yet.'));
  const session = await askStripe(() =>
    client.billingPortal.sessions.create({ customer, return_url: `${origin}/plan-pricings` }),
  );
  return session.url;
};

/**
 * Chooses the free plan. What is paid for stays until the end of its period, when Stripe ends the subscription; a checkout that is open
 * is closed. @throws upstream_failed
 */
export const chooseFreePlan =
  (deps: BillingDeps) =>
  async (caller: Caller, origin: RequestOrigin): Promise<void> => {
    const { clientId } = caller;
    const account = await deps.database.forClient(clientId, async (db) => {
      await requireNoMarketplace(db, clientId);
      return readAccount(db, clientId);
    });
    const customerId = account?.customer_id ?? null;
    if (customerId !== null) {
      const { client } = requireStripe(deps.stripe);
      const subscription = await readSubscription(client, customerId);
      if (subscription !== undefined && isLive(subscription.status)) {
        await askStripe(() => client.subscriptions.update(subscription.id, { cancel_at_period_end: true }));
        await synchronize(deps, clientId);
        return;
      }
    }
    await deps.database.forClient(clientId, (db) =>
      changePlan(db, { clientId, tier: FREE_TIER, actor: actorOf(caller), origin }),
    );
  };
