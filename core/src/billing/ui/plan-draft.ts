import type { Pricing } from '../api/plan-routes.ts';
import { discountOf, type Interval, type Limit } from '../model/plans.ts';

export type TextOfPlan = 'tier' | 'title' | 'description' | 'dollars' | 'discount' | 'features' | Limit;

/** A plan as somebody types it. */
export type PlanDraft = Record<TextOfPlan, string> & { interval: Interval };

const textOf = (limit: number | null | undefined): string =>
  limit === null || limit === undefined ? '' : String(limit);

export const draftOf = (plan: Pricing | undefined): PlanDraft => ({
  tier: plan?.tier ?? '',
  title: plan?.title ?? '',
  description: plan?.description ?? '',
  dollars: plan === undefined ? '' : String(plan.amount_cents / 100),
  interval: plan?.interval ?? 'month',
  discount: String(plan?.yearly_discount ?? discountOf(undefined)),
  repositories: textOf(plan?.limits.repositories),
  developers: textOf(plan?.limits.developers),
  remediations: textOf(plan?.limits.remediations),
  features: plan?.features.join('\n') ?? '',
});

const WHOLE = /^\d{1,7}$/;

const isLimit = (text: string): boolean => text.trim() === '' || WHOLE.test(text.trim());

/** Whether everything that is asked for is there, in a form that can be read. */
export const isComplete = (draft: PlanDraft): boolean =>
  draft.tier.trim() !== '' &&
  draft.title.trim() !== '' &&
  WHOLE.test(draft.dollars.trim()) &&
  /^-?\d{1,3}$/.test(draft.discount.trim()) &&
  [draft.repositories, draft.developers, draft.remediations].every(isLimit);

const limitOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim()));

/** What is sent of it. */
export const bodyOf = (draft: PlanDraft) => ({
  title: draft.title.trim(),
  description: draft.description.trim(),
  amount_cents: Number(draft.dollars.trim()) * 100,
  interval: draft.interval,
  yearly_discount: Number(draft.discount.trim()),
  limits: {
    repositories: limitOf(draft.repositories),
    developers: limitOf(draft.developers),
    remediations: limitOf(draft.remediations),
  },
  features: draft.features
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
});
