import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { severityOfRank } from '../../platform/model/severity.ts';
import type { Db } from '../../platform/server/database.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import type { RepositoryAttributes, RepositoryListQuery } from '../api/routes.ts';
import { countOpenByRepository } from './queries/count-open-by-repository.ts';
import { countRepositories, listRepositories, type RepositoryRow } from './queries/list-repositories.ts';

interface RepositoryItem {
  _id: string;
  attributes: Static<typeof RepositoryAttributes>;
}

/** Whose repositories, and for whom. */
export interface RepositoryViewer {
  clientId: string;
  /** Only repositories that this user owns; null shows all. */
  onlyOwnedBy: string | null;
}

const NONE = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };

const withCounts = async (db: Db, clientId: string, rows: RepositoryRow[]): Promise<RepositoryItem[]> => {
  const counts = await countOpenByRepository(db, { clientId, repositoryIds: rows.map((row) => row.id) });
  const byRepository = new Map(rows.map((row) => [row.id, { ...NONE }]));
  for (const { repository_id, severity, count } of counts) {
    const sums = byRepository.get(repository_id);
    if (sums !== undefined) sums[severityOfRank(severity)] = count;
  }
  return rows.map(({ id, last_scan_at, ...attributes }) => ({
    _id: id,
    attributes: {
      ...attributes,
      last_scan: last_scan_at?.toISOString() ?? null,
      counts: byRepository.get(id) ?? NONE,
    },
  }));
};

/** Repositories of these ids, as far as the viewer may see them. */
export const readRepositoriesById = async (
  db: Db,
  viewer: RepositoryViewer,
  ids: string[],
): Promise<RepositoryItem[]> => {
  const page = { offset: 0, pageSize: ids.length, sortField: '_id', sort: 'asc' } as const;
  return withCounts(db, viewer.clientId, await listRepositories(db, { ...viewer, ids }, page));
};

/** One repository. @throws repository_not_found */
export const readRepository = async (db: Db, viewer: RepositoryViewer, id: string): Promise<RepositoryItem> => {
  const [item] = await readRepositoriesById(db, viewer, [id]);
  if (item === undefined) throw new AppError('repository_not_found');
  return item;
};

/** A page of repositories as `GET /repositories` answers, for the caller's own client and for one that a superadmin reads. */
export const readRepositoriesPage = async (
  db: Db,
  viewer: RepositoryViewer,
  query: Static<typeof RepositoryListQuery>,
) => {
  const paging = readPaging(query);
  const filter = {
    ...viewer,
    ...(query.search === undefined ? {} : { search: query.search }),
    ...(query.filters?.status === undefined ? {} : { statuses: query.filters.status }),
    ...(query.filters?.source_control === undefined ? {} : { sourceControls: query.filters.source_control }),
  };
  const rows = await listRepositories(db, filter, {
    offset: paging.offset,
    pageSize: paging.pageSize,
    sortField: query.sort_field ?? 'nickname',
    sort: query.sort ?? 'asc',
  });
  const total = await countRepositories(db, filter);
  return { data: await withCounts(db, viewer.clientId, rows), meta: pageMeta(total, paging) };
};
