import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import { updateBilling } from '../api/billing-routes.ts';
import { getPlan } from '../api/plan-routes.ts';
import type { Limit } from '../model/plans.ts';
import type { BillingDeps } from './deps.ts';
import { readLiveSubscription, type StoredSubscription } from './marketplace/subscriptions.ts';
import { readPlan, readPlanUse } from './plan-limits.ts';
import { type BillingAccount, readAccount } from './stripe/accounts.ts';
import { synchronizeAccount } from './stripe/synchronize.ts';
import './tables.ts';

const NO_CARDS = msg('Card numbers are not taken here. The payment provider asks for the card when you buy a plan.');

export interface StoredCard {
  brand: string;
  last4: string;
}

const cardOf = (account: BillingAccount | undefined): StoredCard | null =>
  account === undefined || account.card_brand === null || account.card_last4 === null
    ? null
    : { brand: account.card_brand, last4: account.card_last4 };

/** What Stripe returned of the organisation's card. */
export const readCard = async (db: Db, clientId: string): Promise<StoredCard | null> =>
  cardOf(await readAccount(db, clientId));

/** Null and the empty text say nothing; what Stripe returned changes nothing. @throws validation_failed */
const refuseCard = async (db: Db, clientId: string, given: StoredCard | string | null | undefined): Promise<void> => {
  if (given === undefined || given === null || given === '') return;
  const stored = await readCard(db, clientId);
  const isStored =
    typeof given === 'object' && stored !== null && given.brand === stored.brand && given.last4 === stored.last4;
  if (isStored) return;
  const issues = [{ loc: ['body', 'credit_card'], msg: NO_CARDS, type: 'credit_card' }];
  throw new AppError('validation_failed', NO_CARDS, { issues });
};

const subscriptionOf = (account: BillingAccount | undefined) =>
  account === undefined || account.subscription_status === null
    ? null
    : {
        status: account.subscription_status,
        price_id: account.price_id,
        current_period_end: account.current_period_end?.toISOString() ?? null,
        cancel_at_period_end: account.cancel_at_period_end,
      };

const marketplaceOf = (stored: StoredSubscription | undefined) =>
  stored === undefined
    ? null
    : { name: stored.name, status: stored.status, term_end: stored.term_end?.toISOString() ?? null };

/** The organisation's plan, and to whom its invoices are written. */
export const billingEndpoints = (deps: BillingDeps): Endpoint[] => [
  tenantEndpoint(updateBilling)(async ({ db, caller: { clientId }, body, audit }) => {
    const { credit_card, ...changes } = body;
    await refuseCard(db, clientId, credit_card);
    const isUnchanged = Object.keys(changes).length === 0;
    audit({ subject: 'Billing', isUnchanged });
    if (isUnchanged) return { success: true };
    await db.updateTable('clients').set(changes).where('id', '=', clientId).execute();
    await publish(db, { clientId, type: 'client.changed', data: {}, audience: 'everyone' });
    // the next invoice carries it
    await deps.jobs.enqueue(db, synchronizeAccount, { clientId });
    return { success: true };
  }),
  tenantEndpoint(getPlan)(async ({ db, caller: { clientId } }) => {
    const { tier, title, limits } = await readPlan(db, clientId);
    const used = await readPlanUse(db, clientId);
    const account = await readAccount(db, clientId);
    const { legal_name, address } = await db
      .selectFrom('clients')
      .select(['legal_name', 'address'])
      .where('id', '=', clientId)
      .executeTakeFirstOrThrow();
    const against = (name: Limit) => ({ used: used[name], limit: limits[name] });
    const use = {
      repositories: against('repositories'),
      developers: against('developers'),
      remediations: against('remediations'),
    };
    return {
      data: {
        ...{ client_id: clientId, tier, title, use },
        subscription: subscriptionOf(account),
        marketplace: marketplaceOf(await readLiveSubscription(db, clientId)),
        card: cardOf(account),
        ...{ legal_name, address, is_payment_configured: deps.stripe !== undefined },
      },
    };
  }),
];
