import { sql } from 'kysely';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { lockClient } from '../../../platform/server/lock-client.ts';
import type { DecidedFinding } from '../../model/decided-finding.ts';
import type { FindingStatus, Verdict } from '../../model/states.ts';
import { maySee, type Viewer } from '../viewer.ts';

interface StoredDecisions {
  id: string;
  repository_id: string;
  status: FindingStatus;
  verdict: Verdict;
  verdict_reason: string | null;
  verdict_expires_at: Date | null;
  severity: number;
  severity_numerical: number;
  reported_severity: number | null;
  reported_severity_numerical: number | null;
  issue_owner: string | null;
  tags: string[];
  notes: string | null;
  developers: string[] | null;
  review_requested_by_id: string | null;
  proposed_verdict: Verdict | null;
  proposed_reason: string | null;
}

export interface LockedFinding extends DecidedFinding {
  id: string;
  repository_id: string;
}

const foundOf = (row: StoredDecisions): LockedFinding => ({
  ...row,
  severity: severityOfRank(row.severity),
  reported_severity: row.reported_severity === null ? null : severityOfRank(row.reported_severity),
  verdict_expires_at: row.verdict_expires_at?.toISOString() ?? null,
});

/**
 * What people decided about findings, held until the transaction ends; those that the viewer may not see are left out.
 * Takes turns with imports, which lock the same rows in another order. Reads findings and finding_details by primary key: a thousand
 * ids in `= any(…)` may be answered by a skip scan over another index, which reads all findings of the client.
 */
export const lockDecided = async (
  db: Db,
  request: { viewer: Viewer; ids: readonly string[] },
): Promise<Map<string, LockedFinding>> => {
  const { clientId } = request.viewer;
  await lockClient(db, clientId);
  const found = await sql<StoredDecisions>`
    select f.id, f.repository_id, f.status, f.verdict, d.verdict_reason, f.verdict_expires_at, f.severity, f.severity_numerical,
      f.reported_severity, f.reported_severity_numerical, f.issue_owner, f.tags, d.notes, f.developers, f.review_requested_by_id,
      d.proposed_verdict, d.proposed_reason
    from unnest(${[...request.ids]}::uuid[]) w (id)
    join findings f on f.client_id = ${clientId} and f.id = w.id
    left join finding_details d on d.client_id = ${clientId} and d.finding_id = f.id
    where ${maySee(request.viewer)}
    order by f.id limit ${request.ids.length} for update of f`.execute(db);
  return new Map(found.rows.map((row) => [row.id, foundOf(row)]));
};
