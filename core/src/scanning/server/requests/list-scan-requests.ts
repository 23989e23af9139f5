import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { CommitStatusOfScan } from '../../../platform/api/commit-status.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { ScanRequestAttributes } from '../../api/routes.ts';
import type { ScanRequestStatus } from '../../model/scan-requests.ts';
import '../tables.ts';

export interface ScanRequestFilter {
  clientId: string;
  /** Only scans of repositories that this user owns; null shows all. */
  onlyOwnedBy: string | null;
  id?: string;
  repositories?: readonly string[];
  statuses?: readonly ScanRequestStatus[];
}

const matching = (db: Db, { clientId, onlyOwnedBy, id, repositories, statuses }: ScanRequestFilter) => {
  let query = db.selectFrom('scan_requests').where('client_id', '=', clientId);
  if (id !== undefined) query = query.where('id', '=', id);
  if (repositories !== undefined) query = query.where('repository_id', 'in', [...repositories]);
  if (statuses !== undefined) query = query.where('status', 'in', [...statuses]);
  if (onlyOwnedBy !== null) {
    const owned = sql<string>`any(array(select id from repositories where client_id = ${clientId} and owner = ${onlyOwnedBy}))`;
    query = query.where('repository_id', '=', owned);
  }
  return query;
};

/** Name of the person. Read by key. */
const requester = sql<
  string | null
>`(select username from users u where u.client_id = scan_requests.client_id and u.id = scan_requests.created_by)`.as(
  'created_by_name',
);

/** What its provider was told of its commit. Reads the primary key of commit_statuses. */
const commitStatus = sql<CommitStatusOfScan | null>`(
  select jsonb_build_object('state', c.state, 'problem', c.problem, 'comment_url', c.comment_url) from commit_statuses c
  where c.client_id = scan_requests.client_id and c.repository_id = scan_requests.repository_id
    and c.commit_hash = scan_requests.commit_hash)`.as('commit_status');

/** A page of scans that the server started, newest first. Index: scan_requests_newest, scan_requests_repository. */
export const listScanRequests = (db: Db, filter: ScanRequestFilter, page: { offset: number; pageSize: number }) =>
  matching(db, filter)
    .select(['id', 'scan_type', 'repository_id', 'status', 'trigger', 'branch', 'commit_hash', 'percentage', 'tools'])
    .select(['code', 'detail', 'created_at', 'started_at', 'finished_at', requester, commitStatus])
    .orderBy('id', 'desc')
    .offset(page.offset)
    .limit(page.pageSize)
    .execute();

type ScanRequestRow = Awaited<ReturnType<typeof listScanRequests>>[number];

/** How many match. */
export const countScanRequests = async (db: Db, filter: ScanRequestFilter): Promise<number> => {
  const row = await matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return row.total;
};

export const scanRequestItem = (
  row: ScanRequestRow,
): { _id: string; attributes: Static<typeof ScanRequestAttributes> } => {
  const { id, created_at, started_at, finished_at, commit_hash, created_by_name, ...attributes } = row;
  return {
    _id: id,
    attributes: {
      ...attributes,
      commit: commit_hash,
      created_by: created_by_name,
      created_at: created_at.toISOString(),
      started_at: started_at?.toISOString() ?? null,
      finished_at: finished_at?.toISOString() ?? null,
    },
  };
};

/** Repositories that a scan may be asked for, with what it has to know of them. */
export const readScanTargets = (
  db: Db,
  { clientId, onlyOwnedBy, ids }: { clientId: string; onlyOwnedBy: string | null; ids?: readonly string[] },
) => {
  let query = db
    .selectFrom('repositories')
    .select(['id', 'nickname', 'url', 'source_control', 'repository_branch', 'external_id'])
    .where('client_id', '=', clientId);
  if (ids !== undefined) query = query.where('id', 'in', [...ids]);
  if (onlyOwnedBy !== null) query = query.where('owner', '=', onlyOwnedBy);
  return query.orderBy('id').execute();
};

/** A repository as a scan needs it. */
export type ScanRepository = Awaited<ReturnType<typeof readScanTargets>>[number];
