import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { LimitedKind, PlanLimits } from '../../platform/server/limits.ts';
import { type LIMITS, type Limit, type PlanLimitValues, TRIAL_TIER } from '../model/plans.ts';
import './tables.ts';

export interface Plan {
  tier: string;
  title: string;
  limits: PlanLimitValues;
}

/** The organisation's plan. One that is not in the table, such as a trial, has no limits. */
export const readPlan = async (db: Db, clientId: string): Promise<Plan> => {
  const row = await db
    .selectFrom('clients')
    .leftJoin('pricings', 'pricings.tier', 'clients.subscription_tier')
    .leftJoin('marketplace_subscriptions as m', (join) =>
      join
        .onRef('m.client_id', '=', 'clients.id')
        .onRef('m.plan_id', '=', 'clients.subscription_tier')
        .on('m.status', '=', 'Subscribed'),
    )
    .select(['subscription_tier as tier', 'title', 'repositories', 'remediations'])
    // where seats are paid for, they limit the people; `least` passes over null
    .select(sql<number | null>`least(pricings.developers, m.quantity)`.as('developers'))
    .where('clients.id', '=', clientId)
    .executeTakeFirst();
  const { tier = '', title, repositories = null, developers = null, remediations = null } = row ?? {};
  return {
    tier,
    title: title ?? (tier === TRIAL_TIER ? 'Trial' : tier),
    limits: { repositories, developers, remediations },
  };
};

/** What is used now, rows of the own transaction included. Reads few rows by the client's key; ai_uses by ai_uses_month. */
export const readPlanUse = async (db: Db, clientId: string): Promise<Record<Limit, number>> => {
  const { rows } = await sql<Record<Limit, number>>`
    select (select count(*)::integer from repositories where client_id = ${clientId} and not is_sample) as repositories,
      (select count(*)::integer from users where client_id = ${clientId} and status = 'active')
        + (select count(*)::integer from invitations where client_id = ${clientId} and expires_at > now()) as developers,
      (select count(*)::integer from ai_uses where client_id = ${clientId}
        and created_at >= date_trunc('month', now(), 'UTC')) as remediations`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate has no row');
  return row;
};

/** Which limit of a plan a kind is counted against; uploads have none. */
const LIMIT_OF: Record<LimitedKind, (typeof LIMITS)[number] | undefined> = {
  repositories: 'repositories',
  members: 'developers',
  uploads: undefined,
};

const NAMES: Record<'repositories' | 'developers' | 'remediations', readonly [one: string, many: string]> = {
  repositories: ['repository', 'repositories'],
  developers: ['person', 'people'],
  remediations: ['remediation', 'remediations'],
};

const named = (limit: Limit, count: number): string => `${count} ${NAMES[limit][count === 1 ? 0 : 1]}`;

/** Limits of the plans in the table. What an organisation has beyond them stays; only more is refused. */
export const planLimits: PlanLimits = {
  check: async (db, { clientId, kind, adding }) => {
    const limit = LIMIT_OF[kind];
    if (limit === undefined) return;
    const { title, limits } = await readPlan(db, clientId);
    const most = limits[limit];
    if (most === null) return;
    // those who add at the same time are counted one after the other
    await sql`select pg_advisory_xact_lock(hashtextextended(${`plan ${clientId}`}, 0))`.execute(db);
    const used = (await readPlanUse(db, clientId))[limit];
    if (used + adding <= most) return;
    throw new AppError(
      'plan_limit',
      say(
        'The plan {title} allows {most}. This would make it {count}. An admin can choose a larger plan on the page Plans.',
        { title, most: named(limit, most), count: used + adding },
      ),
    );
  },
  remediationsPerMonth: async (db, { clientId }) => (await readPlan(db, clientId)).limits.remediations,
};
