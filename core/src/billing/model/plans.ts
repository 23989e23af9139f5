/** The plan that nobody pays for; it exists always. */
export const FREE_TIER = 'free';

/** What a superadmin gives for a while: no limits, and no row among the plans. */
export const TRIAL_TIER = 'trial';

export const INTERVALS = ['month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** What a plan may limit. Developers are all people of the organisation, invited ones included. Remediations are counted a month (UTC). */
export const LIMITS = ['repositories', 'developers', 'remediations'] as const;
export type Limit = (typeof LIMITS)[number];

/** Null: no limit. */
export type PlanLimitValues = Record<Limit, number | null>;

/** Percent off twelve months. Source: specification §9. */
const DEFAULT_YEARLY_DISCOUNT = 10;

/** The discount for a year in percent: 10 where none is said, 0 where it is outside 0-100. Source: specification §9. */
export const discountOf = (percent: number | undefined): number => {
  if (percent === undefined) return DEFAULT_YEARLY_DISCOUNT;
  return percent >= 0 && percent <= 100 ? Math.round(percent) : 0;
};

const CENTS = 100;

interface Price {
  amountCents: number;
  interval: Interval;
  yearlyDiscount: number;
}

/** What a year costs, in cents of whole dollars: what is charged is what is shown. */
export const yearlyAmountCents = ({ amountCents, interval, yearlyDiscount }: Price): number => {
  if (interval === 'year') return amountCents;
  const cents = (amountCents * 12 * (100 - yearlyDiscount)) / 100;
  return Math.round(cents / CENTS) * CENTS;
};

/** What a plan costs by the interval that people pay in; nothing where it cannot be paid so. */
export const amountFor = (price: Price, interval: Interval): number | undefined => {
  if (interval === 'year') return yearlyAmountCents(price);
  return price.interval === 'month' ? price.amountCents : undefined;
};

/** States of a subscription in which its plan counts. Source: Stripe, "Subscription statuses", 2026-11. */
const LIVE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Whether a subscription in this state pays for its plan. */
export const isLive = (status: string | null | undefined): boolean =>
  status !== null && status !== undefined && LIVE.has(status);
