import { type FindingType, SEVERITIES, type Severity } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import type { LongField } from '../../model/column-catalogue.ts';
import { DEFAULT_SLA_DAYS } from '../../model/sla.ts';
import type { FindingStatus, RemediationType, Verdict } from '../../model/states.ts';
import { policySql, remediationSql } from '../filter/value-sql.ts';

/** A row of the list, as on the wire. */
export interface FindingRowAttributes {
  title: string;
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
  slsa_threats: string[];
  owasp_cicd: string[];
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
  severity: Severity;
  false_positive: boolean;
  /** ISO 8601 in UTC, milliseconds; so are the next two. */
  date: string;
  first_seen: string;
  last_seen: string;
  remediation_type: RemediationType | null;
  /** Day (UTC); null without a limit, and for what is not open. */
  due_date: string | null;
}

/** All that can be read of a finding, as stored: code is no base64, and times are text that `isoTime` completes. */
export type StoredAttributes = FindingRowAttributes & Record<LongField, string | null>;
export type RowAttribute = keyof StoredAttributes;

/** Dictionaries beside findings `f`; those of branches `b` come with repositories. */
type Source = 'definition' | 'repository' | 'file' | 'scope' | 'owner' | 'details';

interface Attribute {
  value: RawBuilder<unknown> | ((reference: ReferenceData) => RawBuilder<unknown>);
  source?: Source;
}

const own = (column: string): Attribute => ({ value: sql.ref(`f.${column}`) });
const said = (value: RawBuilder<unknown>): Attribute => ({ value });
const from = (source: Source, column: string): Attribute => ({ value: sql.ref(column), source });

const policyOf = (field: 'name' | 'category' | 'control'): Attribute => ({
  value: (reference) => policySql(field, reference),
  source: 'definition',
});

