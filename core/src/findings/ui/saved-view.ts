import type { Static } from 'typebox';
import type { SavedFilter } from '../api/saved-filters-routes.ts';
import type { SavedFilterEntry } from '../model/saved-filters.ts';
import { OPEN_STATUSES } from '../model/states.ts';
import { type FindingView, formatView, parseView } from './finding-view.ts';

export type SavedView = Static<typeof SavedFilter>;

/** A view as it is saved: what its address says, with the short word for open statuses written out. */
export const entriesOf = (view: FindingView): SavedFilterEntry[] =>
  [...formatView(view, 'all')].map(([key, value]) => ({
    [key]: key === 'status' && value === 'open' ? OPEN_STATUSES.join(',') : value,
  }));

const textOf = (value: SavedFilterEntry[string]): string => (Array.isArray(value) ? value.join(',') : String(value));

/** The view that was saved. What no longer exists is left out, so that an old view still opens a list. */
export const viewOf = (saved: Pick<SavedView, 'filters'>): FindingView =>
  parseView(
    new URLSearchParams(
      saved.filters.flatMap((entry) => Object.entries(entry).map(([key, value]) => [key, textOf(value)])),
    ),
    'all',
  );

/** Whether a view is another one than was saved. Names of columns and the page do not count. */
export const isOtherView = (saved: Pick<SavedView, 'filters'>, view: FindingView): boolean =>
  formatView(viewOf(saved), 'all').toString() !== formatView(view, 'all').toString();
