import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { amountFor, INTERVALS, type Interval } from '../../model/plans.ts';
import type { BillingDeps } from '../deps.ts';
import { type PricingItem, readPricing } from '../pricings.ts';
import { askStripe, requireStripe } from './stripe-client.ts';
import '../tables.ts';

const CURRENCY = 'usd';

const amountsOf = ({ attributes }: PricingItem): [Interval, number][] => {
  const { amount_cents: amountCents, interval, yearly_discount: yearlyDiscount } = attributes;
  return INTERVALS.flatMap((by): [Interval, number][] => {
    const amount = amountFor({ amountCents, interval, yearlyDiscount }, by);
    return amount === undefined || amount === 0 ? [] : [[by, amount]];
  });
};

const readPlan = (deps: BillingDeps, pricingId: string): Promise<PricingItem> =>
  deps.database.forIdentity((db) => readPricing(db, pricingId));

/** The product of a plan; another one where it is called differently by now. */
const makeProduct = async (client: Stripe, { _id, attributes }: PricingItem): Promise<string> => {
  const { title, description } = attributes;
  const fields = { name: title, ...(description === '' ? {} : { description }), metadata: { pricing_id: _id } };
  const digest = createHash('sha256').update(`${title}\n${description}`).digest('hex');
  const product = await askStripe(() =>
    client.products.create(fields, { idempotencyKey: `breakwater-product-${_id}-${digest}` }),
  );
  return product.id;
};

/** Makes product and prices of a plan at Stripe. @throws pricing_not_found, conflict, upstream_failed */
export const makeProducts = async (deps: BillingDeps, pricingId: string) => {
  const { client } = requireStripe(deps.stripe);
  const plan = await readPlan(deps, pricingId);
  const amounts = amountsOf(plan);
  if (amounts.length === 0) throw new AppError('conflict', msg('A plan that costs nothing is not sold.'));
  const productId = await makeProduct(client, plan);
  const priceIds: string[] = [];
  for (const [interval, amount] of amounts) {
    const price = await askStripe(() =>
      client.prices.create(
        { product: productId, currency: CURRENCY, unit_amount: amount, recurring: { interval } },
        { idempotencyKey: `breakwater-price-${productId}-${interval}-${amount}` },
      ),
    );
    priceIds.push(price.id);
  }
  return { product_id: productId, price_ids: priceIds };
};

const refuse = (message: string): AppError => new AppError('conflict', message);

/** The interval that a price at Stripe sells a plan by. @throws conflict where it charges anything else than the plan says */
const intervalOf = (price: Stripe.Price, productId: string, amounts: ReadonlyMap<Interval, number>): Interval => {
  const interval = INTERVALS.find((by) => by === price.recurring?.interval);
  if (price.product !== productId) throw refuse(sayEnglish('{id} is a price of another product.', { id: price.id }));
  if (!price.active) throw refuse(sayEnglish('{id} is archived at Stripe.', { id: price.id }));
  if (interval === undefined || price.recurring?.interval_count !== 1 || price.currency !== CURRENCY) {
    throw refuse(sayEnglish('{id} is not charged in US dollars every month or every year.', { id: price.id }));
  }
  if (price.unit_amount !== amounts.get(interval)) {
    throw refuse(
      sayEnglish('{id} charges another amount a {interval} than the plan says.', { id: price.id, interval }),
    );
  }
  return interval;
};

const store = async (
  db: Db,
  {
    pricingId,
    productId,
    prices,
  }: { pricingId: string; productId: string; prices: ReadonlyMap<Interval, Stripe.Price> },
): Promise<PricingItem> => {
  await db.selectFrom('pricings').select('id').where('id', '=', pricingId).forUpdate().execute();
  for (const [interval, { id, unit_amount }] of prices) {
    const other = await db
      .selectFrom('pricing_prices')
      .select('pricing_id')
      .where('price_id', '=', id)
      .executeTakeFirst();
    if (other !== undefined && other.pricing_id !== pricingId)
      throw refuse(sayEnglish('{id} sells another plan.', { id }));
    await db
      .updateTable('pricing_prices')
      .set({ is_current: false })
      .where('pricing_id', '=', pricingId)
      .where('interval', '=', interval)
      .execute();
    await db
      .insertInto('pricing_prices')
      .values({ price_id: id, pricing_id: pricingId, product_id: productId, interval, amount_cents: unit_amount ?? 0 })
      .onConflict((conflict) => conflict.column('price_id').doUpdateSet({ is_current: true }))
      .execute();
  }
  return readPricing(db, pricingId);
};

/** Sells a plan by prices at Stripe, which are looked at there. @throws pricing_not_found, conflict, upstream_failed */
export const linkProduct = async (
  deps: BillingDeps,
  { pricing_id, product_id, price_ids }: { pricing_id: string; product_id: string; price_ids: readonly string[] },
): Promise<PricingItem> => {
  const { client } = requireStripe(deps.stripe);
  const amounts = new Map(amountsOf(await readPlan(deps, pricing_id)));
  const prices = new Map<Interval, Stripe.Price>();
  for (const id of price_ids) {
    const price = await askStripe(() => client.prices.retrieve(id));
    prices.set(intervalOf(price, product_id, amounts), price);
  }
  if (prices.size < price_ids.length) throw refuse(msg('Name one price for each interval.'));
  return deps.database.forIdentity(async (db) => {
    const item = await store(db, { pricingId: pricing_id, productId: product_id, prices });
    const now = new Map(amountsOf(item));
    const isSame = [...prices].every(([interval, price]) => price.unit_amount === now.get(interval));
    if (!isSame) throw refuse(msg('The plan was changed meanwhile. Try again.'));
    return item;
  });
};

/** Ends the sale of a plan at Stripe, before it is deleted here: who pays by one of its prices goes on. @throws upstream_failed */
export const archiveProducts = async ({ database, stripe }: BillingDeps, pricingId: string): Promise<void> => {
  if (stripe === undefined) return;
  const { client } = stripe;
  const prices = await database.forIdentity((db) =>
    db
      .selectFrom('pricing_prices')
      .select(['price_id', 'product_id'])
      .where('pricing_id', '=', pricingId)
      .orderBy('price_id')
      .execute(),
  );
  for (const { price_id } of prices) await askStripe(() => client.prices.update(price_id, { active: false }));
  for (const productId of new Set(prices.map(({ product_id }) => product_id))) {
    const product = await askStripe(() => client.products.retrieve(productId));
    // one that was made at Stripe itself may sell other things, too
    if (product.metadata['pricing_id'] !== pricingId) continue;
    await askStripe(() => client.products.update(productId, { active: false }));
  }
};
