import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import {
  createCheckoutSession,
  createPortalSession,
  createStripeProduct,
  linkStripeProduct,
} from '../api/stripe-routes.ts';
import { billingEndpoints } from './billing-endpoint.ts';
import type { BillingDeps } from './deps.ts';
import { marketplaceEndpoints } from './marketplace/endpoints.ts';
import { followMarketplace, pollMarketplace } from './marketplace/synchronize.ts';
import { planEndpoints } from './plan-endpoints.ts';
import { buyPlan, openPortal } from './stripe/checkout.ts';
import { linkProduct, makeProducts } from './stripe/products.ts';
import { stripeReadEndpoints } from './stripe/read-endpoints.ts';
import { pollAccounts, synchronizeAccount } from './stripe/synchronize.ts';
import { stripeWebhookEndpoint } from './stripe/webhook.ts';
import './tables.ts';

export { readCard } from './billing-endpoint.ts';
export type { BillingDeps } from './deps.ts';
export { PURCHASE_LIMIT } from './marketplace/endpoints.ts';
export { createMarketplace } from './marketplace/marketplace-client.ts';
export { paidReason, readPaymentsAnew } from './paid-reason.ts';
export { setPiloting } from './piloting.ts';
export { planLimits } from './plan-limits.ts';
export { chooseFreePlan } from './stripe/checkout.ts';
export { createStripeService } from './stripe/stripe-client.ts';
export type { BillingJobDeps } from './stripe/synchronize.ts';

/** Plans, and their payment through Stripe. */
export const createBillingEndpoints = (deps: BillingDeps): Endpoint[] => [
  ...planEndpoints(deps),
  ...billingEndpoints(deps),
  callerEndpoint(createCheckoutSession)(async ({ caller, body, audit }) => {
    const url = await buyPlan(deps, caller, body.price_id);
    audit({ subject: body.price_id });
    return { success: true, data: { url } };
  }),
  callerEndpoint(createPortalSession)(async ({ caller }) => ({
    success: true,
    data: { url: await openPortal(deps, caller) },
  })),
  callerEndpoint(createStripeProduct)(async ({ body, audit }) => {
    const data = await makeProducts(deps, body.pricing_id);
    audit({ subject: data.product_id });
    return { success: true, data };
  }),
  callerEndpoint(linkStripeProduct)(async ({ body, audit }) => {
    const { _id, attributes } = await linkProduct(deps, body);
    audit({ subject: attributes.title });
    return { success: true, data: { _id, attributes: { prices: attributes.prices } } };
  }),
  ...stripeReadEndpoints(deps),
  stripeWebhookEndpoint(deps),
  ...marketplaceEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const billingJobs = [synchronizeAccount, pollAccounts, followMarketplace, pollMarketplace] as const;
