import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { RequestOrigin } from '../../platform/server/audit.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { FREE_TIER, isLive, TRIAL_TIER } from '../model/plans.ts';
import { changePlan } from './change-plan.ts';
import type { BillingDeps } from './deps.ts';
import { readLiveSubscription } from './marketplace/subscriptions.ts';
import { readAccount } from './stripe/accounts.ts';
import './tables.ts';

export interface Piloting {
  clientId: string;
  isPiloting: boolean;
  caller: Caller;
  origin: RequestOrigin;
}

/**
 * Puts an organisation on trial, or ends the trial: the free plan follows, and what it has stays. The same twice changes nothing.
 * @returns its tier now. @throws client_not_found, conflict where it pays for a plan
 */
export const setPiloting =
  ({ database }: Pick<BillingDeps, 'database'>) =>
  ({ clientId, isPiloting, caller, origin }: Piloting): Promise<string> =>
    database.forClient(clientId, async (db) => {
      const client = await db
        .selectFrom('clients')
        .select('subscription_tier')
        .where('id', '=', clientId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (client === undefined) throw new AppError('client_not_found');
      const tier = client.subscription_tier;
      if (isPiloting === (tier === TRIAL_TIER)) return tier;
      const isPaying =
        isLive((await readAccount(db, clientId))?.subscription_status) ||
        (await readLiveSubscription(db, clientId)) !== undefined;
      if (isPiloting && isPaying) {
        throw new AppError('conflict', msg('The organisation pays for its plan. It cannot be put on trial.'));
      }
      const next = isPiloting ? TRIAL_TIER : FREE_TIER;
      const actor = { type: 'superadmin', id: caller.userId, name: caller.username } as const;
      await changePlan(db, { clientId, tier: next, actor, origin });
      return next;
    });
