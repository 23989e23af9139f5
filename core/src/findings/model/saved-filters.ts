import { msg } from '../../platform/model/message.ts';
/** Lists that have saved filters of their own. Source: decisions.md "Wire shapes". */
export const SAVED_FILTER_SCOPES = ['app', 'scm', 'cloud'] as const;
export type SavedFilterScope = (typeof SAVED_FILTER_SCOPES)[number];

/** What a filter is set to, as the query string says it: several values in one text are joined by commas. */
export type SavedFilterValue = string | number | boolean | (string | number)[];

/** One key with its value. */
export type SavedFilterEntry = Record<string, SavedFilterValue>;

/** Views that one person may have in the navigation. */
export const MAX_STARRED_VIEWS = 12;

/** What is said after a change. Source: specification §8 "Filter success notices"; the others are ours. */
export const SAVED_FILTER_NOTICES = {
  saved: msg('Success save filter findings!'),
  activated: msg('Success activate filter findings!'),
  updated: msg('Success update filter findings!'),
  removed: msg('Success remove filter findings!'),
  shared: msg('Everyone in the organisation sees this view now.'),
  unshared: msg('Only its owner sees this view now.'),
} as const;
