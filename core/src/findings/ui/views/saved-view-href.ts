import type { SavedFilterScope } from '../../model/saved-filters.ts';
import { type ViewBase, viewHref } from '../data/finding-view.ts';
import { type SavedView, viewOf } from './saved-views.store.ts';

/** In an address: the saved view that it is about. Its list makes that the active one; for who does not see it the filters remain. */
export const SAVED_VIEW_PARAM = 'view';

const BASES: Readonly<Record<SavedFilterScope, ViewBase>> = { app: 'open', scm: 'scm', cloud: 'cloud' };

/** Address of the list at a saved view. */
export const savedViewHref = (view: SavedView): string => {
  const href = viewHref(viewOf(view), BASES[view.scope]);
  return `${href}${href.includes('?') ? '&' : '?'}${SAVED_VIEW_PARAM}=${view._id}`;
};
