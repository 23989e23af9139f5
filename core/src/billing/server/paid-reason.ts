import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { isLive } from '../model/plans.ts';
import type { BillingDeps } from './deps.ts';
import { readLiveSubscription } from './marketplace/subscriptions.ts';
import { readAccount } from './stripe/accounts.ts';
import { synchronize } from './stripe/synchronize.ts';

const BY_CARD = msg(
  'Your organisation pays for a plan by card. End the subscription first, on the page Plans: choose the free plan.',
);
const BY_MARKETPLACE = msg(
  'Your organisation pays through the Microsoft Marketplace. Cancel the subscription there first.',
);

/** Why an organisation cannot be deleted: somebody would go on paying for it. Null where nobody does, or it ends with its period. */
export const paidReason = async (db: Db, clientId: string): Promise<string | null> => {
  if ((await readLiveSubscription(db, clientId)) !== undefined) return BY_MARKETPLACE;
  const account = await readAccount(db, clientId);
  return isLive(account?.subscription_status) && account?.cancel_at_period_end !== true ? BY_CARD : null;
};

/** Reads at Stripe how things stand there: what is stored may be older than what was bought. @throws upstream_failed */
export const readPaymentsAnew =
  (deps: BillingDeps) =>
  async (clientId: string): Promise<void> => {
    const account = await deps.database.forClient(clientId, (db) => readAccount(db, clientId));
    if (deps.stripe !== undefined && account?.customer_id != null) await synchronize(deps, clientId);
  };
