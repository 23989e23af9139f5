import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { listComponents } from '../api/routes.ts';

/** Components in the inventory of one repository, or of all. */
export const countComponents = async (
  api: ApiClient,
  repositoryId: string | undefined,
  signal: AbortSignal,
): Promise<number> => {
  const filters = repositoryId === undefined ? {} : { repository: [repositoryId] };
  const { meta } = await api.call(listComponents, { query: { filters, pagination: { page: 1, pageSize: 1 } }, signal });
  return meta.pagination.total;
};
