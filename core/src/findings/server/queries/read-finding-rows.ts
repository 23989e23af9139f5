import type { FindingType, Severity } from '@breakwater/sdk';
import { sql } from 'kysely';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingStatus, Verdict } from '../../model/states.ts';

/** Columns of a list row as the database gives them. */
interface StoredRow {
  id: string;
  title: string;
  severity: number;
  severity_numerical: number;
  priority: number;
  type: FindingType;
  category: string;
  tool: string;
  status: FindingStatus;
  verdict: Verdict;
  is_duplicate: boolean;
  duplicate_of: string | null;
  is_subfinding: boolean;
  parent: string | null;
  repository_id: string;
  repository: string;
  /** Null for the default branch. */
  branch: string | null;
  is_sample: boolean;
  file_path: string | null;
  start_line: number | null;
  end_line: number | null;
  start_column: number | null;
  end_column: number | null;
  rule_id: string;
  cwe: number[];
  cve: string | null;
  owasp: string | null;
  component: string | null;
  component_version: string | null;
  fixed_version: string | null;
  cvssv3_score: number | null;
  estimated_epss: number | null;
  epss_percentile: number | null;
  epss_date: string | null;
  kev: boolean;
  kev_date_added: string | null;
  effort_for_fixing: number | null;
  exploitability: number | null;
  impact: number | null;
  language: string | null;
  issue_owner: string | null;
  issue_owner_name: string | null;
  developers: string[];
  review_requested: boolean;
  review_requested_by_id: string | null;
  tags: string[];
  date: Date;
  first_seen: Date;
  last_seen: Date;
}

/** A row of the list, as on the wire. */
export interface FindingRowAttributes extends Omit<StoredRow, 'id' | 'severity' | 'date' | 'first_seen' | 'last_seen'> {
  severity: Severity;
  false_positive: boolean;
  date: string;
  first_seen: string;
  last_seen: string;
}

export interface FindingItem {
  _id: string;
  attributes: FindingRowAttributes;
}

const itemOf = ({ id, severity, date, first_seen, last_seen, ...row }: StoredRow): FindingItem => ({
  _id: id,
  attributes: {
    ...row,
    severity: severityOfRank(severity),
    is_duplicate: row.is_duplicate || row.verdict === 'duplicate',
    false_positive: row.verdict === 'false_positive',
    date: date.toISOString(),
    first_seen: first_seen.toISOString(),
    last_seen: last_seen.toISOString(),
  },
});

/** List rows of at most 10,000 ids, in the order of the ids. Reads findings and its dictionaries by primary key. */
export const readFindingRows = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<FindingItem[]> => {
  if (request.ids.length === 0) return [];
  const { clientId } = request;
  const found = await sql<StoredRow>`
    select f.id, x.title, f.severity, f.severity_numerical, f.priority, f.type, f.category, f.tool, f.status, f.verdict,
      f.is_duplicate, f.duplicate_of, f.is_subfinding, f.parent, r.id as repository_id, r.nickname as repository, b.name as branch, r.is_sample,
      p.path as file_path, f.start_line, f.end_line, f.start_column, f.end_column, x.rule_id, x.cwe, x.cve,
      x.owasp_2025 as owasp, x.component, x.component_version, x.fixed_version, f.cvss as cvssv3_score,
      f.epss as estimated_epss, x.epss_percentile, x.epss_date, f.kev, x.kev_added as kev_date_added,
      f.effort_for_fixing, f.exploitability, f.impact, nullif(f.language, '') as language, f.issue_owner, w.username as issue_owner_name,
      coalesce(f.developers, '{}') as developers, f.review_requested_by_id is not null as review_requested, f.review_requested_by_id, f.tags, f.date, f.first_seen,
      coalesce(f.last_seen, o.last_seen_at, f.first_seen) as last_seen
    from findings f
    join finding_subjects x on x.client_id = ${clientId} and x.id = f.subject_id
    left join repository_branches b on b.client_id = ${clientId} and b.id = f.repository_id
    join repositories r on r.client_id = ${clientId} and r.id = coalesce(b.repository_id, f.repository_id)
    left join finding_files p on p.client_id = ${clientId} and p.id = f.file_id
    left join scan_scopes o on o.client_id = ${clientId} and o.id = f.scope_id
    left join users w on w.client_id = ${clientId} and w.id = f.issue_owner
    where f.client_id = ${clientId} and f.id = any(${[...request.ids]}::uuid[])
    limit 10000`.execute(db);
  const items = new Map(found.rows.map((row) => [row.id, itemOf(row)]));
  return request.ids.flatMap((id) => items.get(id) ?? []);
};
