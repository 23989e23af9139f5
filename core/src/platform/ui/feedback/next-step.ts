import { ApiError } from '../data/api-error.ts';
import { t } from '../language/translate.ts';

/** Where people go on after a refusal. */
export interface NextStep {
  label: string;
  /** Address of a page of ours. */
  to: string;
}

/** The page that helps with an error; undefined where none does. */
export const nextStepOf = (error: unknown): NextStep | undefined =>
  error instanceof ApiError && error.code === 'plan_limit'
    ? { label: t('See the plans'), to: '/plan-pricings' }
    : undefined;
