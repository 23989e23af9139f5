import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, List, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { INTERVALS } from '../model/plans.ts';
import { Card } from './plan-routes.ts';

const strict = { additionalProperties: false } as const;
const id = (prefix: string) => Type.String({ pattern: `^${prefix}_[A-Za-z0-9_]{1,200}$` });
const PriceId = id('price');
const OfClient = Type.Object({ id: Id });

const read = { tag: 'billing', access: { permission: 'billing.read', tenant: false } } as const;
const write = { tag: 'billing', access: { permission: 'billing.write', tenant: false } } as const;
const manage = {
  tag: 'billing',
  access: { permission: 'pricing.manage', tenant: false },
  audit: 'superadmin.changed',
} as const;
const errors = ['integration_not_configured', 'upstream_failed'] as const;

const Url = Action(Type.Object({ url: Type.String() }));

export const createCheckoutSession = route({
  ...write,
  method: 'POST',
  path: '/stripe/create-checkout-session',
  summary: 'Where a plan is bought at Stripe, or a bought one changed. What it costs is what the price at Stripe says',
  audit: 'billing.checkout-opened',
  body: Type.Object(
    {
      price_id: PriceId,
      /** A plan is bought once. */
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1 })),
    },
    strict,
  ),
  response: Url,
  errors: [...errors, 'pricing_not_found', 'conflict'],
});

export const createPortalSession = route({
  ...write,
  method: 'POST',
  path: '/stripe/portal',
  summary: 'Where card and subscription are managed at Stripe',
  response: Url,
  errors: [...errors, 'conflict'],
});

const Price = Type.Object({
  /** Of the plan that it sells. */
  tier: Type.String(),
  product_id: Type.String(),
  /** US cents, as Stripe charges them. */
  amount_cents: Type.Integer(),
  currency: Type.String(),
  interval: OneOf(INTERVALS),
});

export const listStripePlans = route({
  ...read,
  method: 'GET',
  path: '/stripe/plans',
  summary: 'The prices at Stripe that sell a plan now',
  response: List(Price),
  errors,
});

/** `POST /api/product/price`. Source: specification §7 "Frontend server routes". */
export const getProductPrice = route({
  ...read,
  base: 'frontend',
  method: 'POST',
  path: '/product/price',
  summary: 'What a price at Stripe is, of those that sell a plan now',
  body: Type.Object({ price_id: PriceId }, strict),
  response: One(Price),
  errors: [...errors, 'pricing_not_found'],
});

const Refreshed = Action(Type.Object({ tier: Type.String(), has_changed: Type.Boolean() }));

/** Ours: who comes back from a payment need not wait for its event. */
export const refreshOwnPlan = route({
  ...read,
  method: 'POST',
  path: '/client/plan/refresh',
  summary: 'Read at Stripe how the own subscription stands; the plan follows',
  response: Refreshed,
  errors,
});

export const refreshSubscription = route({
  ...manage,
  method: 'POST',
  path: '/stripe/refresh/{id}',
  summary: 'Read at Stripe how the subscription of an organisation stands; its plan follows',
  params: OfClient,
  response: Refreshed,
  errors: [...errors, 'client_not_found'],
});

export const getStripeCustomer = route({
  ...read,
  method: 'GET',
  path: '/stripe/customer/{id}',
  summary: 'An organisation as a customer of Stripe',
  params: OfClient,
  response: One(
    Type.Object({
      name: Nullable(Type.String()),
      email: Nullable(Type.String()),
      address: Nullable(Type.String()),
      card: Nullable(Card),
    }),
  ),
  errors: [...errors, 'client_not_found', 'not_found'],
});

export const getStripeSubscription = route({
  ...read,
  method: 'GET',
  path: '/stripe/subscription/{id}',
  summary: "An organisation's subscription as Stripe has it",
  params: OfClient,
  response: One(
    Type.Object({
      status: Type.String(),
      price_id: Nullable(Type.String()),
      current_period_end: Nullable(Timestamp),
      cancel_at_period_end: Type.Boolean(),
      created_at: Timestamp,
    }),
  ),
  errors: [...errors, 'client_not_found', 'not_found'],
});

export const Invoice = Type.Object({
  number: Nullable(Type.String()),
  status: Nullable(Type.String()),
  /** US cents. */
  total_cents: Type.Integer(),
  currency: Type.String(),
  created_at: Timestamp,
  /** The PDF at Stripe; null while it is a draft. */
  pdf_url: Nullable(Type.String()),
  /** Its page at Stripe. */
  page_url: Nullable(Type.String()),
});

export const listStripeInvoices = route({
  ...read,
  method: 'GET',
  path: '/stripe/invoices/list/{id}',
  summary: "An organisation's newest 100 invoices",
  params: OfClient,
  response: List(Invoice),
  errors: [...errors, 'client_not_found'],
});

export const getStripeInvoice = route({
  ...read,
  method: 'GET',
  path: '/stripe/invoice/{id}',
  summary: 'One invoice, with the address of its PDF',
  params: Type.Object({ id: id('in') }),
  response: One(Invoice),
  errors: [...errors, 'invoice_not_found'],
});

export const createStripeProduct = route({
  ...manage,
  method: 'POST',
  path: '/stripe/products',
  summary: 'Make the product and the prices of a plan at Stripe; asked for twice, there is one',
  body: Type.Object({ pricing_id: Id }, strict),
  response: Action(Type.Object({ product_id: Type.String(), price_ids: Type.Array(Type.String()) })),
  errors: [...errors, 'pricing_not_found', 'conflict'],
});

export const linkStripeProduct = route({
  ...manage,
  method: 'POST',
  path: '/stripe/link-product-with-database',
  summary: 'Sell a plan by prices of a product at Stripe that charge what the plan says',
  body: Type.Object(
    { pricing_id: Id, product_id: id('prod'), price_ids: Type.Array(PriceId, { minItems: 1, maxItems: 2 }) },
    strict,
  ),
  response: Action(
    Item(Type.Object({ prices: Type.Object({ month: Nullable(Type.String()), year: Nullable(Type.String()) }) })),
  ),
  errors: [...errors, 'pricing_not_found', 'conflict'],
});

export const receiveStripeEvent = route({
  method: 'POST',
  path: '/stripe/webhook',
  tag: 'billing',
  summary: 'An event of Stripe, proven by its signature',
  access: { public: true },
  bodyKind: 'stream',
  response: Done,
  errors: ['forbidden', 'payload_too_large', 'integration_not_configured'],
});
