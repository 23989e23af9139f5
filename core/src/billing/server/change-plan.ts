import { notify } from '../../notifications/server/index.ts';
import { say } from '../../platform/model/sentence.ts';
import { type AuditActor, type RequestOrigin, recordAudit } from '../../platform/server/audit.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import { readPlan } from './plan-limits.ts';
import './tables.ts';

/** Who changes a plan where no person does. */
export const PAYMENT_PROVIDER: AuditActor = { type: 'system', id: null, name: 'Stripe' };

export const MARKETPLACE: AuditActor = { type: 'system', id: null, name: 'Microsoft Marketplace' };

export interface PlanChange {
  clientId: string;
  tier: string;
  actor: AuditActor;
  /** Undefined for work that no request asked for. */
  origin: RequestOrigin | undefined;
}

/**
 * Gives an organisation another plan, tells its admins and open browsers, and writes it down. Nothing that it has is touched.
 * @returns false where it has that plan already
 */
export const changePlan = async (db: Db, { clientId, tier, actor, origin }: PlanChange): Promise<boolean> => {
  const client = await db
    .selectFrom('clients')
    .select('subscription_tier')
    .where('id', '=', clientId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (client === undefined || client.subscription_tier === tier) return false;
  const from = await readPlan(db, clientId);
  await db.updateTable('clients').set({ subscription_tier: tier }).where('id', '=', clientId).execute();
  const to = await readPlan(db, clientId);
  await recordAudit(db, {
    clientId,
    kind: 'billing.plan-changed',
    actor,
    origin,
    subject: to.title,
    details: { from: from.tier, to: tier },
  });
  await notify(db, {
    clientId,
    type: 'plan_changed',
    title: say('The plan is now {plan}', { plan: to.title }),
    message: say('It was {plan}. Everything that you have stays.', { plan: from.title }),
    link: '/plan-pricings',
    to: { permission: 'billing.read' },
  });
  await publish(db, { clientId, type: 'client.changed', data: {}, audience: 'everyone' });
  return true;
};
