import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import { defineJob, type JobDeps } from '../../../platform/server/jobs/define-job.ts';
import { FREE_TIER, isLive } from '../../model/plans.ts';
import { changePlan, PAYMENT_PROVIDER } from '../change-plan.ts';
import type { BillingDeps } from '../deps.ts';
import { readCustomerFields } from './accounts.ts';
import { readStripeState, type StripeState } from './read-subscription.ts';
import { askStripe, requireStripe } from './stripe-client.ts';
import '../tables.ts';

interface Begun {
  customer_id: string;
  sync_begun: string;
}

const begin = (database: DatabaseHandle, clientId: string): Promise<Begun | undefined> =>
  database.forClient(clientId, async (db) => {
    const { rows } = await sql<Begun>`
      update billing_accounts set sync_begun = sync_begun + 1
      where client_id = ${clientId} and customer_id is not null
      returning customer_id, sync_begun`.execute(db);
    return rows[0];
  });

/** The plan that a price sells, also one that sells no more. */
const tierOf = async (db: Db, priceId: string | null): Promise<string | undefined> => {
  const row = await db
    .selectFrom('pricing_prices')
    .innerJoin('pricings', 'pricings.id', 'pricing_prices.pricing_id')
    .select('tier')
    .where('price_id', '=', priceId)
    .executeTakeFirst();
  return row?.tier;
};

interface Written {
  /** What stood there before. */
  was: string | null;
}

/** Writes what was read, unless a reading that began later has been written. */
const write = async (
  db: Db,
  clientId: string,
  { begun, state }: { begun: Begun; state: StripeState },
): Promise<Written | undefined> => {
  const { rows } = await sql<Written>`
    with known as (
      select client_id, subscription_status as was from billing_accounts
      where client_id = ${clientId} and sync_written < ${begun.sync_begun}::bigint
      for update
    )
    update billing_accounts a set
      subscription_id = ${state.subscriptionId}, subscription_status = ${state.status}, price_id = ${state.priceId},
      current_period_end = ${state.currentPeriodEnd}, cancel_at_period_end = ${state.cancelAtPeriodEnd},
      card_brand = ${state.card?.brand ?? null}, card_last4 = ${state.card?.last4 ?? null},
      sync_written = ${begun.sync_begun}::bigint, synced_at = now()
    from known where a.client_id = known.client_id
    returning known.was`.execute(db);
  return rows[0];
};

/** Which plan follows from it; undefined where none does. A plan that is not paid through Stripe is left alone. */
const planOf = async (db: Db, { was }: Written, state: StripeState): Promise<string | undefined> => {
  if (isLive(state.status)) return tierOf(db, state.priceId);
  return isLive(was) ? FREE_TIER : undefined;
};

/**
 * Reads at Stripe how the organisation's subscription stands, and makes the plan follow. Whatever order events arrive in, and however often:
 * what Stripe says now counts. @returns whether the plan has changed. @throws integration_not_configured, upstream_failed
 */
export const synchronize = async (
  deps: Pick<BillingDeps, 'database' | 'stripe'>,
  clientId: string,
): Promise<boolean> => {
  const { client } = requireStripe(deps.stripe);
  const begun = await begin(deps.database, clientId);
  if (begun === undefined) return false;
  const { customer, ...state } = await readStripeState(client, begun.customer_id);
  const wanted = await deps.database.forClient(clientId, (db) => readCustomerFields(db, clientId));
  const isStale =
    customer !== undefined &&
    (customer.name !== wanted.name || (customer.address?.line1 ?? '') !== wanted.address.line1);
  if (isStale) await askStripe(() => client.customers.update(begun.customer_id, wanted));
  return deps.database.forClient(clientId, async (db) => {
    const written = await write(db, clientId, { begun, state });
    if (written === undefined) return false;
    await publish(db, { clientId, type: 'client.changed', data: {}, audience: { permission: 'billing.read' } });
    const tier = await planOf(db, written, state);
    if (tier === undefined) return false;
    return changePlan(db, { clientId, tier, actor: PAYMENT_PROVIDER, origin: undefined });
  });
};

/** What jobs of billing may use. */
export interface BillingJobDeps extends JobDeps {
  stripe: BillingDeps['stripe'];
  marketplace: BillingDeps['marketplace'];
}

/** Asked for by events of Stripe and by changes of what invoices say. */
export const synchronizeAccount = defineJob({
  name: 'billing.synchronize',
  input: Type.Object({ clientId: Type.String() }),
  retry: { limit: 20 },
  key: ({ clientId }) => clientId,
  run: async (deps: BillingJobDeps, { data }) => {
    if (deps.stripe !== undefined) await synchronize(deps, data.clientId);
  },
});

/** So many organisations a run. */
const BATCH = 200;

/**
 * Those of whom somebody is at Stripe (a checkout lives a day), less and less often, and those that nothing was heard of for half a day: an
 * event may have been lost. Indexes: billing_accounts_visited, billing_accounts_synced.
 */
const findDue = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ client_id: string }>`
    (select client_id from billing_accounts where visited_at > now() - interval '25 hours'
      and (synced_at is null or synced_at < now() - greatest((now() - visited_at) / 10, interval '1 minute'))
      order by synced_at nulls first limit ${BATCH})
    union
    (select client_id from billing_accounts where customer_id is not null and synced_at < now() - interval '12 hours'
      order by synced_at limit ${BATCH})`.execute(db);
  return rows.map(({ client_id }) => client_id);
};

/** Looks where no event came: the server was away when it was sent, or it was killed between payment and event. */
export const pollAccounts = defineJob({
  name: 'billing.poll',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { everySeconds: 30 },
  run: async ({ database, jobs, stripe }: BillingJobDeps) => {
    if (stripe === undefined) return;
    const due = await database.forIdentity(findDue);
    for (const clientId of due) {
      await database.forClient(clientId, (db) => jobs.enqueue(db, synchronizeAccount, { clientId }));
    }
  },
});
