import type { Static } from 'typebox';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import type { Scope } from '../../../shell/ui/navigation/scope.store.ts';
import { type FindingRow, listFindings } from '../../api/routes.ts';
import type { OnDemandKey } from '../../model/column-catalogue.ts';
import { defaultView, type Filters, type FindingView } from './finding-view.ts';

/** Columns of a finding, as lists have them. */
export type FindingAttributes = Static<typeof FindingRow>;
export interface FindingItem {
  _id: string;
  attributes: FindingAttributes;
}

/** Filters of the work to do: what `/findings` shows when nobody chose anything. */
export const openFilters = (): Filters => defaultView('open').filters;

/** Correlated issues of a repository: its results without the duplicates. */
export const countIssues = async (
  api: ApiClient,
  { repositoryId, branch }: { repositoryId: string; branch: string },
  signal: AbortSignal,
): Promise<number> => {
  const ofBranch = branch === '' ? {} : { branch: [branch] };
  const filters = { repository: [repositoryId], ...ofBranch, is_duplicate: 'hide' as const };
  return countFindings(api, { filters }, signal);
};

/** Rows of a page of the list. */
export const PAGE_SIZE = 100;

/** Query of one page of rows, which come before they are counted. */
export const rowsQuery = (
  { filters, search, sort, sortField }: Pick<FindingView, 'filters' | 'search' | 'sort' | 'sortField'>,
  { page, pageSize, include }: { page: number; pageSize: number; include: OnDemandKey[] },
) => ({
  ...{ filters, search, sort, sort_field: sortField, include },
  pagination: { page, pageSize },
  total: 'later' as const,
});

/** Query of what to fix first. */
export const topQuery = ({ filters, count }: { filters: Filters; count: number }) => ({
  filters,
  sort_field: 'priority' as const,
  sort: 'desc' as const,
  pagination: { page: 1, pageSize: count },
});

/** What to fix first. */
export const topFindings = async (
  api: ApiClient,
  top: { filters: Filters; count: number },
  signal: AbortSignal,
): Promise<FindingItem[]> => {
  const query = topQuery(top);
  return withVisibleText((await api.call(listFindings, { query, signal })).data);
};

const IDS_PAGE = 200;

/** Ids of the first findings of a view, in its order. Throws an ApiError. */
export const readIds = async (
  api: ApiClient,
  { filters, search, sortField, sort }: Pick<FindingView, 'filters' | 'search' | 'sortField' | 'sort'>,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<string[]> => {
  const ids: string[] = [];
  for (let page = 1; ids.length < most; page += 1) {
    const order = { sort_field: sortField, sort, fields: ['priority' as const] };
    const query = { filters, search, ...order, pagination: { page, pageSize: IDS_PAGE } };
    const { data } = await api.call(listFindings, { query, signal });
    ids.push(...data.map(({ _id }) => _id));
    if (data.length < IDS_PAGE) break;
  }
  return ids.slice(0, most);
};

/** The filter that narrows a list to a scope. */
export const scopeFilter = ({ kind, value }: Scope): Filters =>
  kind === 'tag' ? { repository_tag: [value] } : { repository: [value] };

/** Open findings, for the rail. */
export const countOpenFindings = (api: ApiClient, signal: AbortSignal, scope?: Scope): Promise<number> =>
  countFindings(api, { filters: { ...openFilters(), ...(scope && scopeFilter(scope)) } }, signal);

/** The exact number of findings. Throws an ApiError. */
export const countFindings = async (
  api: ApiClient,
  query: { filters?: Filters; search?: string },
  signal: AbortSignal,
): Promise<number> => {
  const { meta } = await api.call(listFindings, { query: { ...query, pagination: { page: 1, pageSize: 1 } }, signal });
  return meta.pagination.total ?? 0;
};
