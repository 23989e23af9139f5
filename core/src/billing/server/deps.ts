import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import type { Marketplace } from './marketplace/marketplace-client.ts';
import type { StripeService } from './stripe/stripe-client.ts';

/** What the slice is made of. */
export interface BillingDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Undefined where the operator configured no payment provider. */
  stripe: StripeService | undefined;
  /** Undefined where the operator sells nothing at the Microsoft Marketplace. */
  marketplace: Marketplace | undefined;
  /** Of strangers who look at a purchase. */
  purchaseAttempts: AttemptLimiter;
  /** Where people reach this server, such as `https://breakwater.example.org`. */
  origin: string;
}

/** The organisation that a call names: the caller's own, or any for superadmins. @throws client_not_found */
export const requireOwnClient = (caller: Caller, clientId: string): void => {
  if (clientId === caller.clientId || can(caller.role, 'clients.manage')) return;
  throw new AppError('client_not_found');
};
