import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { MARKETPLACE_STATUSES } from '../model/marketplace.ts';

const strict = { additionalProperties: false } as const;

/** What Microsoft hands to who has bought; it is good for an hour. */
const PurchaseToken = Type.String({ minLength: 1, maxLength: 8000 });

/** A purchase at the Microsoft Marketplace. Names nobody: who holds its token may read it. */
export const MarketplaceSubscription = Type.Object({
  name: Type.String(),
  offer_id: Type.String(),
  plan_id: Type.String(),
  /** Of our plan with that tier; null where there is none. */
  plan_title: Nullable(Type.String()),
  /** People that are paid for; null where the plan is not sold by seats. */
  quantity: Nullable(Type.Integer()),
  status: OneOf(MARKETPLACE_STATUSES),
  term_end: Nullable(Timestamp),
});
export type MarketplaceSubscription = Static<typeof MarketplaceSubscription>;

const errors = ['integration_not_configured', 'upstream_failed', 'link_invalid'] as const;

export const getPaymentCompletion = route({
  method: 'GET',
  path: '/microsoft-marketplace/payment-completion',
  tag: 'billing',
  summary: 'What was bought at the Microsoft Marketplace, by the token that it hands to the buyer',
  access: { public: true },
  query: Type.Object({ token: PurchaseToken }, strict),
  response: One(MarketplaceSubscription),
  errors: [...errors, 'too_many_requests'],
});

/** Source: specification §7 "Frontend server routes". */
export const activateSubscription = route({
  base: 'frontend',
  method: 'POST',
  path: '/activate-subscription',
  tag: 'billing',
  summary:
    "Activate what was bought at the Microsoft Marketplace for the caller's organisation; asked for twice, it is one",
  access: { permission: 'billing.write', tenant: false },
  audit: 'billing.subscription-activated',
  body: Type.Object({ token: PurchaseToken }, strict),
  response: Action(Type.Object({ tier: Type.String(), title: Type.String() })),
  errors: [...errors, 'conflict', 'pricing_not_found'],
});

export const receiveMarketplaceOperation = route({
  method: 'POST',
  path: '/microsoft-marketplace/webhook',
  tag: 'billing',
  summary: 'An operation of the Microsoft Marketplace, proven by a token of Entra ID and looked up there',
  access: { public: true },
  bodyKind: 'stream',
  response: Done,
  errors: ['forbidden', 'conflict', 'payload_too_large', 'integration_not_configured', 'unavailable'],
});
