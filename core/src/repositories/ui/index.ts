import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { createRepositories, getRepository, listRepositories } from '../api/routes.ts';
import type { RepositoryItem } from './parts/repository-display.tsx';

export type { RepositoryItem } from './parts/repository-display.tsx';

/** The repository of this name that was made by hand, or a new one. @returns its id. */
export const findOrCreateRepository = async (api: ApiClient, name: string, signal: AbortSignal): Promise<string> => {
  const body = { source_control: 'git' as const, data: [{ nickname: name, url: '' }] };
  const { data } = await api.call(createRepositories, { body, signal });
  const created = data[0];
  if (created === undefined) throw new Error('The server made no repository.');
  return created._id;
};

/** Repositories whose name holds a text; at most 50. */
export const searchRepositories = async (
  api: ApiClient,
  search: string,
  signal?: AbortSignal,
): Promise<RepositoryItem[]> => {
  const query = {
    search,
    sort_field: 'nickname' as const,
    sort: 'asc' as const,
    pagination: { page: 1, pageSize: 50 },
  };
  const { data } = await api.call(listRepositories, signal === undefined ? { query } : { query, signal });
  return data;
};

/** Repositories of the organisation that this person may see. */
export const countRepositories = async (api: ApiClient, signal: AbortSignal): Promise<number> => {
  const query = { pagination: { page: 1, pageSize: 1 } };
  return (await api.call(listRepositories, { query, signal })).meta.pagination.total;
};

/** Name of one repository. @throws ApiError `repository_not_found`. */
export const readRepositoryName = async (api: ApiClient, id: string, signal: AbortSignal): Promise<string> =>
  (await api.call(getRepository, { params: { id }, signal })).data.attributes.nickname;

/** When a report was last imported into a repository; undefined where never. @throws ApiError `repository_not_found`. */
export const readLastScan = async (api: ApiClient, id: string, signal: AbortSignal): Promise<string | undefined> =>
  (await api.call(getRepository, { params: { id }, signal })).data.attributes.last_scan ?? undefined;

/** The repositories of a client that a superadmin reads; in a chunk of its own. */
export const loadManagedRepositories = async () => (await import('./managed-repositories.tsx')).ManagedRepositories;

/** The page of one repository; in a chunk of its own. */
export const loadRepositoryDetail = async () => (await import('./detail/repository-detail.tsx')).RepositoryDetail;

/** Asks how a repository is exposed and what data it has, where a score lacks them; in a chunk of its own. */
export const loadAskExposure = async () => (await import('./parts/ask-exposure.tsx')).AskExposure;
