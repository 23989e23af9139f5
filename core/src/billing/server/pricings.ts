import { type Selectable, sql } from 'kysely';
import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { NewPricing, Pricing, PricingChange } from '../api/plan-routes.ts';
import { discountOf, FREE_TIER, INTERVALS, yearlyAmountCents } from '../model/plans.ts';
import type { PricingsTable } from './tables.ts';
import './tables.ts';

type PricingRow = Selectable<PricingsTable>;

export interface PricingItem {
  _id: string;
  attributes: Pricing;
}

type Prices = Pricing['prices'];

/** A plan as on the wire. */
const pricingItem = (row: PricingRow & { prices: Partial<Prices> | null }): PricingItem => ({
  _id: row.id,
  attributes: {
    tier: row.tier,
    title: row.title,
    description: row.description,
    amount_cents: row.amount_cents,
    interval: row.interval,
    yearly_discount: row.yearly_discount,
    yearly_amount_cents: yearlyAmountCents({
      amountCents: row.amount_cents,
      interval: row.interval,
      yearlyDiscount: row.yearly_discount,
    }),
    limits: { repositories: row.repositories, developers: row.developers, remediations: row.remediations },
    features: row.features,
    prices: { month: row.prices?.month ?? null, year: row.prices?.year ?? null },
  },
});

const currentPrice = (interval: 'month' | 'year') => sql<string | null>`(
  select price_id from pricing_prices p where p.pricing_id = pricings.id and p.interval = ${interval} and p.is_current)`;

const selectPricings = (db: Db) =>
  db
    .selectFrom('pricings')
    .selectAll()
    .select(
      sql<Prices>`json_build_object('month', ${currentPrice('month')}, 'year', ${currentPrice('year')})`.as('prices'),
    );

/** More than anybody would choose from. */
const MAX_PLANS = 100;

/** All plans by what they cost a month. */
export const readPricings = async (db: Db): Promise<PricingItem[]> => {
  const rows = await selectPricings(db)
    .orderBy(sql`case interval when 'year' then amount_cents / 12.0 else amount_cents end`)
    .orderBy('tier')
    .limit(MAX_PLANS)
    .execute();
  return rows.map(pricingItem);
};

/** @throws pricing_not_found */
export const readPricing = async (db: Db, id: string): Promise<PricingItem> => {
  const row = await selectPricings(db).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('pricing_not_found');
  return pricingItem(row);
};

const requireFreeAmount = (tier: string, amountCents: number): void => {
  if (tier === FREE_TIER && amountCents > 0) throw new AppError('conflict', msg('The free plan costs nothing.'));
};

/** Adds a plan. @throws conflict where the tier exists, or there are too many */
export const addPricing = async (db: Db, body: Static<typeof NewPricing>): Promise<PricingItem> => {
  const { limits = {}, interval = 'month', yearly_discount, features = [], description = '', ...named } = body;
  await sql`lock table pricings in share row exclusive mode`.execute(db);
  const all = await readPricings(db);
  if (all.some(({ attributes }) => attributes.tier === body.tier)) {
    throw new AppError('conflict', say('There is a plan "{tier}" already.', { tier: body.tier }));
  }
  if (all.length >= MAX_PLANS)
    throw new AppError('conflict', say('There are {most} plans. Delete one first.', { most: MAX_PLANS }));
  const { id } = await db
    .insertInto('pricings')
    .values({
      ...named,
      description,
      interval,
      features,
      yearly_discount: discountOf(yearly_discount),
      repositories: limits.repositories ?? null,
      developers: limits.developers ?? null,
      remediations: limits.remediations ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return readPricing(db, id);
};

/** Changes the given fields. Prices at Stripe whose amount no longer fits sell no more. @throws pricing_not_found, conflict */
export const changePricing = async (
  db: Db,
  id: string,
  { limits = {}, yearly_discount, ...fields }: Static<typeof PricingChange>,
): Promise<PricingItem> => {
  const known = await db.selectFrom('pricings').select('tier').where('id', '=', id).forUpdate().executeTakeFirst();
  if (known === undefined) throw new AppError('pricing_not_found');
  requireFreeAmount(known.tier, fields.amount_cents ?? 0);
  const changes = {
    ...fields,
    ...limits,
    ...(yearly_discount === undefined ? {} : { yearly_discount: discountOf(yearly_discount) }),
  };
  await db
    .updateTable('pricings')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  const item = await readPricing(db, id);
  const { amount_cents, interval, yearly_amount_cents } = item.attributes;
  const fitting = { month: interval === 'month' ? amount_cents : null, year: yearly_amount_cents };
  for (const by of INTERVALS) {
    await db
      .updateTable('pricing_prices')
      .set({ is_current: false })
      .where('pricing_id', '=', id)
      .where('interval', '=', by)
      .where('is_current', '=', true)
      .where(sql<boolean>`amount_cents is distinct from ${fitting[by]}::integer`)
      .execute();
  }
  return readPricing(db, id);
};

/** Within `forIdentity`, which sees all organisations. @returns its tier. @throws pricing_not_found, conflict */
export const requireRemovable = async (db: Db, id: string): Promise<string> => {
  const known = await db.selectFrom('pricings').select('tier').where('id', '=', id).forUpdate().executeTakeFirst();
  if (known === undefined) throw new AppError('pricing_not_found');
  if (known.tier === FREE_TIER)
    throw new AppError('conflict', msg('The free plan stays: it is what organisations begin with.'));
  const holder = await db
    .selectFrom('clients')
    .select('id')
    .where('subscription_tier', '=', known.tier)
    .limit(1)
    .executeTakeFirst();
  if (holder !== undefined) throw new AppError('conflict', msg('Organisations have this plan. It cannot be deleted.'));
  return known.tier;
};

/** Deletes a plan that no organisation has; within `forIdentity`. @returns its tier. @throws pricing_not_found, conflict */
export const removePricing = async (db: Db, id: string): Promise<string> => {
  const tier = await requireRemovable(db, id);
  await db.deleteFrom('pricings').where('id', '=', id).execute();
  return tier;
};
