import { msg } from '../../platform/model/message.ts';

/** What becomes of a post. */
export const FEEDBACK_STATUSES = ['open', 'planned', 'in-progress', 'done', 'declined'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

export const FEEDBACK_STATUS_LABELS: Record<FeedbackStatus, string> = {
  open: msg('Open'),
  planned: msg('Planned'),
  'in-progress': msg('In progress'),
  done: msg('Done'),
  declined: msg('Declined'),
};

export const FEEDBACK_SORTS = ['votes', 'newest'] as const;
export type FeedbackSort = (typeof FEEDBACK_SORTS)[number];

export const MAX_TITLE = 120;
export const MAX_DETAILS = 4000;
