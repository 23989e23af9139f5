import { callerEndpoint, type Endpoint, publicEndpoint } from '../../../platform/server/endpoint.ts';
import { activateSubscription, getPaymentCompletion } from '../../api/marketplace-routes.ts';
import type { BillingDeps } from '../deps.ts';
import { readPlan } from '../plan-limits.ts';
import { requireMarketplace, seatsOf } from './marketplace-client.ts';
import { claimPurchase, readPlanOf, statusOf, termEndOf } from './subscriptions.ts';
import { synchronizeMarketplace } from './synchronize.ts';
import { marketplaceWebhookEndpoint } from './webhook.ts';

/** Attempts to read a purchase, by the address of the caller: each is a request to Microsoft. */
export const PURCHASE_LIMIT = { name: 'marketplace-purchase', attempts: 30, perSeconds: 600 } as const;

/** Subscriptions that were bought at the Microsoft Marketplace. */
export const marketplaceEndpoints = (deps: BillingDeps): Endpoint[] => [
  publicEndpoint(getPaymentCompletion)(async ({ query, remoteAddress }) => {
    const marketplace = requireMarketplace(deps.marketplace);
    await deps.purchaseAttempts.take(remoteAddress);
    const purchase = await marketplace.resolve(query.token);
    const plan = await deps.database.forIdentity((db) => readPlanOf(db, purchase.planId));
    return {
      data: {
        _id: purchase.id,
        attributes: {
          name: purchase.name ?? '',
          offer_id: purchase.offerId,
          plan_id: purchase.planId,
          plan_title: plan?.title ?? null,
          quantity: seatsOf(purchase.quantity),
          status: statusOf(purchase),
          term_end: termEndOf(purchase)?.toISOString() ?? null,
        },
      },
    };
  }),
  callerEndpoint(activateSubscription)(async ({ caller: { clientId }, body, audit }) => {
    const marketplace = requireMarketplace(deps.marketplace);
    // what the browser was told is not taken back from it
    const purchase = await marketplace.resolve(body.token);
    await deps.database.forClient(clientId, (db) => claimPurchase(db, clientId, purchase));
    await synchronizeMarketplace(deps, { clientId, subscriptionId: purchase.id });
    const { tier, title } = await deps.database.forClient(clientId, (db) => readPlan(db, clientId));
    audit({ subject: purchase.name ?? purchase.id, details: { plan: tier } });
    return { success: true, data: { tier, title } };
  }),
  marketplaceWebhookEndpoint(deps),
];
