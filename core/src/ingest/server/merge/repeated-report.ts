import type pg from 'pg';
import { NO_COUNTS } from '../scans/list-scans.ts';
import type { Counts } from '../scans/scan-record.ts';
import type { ImportPulse } from '../stage/import-watch.ts';
import { lockRepository, type MergedReport } from './merge-report.ts';

/**
 * The import that the scope stands at, where it had this very report and was made in the same way: reading it again could say nothing
 * new. A report that also lists components is read, for the day they were last seen.
 */
const FIND_SAME = `
  select c.id as "scopeId", c.branch_id as "branchId", s.counts, s.unreadable
  from scans s
  join scan_scopes c on c.client_id = s.client_id and c.id = s.scope_id and c.last_scan_id = s.id
  where s.client_id = $1 and s.repository_id = $2 and s.report_id = $3 and s.imported_as = $4
    and s.status = 'done' and (s.counts ->> 'components')::integer = 0
  limit 1`;

/** How the findings of the scope stand now. Index: findings_identity. */
const COUNT_NOW = `
  select count(*)::integer as open, count(*) filter (where is_duplicate)::integer as duplicate,
    count(*) filter (where verdict = 'accepted_risk' and verdict_expires_at < now())::integer as expired
  from findings where client_id = $1 and scope_id = $2 and status <> 'mitigated'`;

interface Same {
  scopeId: number;
  branchId: string | null;
  counts: Counts;
  unreadable: { where: string; why: string }[];
}

export interface RepeatRequest {
  clientId: string;
  repositoryId: string;
  reportId: string;
  /** All that decides besides the report what an import writes. */
  importedAs: string;
  pulse: ImportPulse;
}

export type RepeatedReport = MergedReport & Pick<Same, 'unreadable'>;

const settle = async (
  client: pg.ClientBase,
  clientId: string,
  same: Same | undefined,
): Promise<RepeatedReport | undefined> => {
  if (same === undefined) return undefined;
  const { scopeId, branchId, counts, unreadable } = same;
  const now = await client.query<{ open: number; duplicate: number; expired: number }>(COUNT_NOW, [clientId, scopeId]);
  const { open, duplicate, expired } = now.rows[0] ?? { open: 0, duplicate: 0, expired: 0 };
  if (open !== counts.total || expired > 0) return undefined;
  const unchanged = { new: 0, unchanged: counts.total, reopened: 0, closed: 0, duplicate };
  const nothing = { status: 'done', incomplete: [], scopeDate: undefined, isScored: false } as const;
  const alerts = { critical: 0, kev: 0 };
  return { ...nothing, alerts, scopeId, branchId, unreadable, counts: { ...NO_COUNTS, ...counts, ...unchanged } };
};

/**
 * What an import of the report comes to where nothing has to be done; undefined where it has to be read: another report came since, or
 * a finding was closed by hand, or an acceptance has expired. Locks the repository, so that the answer stays true.
 */
export const findRepeated = async (
  client: pg.ClientBase,
  request: RepeatRequest,
): Promise<RepeatedReport | undefined> => {
  const { clientId, repositoryId, reportId, importedAs, pulse } = request;
  const find = async (): Promise<Same | undefined> =>
    (await client.query<Same>(FIND_SAME, [clientId, repositoryId, reportId, importedAs])).rows[0];
  if ((await find()) === undefined) return undefined;
  await client.query('savepoint look');
  await lockRepository(client, repositoryId, pulse);
  const repeated = await settle(client, clientId, await find());
  // the lock is given back before a long report is read
  if (repeated === undefined) await client.query('rollback to savepoint look');
  return repeated;
};