/** PostgreSQL's arrays are slow to read in JavaScript, its JSON is not. */
const listOf = (column: string): RawBuilder<unknown> => sql`to_json(coalesce(${sql.ref(column)}, '{}'))`;
/** In the order of their stored numbers. */
const RANKED = [...SEVERITIES].reverse();
const SEVERITY_WORD = sql`(array[${sql.join(RANKED.map((word) => sql.lit(word)))}])[f.severity + 1]`;
/** As text: a JavaScript date for each would cost more than the rest of the row. */
const timeOf = (time: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${time} at time zone 'UTC')::text`;

/** Read once a statement. */
const SLA_DAYS = sql`coalesce(
  (select array[l.informational, l.low, l.medium, l.high, l.critical] from sla_days l where l.client_id = current_client()),
  ${RANKED.map((severity) => DEFAULT_SLA_DAYS[severity])}::integer[])`;
const DUE_DATE = sql`case when f.is_open then ((f.date at time zone 'UTC')::date + (${SLA_DAYS})[f.severity + 1])::text end`;

/** What each attribute of a row is read from, in the order of the wire. */
const OF_ROW: Readonly<Record<keyof FindingRowAttributes, Attribute>> = {
  title: from('definition', 'x.title'),
  severity_numerical: own('severity_numerical'),
  priority: own('priority'),
  type: own('type'),
  category: own('category'),
  tool: own('tool'),
  status: own('status'),
  verdict: own('verdict'),
  is_duplicate: said(sql`(f.is_duplicate or f.verdict = 'duplicate')`),
  duplicate_of: own('duplicate_of'),
  is_subfinding: own('is_subfinding'),
  parent: own('parent'),
  repository_id: from('repository', 'r.id'),
  repository: from('repository', 'r.nickname'),
  branch: from('repository', 'b.name'),
  is_sample: from('repository', 'r.is_sample'),
  file_path: from('file', 'p.path'),
  start_line: own('start_line'),
  end_line: own('end_line'),
  start_column: own('start_column'),
  end_column: own('end_column'),
  rule_id: from('definition', 'x.rule_id'),
  cwe: { value: listOf('x.cwe'), source: 'definition' },
  cve: from('definition', 'x.cve'),
  owasp: from('definition', 'x.owasp_2025'),
  slsa_threats: { value: listOf('x.slsa_threats'), source: 'definition' },
  owasp_cicd: { value: listOf('x.owasp_cicd'), source: 'definition' },
  component: from('definition', 'x.component'),
  component_version: from('definition', 'x.component_version'),
  fixed_version: from('definition', 'x.fixed_version'),
  cvssv3_score: own('cvss'),
  estimated_epss: own('epss'),
  epss_percentile: from('definition', 'x.epss_percentile'),
  epss_date: from('definition', 'x.epss_date'),
  kev: own('kev'),
  kev_date_added: from('definition', 'x.kev_added'),
  effort_for_fixing: own('effort_for_fixing'),
  exploitability: own('exploitability'),
  impact: own('impact'),
  language: said(sql`nullif(f.language, '')`),
  issue_owner: own('issue_owner'),
  issue_owner_name: from('owner', 'w.username'),
  developers: said(listOf('f.developers')),
  review_requested: said(sql`(f.review_requested_by_id is not null)`),
  review_requested_by_id: own('review_requested_by_id'),
  tags: said(listOf('f.tags')),
  severity: said(SEVERITY_WORD),
  false_positive: said(sql`(f.verdict = 'false_positive')`),
  date: said(timeOf(sql`f.date`)),
  first_seen: said(timeOf(sql`f.first_seen`)),
  last_seen: { value: timeOf(sql`coalesce(f.last_seen, o.last_seen_at, f.first_seen)`), source: 'scope' },
  remediation_type: said(remediationSql('f.status')),
  due_date: said(DUE_DATE),
};

const ATTRIBUTES: Readonly<Record<RowAttribute, Attribute>> = {
  ...OF_ROW,
  description: from('details', 'd.description'),
  mitigation: from('details', 'd.mitigation'),
  notes: from('details', 'd.notes'),
  cvssv3_vector: from('details', 'd.cvss_vector'),
  scanner_report_code: from('details', 'd.code'),
  policy_name: policyOf('name'),
  policy_category: policyOf('category'),
  policy_control: policyOf('control'),
};

const JOINS: Readonly<Record<Source, (clientId: string) => RawBuilder<unknown>>> = {
  definition: (id) => sql`join finding_definitions x on x.client_id = ${id} and x.id = f.definition_id`,
  repository: (id) => sql`left join repository_branches b on b.client_id = ${id} and b.id = f.repository_id
    join repositories r on r.client_id = ${id} and r.id = coalesce(b.repository_id, f.repository_id)`,
  file: (id) => sql`left join finding_files p on p.client_id = ${id} and p.id = f.file_id`,
  scope: (id) => sql`left join scan_scopes o on o.client_id = ${id} and o.id = f.scope_id`,
  owner: (id) => sql`left join users w on w.client_id = ${id} and w.id = f.issue_owner`,
  details: (id) => sql`left join finding_details d on d.client_id = ${id} and d.finding_id = f.id`,
};

const isOfRow = (name: string): name is keyof FindingRowAttributes => name in OF_ROW;

/** Attributes of a row of the list, in the order of the wire. */
export const ROW_ATTRIBUTES = Object.keys(OF_ROW).filter(isOfRow);

/** `name` of each attribute with what it is read from. */
export const selectedAttributes = (names: readonly RowAttribute[], reference: ReferenceData): RawBuilder<unknown> =>
  sql.join(
    names.map((name) => {
      const { value } = ATTRIBUTES[name];
      return sql`${typeof value === 'function' ? value(reference) : value} as ${sql.ref(name)}`;
    }),
  );

/** Joins to findings `f` that the attributes need, and no other. */
export const joinsOf = (names: readonly RowAttribute[], clientId: string): RawBuilder<unknown> => {
  const sources = new Set(names.flatMap((name) => ATTRIBUTES[name].source ?? []));
  return sql.join(
    [...sources].map((source) => JOINS[source](clientId)),
    sql` `,
  );
};

/** `2026-11-22 09:30:00.5` as `2026-11-22T09:30:00.500Z`. */
export const isoTime = (time: string): string =>
  `${time.slice(0, 10)}T${time.slice(11, 19)}.${time.slice(20, 23).padEnd(3, '0')}Z`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * The row as on the wire: times completed, code as base64. It is changed itself: building another object of fifty attributes takes
 * longer than all the rest.
 */
export const toWire = <Row extends Partial<StoredAttributes>>(row: Row): Row => {
  if (row.date !== undefined) row.date = isoTime(row.date);
  if (row.first_seen !== undefined) row.first_seen = isoTime(row.first_seen);
  if (row.last_seen !== undefined) row.last_seen = isoTime(row.last_seen);
  if (typeof row.scanner_report_code === 'string') row.scanner_report_code = base64(row.scanner_report_code);
  return row;
};
