import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, List, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { MARKETPLACE_STATUSES } from '../model/marketplace.ts';
import { INTERVALS } from '../model/plans.ts';

const strict = { additionalProperties: false } as const;

/** Null: no limit. */
const Limit = Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }));

const Limits = Type.Object({
  repositories: Limit,
  /** People of the organisation, invited ones included. */
  developers: Limit,
  /** Fixes and assessments by AI a month (UTC). */
  remediations: Limit,
});

/** A plan. Source: specification §3 "pricing". */
export const Pricing = Type.Object({
  /** Name in `subscription{tier}`. */
  tier: Type.String(),
  title: Type.String(),
  description: Type.String(),
  /** US cents of one interval. */
  amount_cents: Type.Integer(),
  interval: OneOf(INTERVALS),
  /** Percent off twelve months, 0-100. */
  yearly_discount: Type.Integer(),
  /** US cents of a year that is paid at once. */
  yearly_amount_cents: Type.Integer(),
  limits: Limits,
  features: Type.Array(Type.String()),
  /** Prices at Stripe by the interval they are paid in; null where the plan is not sold so. */
  prices: Type.Object({ month: Nullable(Type.String()), year: Nullable(Type.String()) }),
});
export type Pricing = Static<typeof Pricing>;

const fields = {
  title: Type.String({ minLength: 1, maxLength: 60 }),
  description: Type.String({ maxLength: 500 }),
  /** Whole dollars: what is charged is what is shown. */
  amount_cents: Type.Integer({ minimum: 0, maximum: 100_000_000, multipleOf: 100 }),
  interval: OneOf(INTERVALS),
  /** 10 where it is left out, 0 where it is outside 0-100. Source: specification §9. */
  yearly_discount: Type.Integer({ minimum: -1000, maximum: 1000 }),
  limits: Type.Partial(Limits, strict),
  features: Type.Array(Type.String({ minLength: 1, maxLength: 120 }), { maxItems: 20 }),
};

export const NewPricing = Type.Object(
  {
    tier: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
    title: fields.title,
    description: Type.Optional(fields.description),
    amount_cents: fields.amount_cents,
    interval: Type.Optional(fields.interval),
    yearly_discount: Type.Optional(fields.yearly_discount),
    limits: Type.Optional(fields.limits),
    features: Type.Optional(fields.features),
  },
  strict,
);

/** The tier stays: organisations have it. */
export const PricingChange = Type.Partial(Type.Object(fields), { ...strict, minProperties: 1 });

export const listPricings = route({
  method: 'GET',
  path: '/pricings',
  tag: 'billing',
  summary: 'All plans, the cheapest first',
  access: { public: true },
  response: List(Pricing),
});

export const getPricing = route({
  method: 'GET',
  path: '/pricing/{id}',
  tag: 'billing',
  summary: 'One plan',
  access: { permission: 'account.use', tenant: true },
  params: Type.Object({ id: Id }),
  response: One(Pricing),
  errors: ['pricing_not_found'],
});

const manage = {
  tag: 'billing',
  access: { permission: 'pricing.manage', tenant: false },
  audit: 'superadmin.changed',
} as const;

export const createPricing = route({
  ...manage,
  method: 'POST',
  path: '/pricing/create',
  summary: 'Add a plan. It can be bought once it is linked to a product of Stripe',
  body: NewPricing,
  response: Action(Item(Pricing)),
  errors: ['conflict'],
});

export const updatePricing = route({
  ...manage,
  method: 'PUT',
  path: '/pricing/{id}',
  summary: 'Change a plan. Its limits hold at once; a new price is for those who buy from now on, once it is linked',
  params: Type.Object({ id: Id }),
  body: PricingChange,
  response: Action(Item(Pricing)),
  errors: ['pricing_not_found', 'conflict'],
});

export const deletePricing = route({
  ...manage,
  method: 'DELETE',
  path: '/pricing/{id}',
  summary: 'Delete a plan that no organisation has; its prices at Stripe sell no more',
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['pricing_not_found', 'conflict', 'upstream_failed'],
});

/** What Stripe returned of the card: never its number. */
export const Card = Type.Object(
  {
    /** Such as `visa`. */
    brand: Type.String({ maxLength: 40 }),
    last4: Type.String({ maxLength: 4 }),
  },
  strict,
);

const Use = Type.Object({ used: Type.Integer(), limit: Limit });

/** What the organisation has, uses and pays. */
export const OwnPlan = Type.Object({
  /** The organisation, as calls of Stripe name it. */
  client_id: Id,
  tier: Type.String(),
  title: Type.String(),
  use: Type.Object({ repositories: Use, developers: Use, remediations: Use }),
  /** Null where nothing is paid through Stripe. */
  subscription: Nullable(
    Type.Object({
      /** As Stripe calls it, such as `active` or `past_due`. */
      status: Type.String(),
      price_id: Nullable(Type.String()),
      current_period_end: Nullable(Timestamp),
      cancel_at_period_end: Type.Boolean(),
    }),
  ),
  /** Null where nothing is paid through the Microsoft Marketplace. */
  marketplace: Nullable(
    Type.Object({ name: Type.String(), status: OneOf(MARKETPLACE_STATUSES), term_end: Nullable(Timestamp) }),
  ),
  card: Nullable(Card),
  legal_name: Type.String(),
  address: Type.String(),
  /** Whether this server can take payments. */
  is_payment_configured: Type.Boolean(),
});
export type OwnPlan = Static<typeof OwnPlan>;

export const getPlan = route({
  method: 'GET',
  path: '/client/plan',
  tag: 'billing',
  summary: "The organisation's plan, what is used of it, and how it is paid",
  access: { permission: 'billing.read', tenant: true },
  response: Type.Object({ data: OwnPlan }),
});
