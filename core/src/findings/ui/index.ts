import type { ApiClient } from '../../platform/ui/api-client.ts';
import { listFindings } from '../api/routes.ts';
import { findingsHref } from './finding-view.ts';

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
