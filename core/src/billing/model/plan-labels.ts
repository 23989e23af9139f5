import { msg } from '../../platform/model/message.ts';
import type { Limit } from './plans.ts';

/** How screens name what a plan limits. */
export const LIMIT_LABELS: Record<Limit, string> = {
  repositories: msg('Repositories'),
  developers: msg('People'),
  remediations: msg('Remediations by AI this month'),
};

/** How screens name the state of a subscription, by what Stripe calls it. */
export const STATUS_LABELS: Readonly<Partial<Record<string, string>>> = {
  active: msg('Paid'),
  trialing: msg('On trial'),
  past_due: msg('The last payment failed'),
  unpaid: msg('Not paid'),
  canceled: msg('Ended'),
  incomplete: msg('Waiting for the payment'),
  incomplete_expired: msg('The payment was not made'),
  paused: msg('Paused'),
};
