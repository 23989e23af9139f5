import type { ApiClient } from '../../platform/ui/api-client.ts';
import { listFindings } from '../api/routes.ts';
import { countFindings } from './count-findings.ts';
import { defaultView, type Filters } from './finding-view.ts';
import type { FindingItem } from './findings.store.ts';

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

/** What to fix first. */
export const topFindings = async (api: ApiClient, count: number, signal: AbortSignal): Promise<FindingItem[]> => {
  const query = {
    filters: openFilters(),
    sort_field: 'priority' as const,
    sort: 'desc' as const,
    pagination: { page: 1, pageSize: count },
  };
  return (await api.call(listFindings, { query, signal })).data;
};

/** Open findings, for the rail. */
export const countOpenFindings = (api: ApiClient, signal: AbortSignal): Promise<number> =>
  countFindings(api, { filters: openFilters() }, signal);
