import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import type { BulkChange } from '../../api/verdict-routes.ts';
import { readIds } from '../data/finding-queries.ts';
import type { FindingView } from '../data/finding-view.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import type { PickedGroup, SelectionStore } from './selection.store.ts';

/** Findings that a change is about: some, all that a view finds, or groups of a view with some besides. */
export type Target =
  | { ids: readonly string[] }
  | { view: FindingView; total: number }
  | { groups: readonly PickedGroup[]; others: readonly string[]; total: number };

export const countOf = (target: Target): number => ('ids' in target ? target.ids.length : target.total);

/** The same for a request that changes many. */
export const meantBy = (target: Target): Omit<BulkChange, 'change'> => {
  if ('ids' in target) return { ids: [...target.ids] };
  if ('view' in target) return { filters: target.view.filters, search: target.view.search };
  const groups = target.groups.map(({ filters, search, except }) => ({ filters, search, except: [...except] }));
  return { groups, ...(target.others.length === 0 ? {} : { ids: [...target.others] }) };
};

/** What is selected in a list. */
export const selectedIn = (store: FindingsStore, selection: SelectionStore): Target => {
  if (selection.isAll) return { view: store.view, total: store.total ?? 0 };
  const others = [...selection.ids];
  if (selection.groups.size === 0) return { ids: others };
  return { groups: [...selection.groups.values()], others, total: selection.count };
};

const BY_PRIORITY = { sortField: 'priority', sort: 'desc' } as const;

/** Ids of the findings that are meant, so many at most. Throws an ApiError. */
export const readTarget = async (
  api: ApiClient,
  target: Target,
  limit: { most: number; signal: AbortSignal },
): Promise<readonly string[]> => {
  if ('ids' in target) return target.ids;
  if ('view' in target) return readIds(api, target.view, limit);
  const ids = new Set(target.others);
  for (const { filters, search, except } of target.groups) {
    if (ids.size >= limit.most) break;
    const most = limit.most + except.length;
    const found = await readIds(api, { filters, search, ...BY_PRIORITY }, { ...limit, most });
    for (const id of found) if (!except.includes(id)) ids.add(id);
  }
  return [...ids].slice(0, limit.most);
};
