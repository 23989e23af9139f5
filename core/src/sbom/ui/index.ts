import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { listComponents } from '../api/routes.ts';

/** Components in the inventory of one repository, of those with a tag, or of all. */
export const countComponents = async (
  api: ApiClient,
  scope: { repository?: string; tag?: string } | undefined,
  signal: AbortSignal,
): Promise<number> => {
  const { repository, tag } = scope ?? {};
  const filters = {
    repository: repository === undefined ? [] : [repository],
    repository_tag: tag === undefined ? [] : [tag],
  };
  const { meta } = await api.call(listComponents, { query: { filters, pagination: { page: 1, pageSize: 1 } }, signal });
  return meta.pagination.total;
};
