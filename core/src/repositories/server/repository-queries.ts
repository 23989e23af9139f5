import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { severityOfRank } from '../../platform/model/severity.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import type { RepositoryAttributes, RepositoryListQuery } from '../api/routes.ts';
import './tables.ts';
import { type Db, likePattern } from '../../platform/server/database.ts';

export interface RepositoryItem {
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

/** Counts of no finding. */
export const noCounts = () => ({ ...NONE });

const withCounts = async (db: Db, clientId: string, rows: RepositoryRow[]): Promise<RepositoryItem[]> => {
  const repositoryIds = rows.map((row) => row.id);
  const counts = await countOpenByRepository(db, { clientId, repositoryIds });
  const failures = await readFailedImports(db, { clientId, repositoryIds });
  const byRepository = new Map(rows.map((row) => [row.id, { ...NONE }]));
  for (const { repository_id, severity, count } of counts) {
    const sums = byRepository.get(repository_id);
    if (sums !== undefined) sums[severityOfRank(severity)] = count;
  }
  return rows.map(({ id, last_scan_at, ...attributes }) => ({
    _id: id,
    attributes: {
      ...attributes,
      source_control_title: null,
      last_scan: last_scan_at?.toISOString() ?? null,
      import_failed_at: failures.get(id)?.toISOString() ?? null,
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
  const { search, filters } = query;
  const filter = { ...viewer, ...filters, ...(search === undefined ? {} : { search }) };
  const rows = await listRepositories(db, filter, {
    offset: paging.offset,
    pageSize: paging.pageSize,
    sortField: query.sort_field ?? 'nickname',
    sort: query.sort ?? 'asc',
  });
  const total = await countRepositories(db, filter);
  return { data: await withCounts(db, viewer.clientId, rows), meta: pageMeta(total, paging) };
};

/** When the latest import of each repository ended, for those where it failed. Reads scans_repository, per repository from its newest scan. */
const readFailedImports = async (
  db: Db,
  request: { clientId: string; repositoryIds: string[] },
): Promise<ReadonlyMap<string, Date>> => {
  if (request.repositoryIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; at: Date }>`
    select r.id, last.at from unnest(${request.repositoryIds}::uuid[]) r (id)
    cross join lateral (
      select s.status, coalesce(s.finished_at, s.created_at) as at from scans s
      where s.client_id = ${request.clientId} and s.repository_id = r.id
        and s.status in ('done', 'incomplete', 'outdated', 'failed')
      order by s.id desc limit 1
    ) last
    where last.status = 'failed'`.execute(db);
  return new Map(rows.map(({ id, at }) => [id, at]));
};

export interface OpenCount {
  repository_id: string;
  /** 4 critical to 0 informational. */
  severity: number;
  count: number;
}

/** Open findings of the given repositories by severity. Reads only the rollup. */
export const countOpenByRepository = async (
  db: Db,
  request: { clientId: string; repositoryIds: string[] },
): Promise<OpenCount[]> => {
  if (request.repositoryIds.length === 0) return [];
  const { rows } = await sql<OpenCount>`
    select k.repository_id, k.severity, sum(c.count)::bigint as count
    from aggregate_sources k
    join aggregate_cells c on c.client_id = k.client_id and c.source = k.source
    join aggregate_dispositions s on s.client_id = c.client_id and s.disposition = c.disposition
    where k.client_id = ${request.clientId} and k.repository_id = any(${request.repositoryIds}::uuid[]) and s.is_open
    group by k.repository_id, k.severity
  `.execute(db);
  return rows;
};

/** Whether the client has findings of other branches than the default ones. Reads repository_branches by client. */
export const hasBranches = async (db: Db, clientId: string): Promise<boolean> => {
  const { rows } = await sql`select from repository_branches where client_id = ${clientId} limit 1`.execute(db);
  return rows.length > 0;
};

/** Ids of the branches of repositories, both as subqueries. Reads repository_branches by client and repository. */
export const branchesOf = (clientId: string, repositories: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select b.id from repository_branches b where b.client_id = ${clientId} and b.repository_id in (${repositories})`;

/** Columns of which a filter names values. */
const LISTED = ['status', 'source_control', 'owner', 'exposure', 'data_class'] as const;

export interface RepositoryFilter extends Partial<Record<(typeof LISTED)[number], string[] | undefined>> {
  clientId: string;
  /** Only repositories that this user owns; null shows all. */
  onlyOwnedBy: string | null;
  ids?: string[];
  search?: string;
  /** Any of them. */
  tags?: string[] | undefined;
}

export interface RepositoryPage {
  offset: number;
  pageSize: number;
  sortField: 'nickname' | 'last_scan' | 'owner' | '_id';
  sort: 'asc' | 'desc';
}

/** Of a repository; reads users by client and id. */
const OWNER_NAME = sql<
  string | null
>`(select u.username from users u where u.client_id = repositories.client_id and u.id = repositories.owner)`;

const ORDER = {
  nickname: sql`lower(nickname)`,
  owner: sql`lower(${OWNER_NAME})`,
  last_scan: sql`last_scan_at`,
  _id: sql`id`,
} as const;

const matching = (db: Db, filter: RepositoryFilter) => {
  let query = db.selectFrom('repositories').where('client_id', '=', filter.clientId);
  if (filter.onlyOwnedBy !== null) query = query.where('owner', '=', filter.onlyOwnedBy);
  if (filter.ids !== undefined) query = query.where('id', 'in', filter.ids);
  for (const column of LISTED) {
    const values = filter[column];
    if (values !== undefined) query = query.where(sql<boolean>`${sql.ref(column)}::text = any(${values}::text[])`);
  }
  if (filter.tags !== undefined) query = query.where(sql<boolean>`tags && ${filter.tags}::text[]`);
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
      'schedule',
      'is_sample',
      'last_scan_at',
    ])
    .select(OWNER_NAME.as('owner_name'))
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
