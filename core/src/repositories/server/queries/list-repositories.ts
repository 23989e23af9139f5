import { sql } from 'kysely';
import { type Db, likePattern } from '../../../platform/server/database.ts';
import type { RepositoriesTable } from '../tables.ts';
import '../tables.ts';

export interface RepositoryFilter {
  clientId: string;
  /** Only repositories that this user owns; null shows all. */
  onlyOwnedBy: string | null;
  ids?: string[];
  search?: string;
  statuses?: RepositoryStatus[];
  sourceControls?: SourceControl[];
}

type RepositoryStatus = 'queued' | 'running' | 'enriching' | 'enriched' | 'failed';
type SourceControl = RepositoriesTable['source_control'];

export interface RepositoryPage {
  offset: number;
  pageSize: number;
  sortField: 'nickname' | 'last_scan' | '_id';
  sort: 'asc' | 'desc';
}

const ORDER = {
  nickname: sql`lower(nickname)`,
  last_scan: sql`last_scan_at`,
  _id: sql`id`,
} as const;

const matching = (db: Db, filter: RepositoryFilter) => {
  let query = db.selectFrom('repositories').where('client_id', '=', filter.clientId);
  if (filter.onlyOwnedBy !== null) query = query.where('owner', '=', filter.onlyOwnedBy);
  if (filter.ids !== undefined) query = query.where('id', 'in', filter.ids);
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses);
  if (filter.sourceControls !== undefined) query = query.where('source_control', 'in', filter.sourceControls);
  if (filter.search !== undefined && filter.search !== '') {
    const pattern = sql`lower(${likePattern(filter.search)})`;
    query = query.where(sql<boolean>`(lower(nickname) like ${pattern} or lower(url) like ${pattern})`);
  }
  return query;
};

/** A page of repositories. Reads the client's repositories, of which there are few. */
export const listRepositories = (db: Db, filter: RepositoryFilter, page: RepositoryPage) =>
  matching(db, filter)
    .select([
      'id',
      'nickname',
      'repository_branch',
      'status',
      'source_control',
      'url',
      'tags',
      'owner',
      'exposure',
      'data_class',
      'is_sample',
      'last_scan_at',
    ])
    .orderBy(ORDER[page.sortField], (order) => (page.sort === 'asc' ? order.asc() : order.desc()).nullsLast())
    .orderBy('id', page.sort)
    .offset(page.offset)
    .limit(page.pageSize)
    .execute();

export type RepositoryRow = Awaited<ReturnType<typeof listRepositories>>[number];

/** How many repositories match. */
export const countRepositories = async (db: Db, filter: RepositoryFilter): Promise<number> => {
  const row = await matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return row.total;
};
