import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { CommitStatusOfScan } from '../../../platform/api/commit-status.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { ScanAttributes, ScanCounts, UndoRefusal } from '../../api/routes.ts';
import type { ScanStatus } from './tables.ts';
import './tables.ts';

export interface ScanFilter {
  clientId: string;
  /** Only scans of repositories that this user owns; null shows all. */
  onlyOwnedBy: string | null;
  id?: string;
  repositories?: string[];
  statuses?: ScanStatus[];
}

const matching = (db: Db, filter: ScanFilter) => {
  let query = db.selectFrom('scans').where('client_id', '=', filter.clientId);
  if (filter.id !== undefined) query = query.where('id', '=', filter.id);
  if (filter.repositories !== undefined) query = query.where('repository_id', 'in', filter.repositories);
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses);
  if (filter.onlyOwnedBy !== null) {
    const owned = sql<string>`any(array(select id from repositories where client_id = ${filter.clientId} and owner = ${filter.onlyOwnedBy}))`;
    query = query.where('repository_id', '=', owned);
  }
  return query;
};

/** Name of the person or API token. Both keys are read by id. */
const uploader = sql<string | null>`coalesce(
  (select username from users u where u.client_id = scans.client_id and u.id = scans.created_by),
  (select name from api_tokens t where t.client_id = scans.client_id and t.id = scans.created_by))`.as(
  'created_by_name',
);

/** A newer import of the same scope, or one that takes this scan back already: while there is one, it cannot be undone. Reads scans_repository. */
export const standsOnScan = sql`
  from scans n
  where n.client_id = scans.client_id and n.repository_id = scans.repository_id
    and (n.undoes = scans.id and n.status <> 'failed'
      or n.id > scans.id and n.status in ('done', 'incomplete') and n.undoes is null and n.scope_id = scans.scope_id)`;

/**
 * Whether the report of the import before, to which an undo goes back, is deleted; what was taken back does not count. Reads scans_repository.
 */
export const isReportBeforeDeleted = sql<boolean>`coalesce((
  select b.report_id is not null and not exists (
    select from reports r where r.client_id = b.client_id and r.id = b.report_id)
  from scans b
  where b.client_id = scans.client_id and b.repository_id = scans.repository_id and b.scope_id = scans.scope_id
    and b.id < scans.id and b.status in ('done', 'incomplete') and b.undoes is null
  order by b.id desc limit 1), false)`;

const undoRefusal = sql<UndoRefusal | null>`case
  when status not in ('done', 'incomplete') or undoes is not null then 'not_done'
  when exists (select 1 ${standsOnScan}) then 'newer'
  when ${isReportBeforeDeleted} then 'report_deleted' end`.as('undo_refusal');

/** Closed nothing because it may be about another part of its scope, and nobody has decided yet. Reads scans_repository. */
export const isHeldBack = sql<boolean>`(
  status = 'done' and (coalesce((counts ->> 'held')::integer, 0) > 0 or coalesce((counts ->> 'held_components')::integer, 0) > 0)
  and not exists (select 1 ${standsOnScan})
  and not exists (
    select 1 from scans n
    where n.client_id = scans.client_id and n.repository_id = scans.repository_id and n.settles = scans.id
      and n.status not in ('failed', 'cancelled')
  ))`;

/** The part that its scope speaks for. Reads the primary key of scan_scopes. */
const scopePart = sql<string | null>`coalesce(
  (select nullif(part, '') from scan_scopes o where o.client_id = scans.client_id and o.id = scans.scope_id), scans.part)`.as(
  'scope_part',
);

/** What its provider was told of its commit. Reads the primary key of commit_statuses. */
const commitStatus = sql<CommitStatusOfScan | null>`(
  select jsonb_build_object('state', c.state, 'problem', c.problem, 'comment_url', c.comment_url) from commit_statuses c
  where c.client_id = scans.client_id and c.repository_id = scans.repository_id and c.commit_hash = scans.commit_hash)`.as(
  'commit_status',
);

/** A page of scans, newest first. Reads scans_newest, or scans_repository where a repository is given. */
export const listScans = (db: Db, filter: ScanFilter, page: { offset: number; pageSize: number }) =>
  matching(db, filter)
    .select([
      'id',
      'repository_id',
      'requested_tool',
      'tool',
      'file_name',
      'branch',
      'commit_hash',
      'status',
      'percentage',
      'counts',
      'unreadable',
      'incomplete',
      'report_date',
      'settles',
      'settlement',
      'undoes',
      'connector_id',
      'code',
      'detail',
      'created_at',
      'finished_at',
    ])
    .select([uploader, undoRefusal, isHeldBack.as('is_held_back'), scopePart, commitStatus])
    .orderBy('id', 'desc')
    .offset(page.offset)
    .limit(page.pageSize)
    .execute();

export type ScanRow = Awaited<ReturnType<typeof listScans>>[number];

/** How many scans match. */
export const countScans = async (db: Db, filter: ScanFilter): Promise<number> => {
  const row = await matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return row.total;
};

export const NO_COUNTS: Static<typeof ScanCounts> = {
  total: 0,
  new: 0,
  unchanged: 0,
  reopened: 0,
  closed: 0,
  held: 0,
  held_components: 0,
  duplicate: 0,
  suppressed: 0,
  unreadable: 0,
  components: 0,
};

/** A scan as on the wire. */
export const scanItem = (row: ScanRow): { _id: string; attributes: Static<typeof ScanAttributes> } => ({
  _id: row.id,
  attributes: {
    repository_id: row.repository_id,
    tool: row.tool ?? row.requested_tool,
    file_name: row.file_name,
    branch: row.branch,
    commit: row.commit_hash,
    commit_status: row.commit_status,
    status: row.status,
    percentage: row.percentage,
    counts: { ...NO_COUNTS, ...row.counts },
    unreadable: row.unreadable,
    part: row.scope_part,
    incomplete: row.incomplete,
    report_date: row.report_date?.toISOString() ?? null,
    is_held_back: row.is_held_back,
    settles: row.settles,
    settlement: row.settlement,
    undoes: row.undoes,
    undo_refusal: row.undo_refusal,
    connector: row.connector_id,
    code: row.code,
    detail: row.detail,
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  },
});

/** How far imports are. Reads the primary key. */
export const importProgress = (db: Db, request: { clientId: string; scanIds: readonly string[] }) =>
  db
    .selectFrom('scans')
    .select(['id', 'status', 'percentage', 'code', 'detail', 'counts'])
    .where('client_id', '=', request.clientId)
    .where('id', 'in', [...request.scanIds])
    .execute();
