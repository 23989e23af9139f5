import type { ApiClient } from '../../platform/ui/api-client.ts';
import { listFindings } from '../api/routes.ts';
import type { Filters } from './finding-view.ts';

/** The exact number of findings. Throws an ApiError. */
export const countFindings = async (
  api: ApiClient,
  query: { filters?: Filters; search?: string },
  signal: AbortSignal,
): Promise<number> => {
  const { meta } = await api.call(listFindings, { query: { ...query, pagination: { page: 1, pageSize: 1 } }, signal });
  return meta.pagination.total ?? 0;
};
