import type { ApiClient } from '../../platform/ui/api-client.ts';
import { listFindings } from '../api/routes.ts';
import type { PriorityRow } from './components/priority-list.tsx';
import { defaultView, type Filters, findingsHref } from './finding-view.ts';

export { PriorityList, type PriorityRow } from './components/priority-list.tsx';
export { findingsHref } from './finding-view.ts';

/** Address of one finding, beside the default list. */
export const findingHref = (id: string): string => `/findings/finding-details/${encodeURIComponent(id)}`;

/** Address of the open findings of one repository. */
export const repositoryFindingsHref = (repositoryId: string): string => findingsHref({ repository: [repositoryId] });

/** Correlated issues of a repository: its results without the duplicates. */
export const countIssues = async (api: ApiClient, repositoryId: string, signal: AbortSignal): Promise<number> => {
  const filters = { repository: [repositoryId], is_duplicate: 'hide' as const };
  const { meta } = await api.call(listFindings, { query: { filters, pagination: { page: 1, pageSize: 1 } }, signal });
  return meta.pagination.total;
};

/** Filters of the work to do: what `/findings` shows when nobody chose anything. */
export const openFilters = (): Filters => defaultView('open').filters;

/** What to fix first. */
export const topFindings = async (api: ApiClient, count: number, signal: AbortSignal): Promise<PriorityRow[]> => {
  const query = {
    filters: openFilters(),
    sort_field: 'priority' as const,
    sort: 'desc' as const,
    pagination: { page: 1, pageSize: count },
  };
  return (await api.call(listFindings, { query, signal })).data;
};

/** Open findings, for the rail. */
export const countOpenFindings = async (api: ApiClient, signal: AbortSignal): Promise<number> => {
  const query = { filters: openFilters(), pagination: { page: 1, pageSize: 1 } };
  return (await api.call(listFindings, { query, signal })).meta.pagination.total;
};
