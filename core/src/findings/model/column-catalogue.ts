/** What a column of the list and of an export is called, and the field of `sort_field` that orders by it. */
export interface ColumnInfo {
  /** Name of the attribute that it shows; `signals` shows KEV and EPSS together. */
  key: string;
  label: string;
  /** Wire name of the order; the list may not (yet) know it. */
  sort: string;
}

const named = <const K extends string>(key: K, label: string, sort: string = key) => ({ key, label, sort });

/** Every column there is, in the order in which the menu offers them. Source: specification §3 "Finding", decisions.md "Wire shapes". */
export const FINDING_COLUMNS = [
  named('priority', 'Priority'),
  named('severity', 'Severity'),
  named('title', 'Finding'),
  named('signals', 'Signals', 'estimated_epss'),
  named('tool', 'Tool'),
  named('type', 'Type'),
  named('category', 'Category'),
  named('repository', 'Repository'),
  named('branch', 'Branch'),
  named('file_path', 'File'),
  named('start_line', 'Line'),
  named('end_line', 'Last line'),
  named('start_column', 'From column'),
  named('end_column', 'To column'),
  named('language', 'Language'),
  named('cwe', 'CWE'),
  named('cve', 'CVE'),
  named('owasp', 'OWASP'),
  named('slsa_threats', 'SLSA threats'),
  named('owasp_cicd', 'CI/CD risks'),
  named('policy_name', 'Policy'),
  named('policy_category', 'Policy category'),
  named('policy_control', 'Policy control'),
  named('component', 'Component'),
  named('component_version', 'Version'),
  named('fixed_version', 'Fixed in'),
  named('cvssv3_score', 'CVSS'),
  named('cvssv3_vector', 'CVSS vector'),
  named('estimated_epss', 'EPSS'),
  named('kev', 'Known exploited'),
  named('severity_numerical', 'Severity score'),
  named('exploitability', 'Exploitability'),
  named('impact', 'Impact'),
  named('effort_for_fixing', 'Effort'),
  named('status', 'Status'),
  named('remediation_type', 'Fixed by'),
  named('verdict', 'Verdict'),
  named('false_positive', 'False positive'),
  named('is_duplicate', 'Duplicate'),
  named('is_subfinding', 'Sub-finding'),
  named('review_requested', 'Review asked'),
  named('issue_owner', 'Owner'),
  named('tags', 'Tags'),
  named('rule_id', 'Rule'),
  named('description', 'Description'),
  named('mitigation', 'Mitigation'),
  named('notes', 'Notes'),
  named('scanner_report_code', 'Code'),
  named('first_seen', 'Seen', 'date'),
  named('date', 'Date'),
  named('due_date', 'Due'),
  named('last_seen', 'Last seen'),
  named('_id', 'Id'),
] as const satisfies readonly ColumnInfo[];

export type ColumnKey = (typeof FINDING_COLUMNS)[number]['key'];

export const COLUMN_KEYS: readonly ColumnKey[] = FINDING_COLUMNS.map(({ key }) => key);

/** Columns of somebody who chose none. */
export const DEFAULT_COLUMNS: readonly ColumnKey[] = [
  'priority',
  'severity',
  'title',
  'signals',
  'tool',
  'type',
  'status',
  'first_seen',
];

/** Without these a row of the list says nothing: they are shown in any case. */
export const FIXED_COLUMNS: readonly ColumnKey[] = ['priority', 'title'];

/** Texts of any length, and what takes work to find: rows hold them only when they are asked for. */
export const LONG_FIELDS = [
  'description',
  'mitigation',
  'notes',
  'cvssv3_vector',
  'scanner_report_code',
  'policy_name',
  'policy_category',
  'policy_control',
] as const;
export type LongField = (typeof LONG_FIELDS)[number];

/** Width of a resized column in px. */
export const COLUMN_WIDTH = { min: 48, max: 900 } as const;

export const columnInfo = (key: ColumnKey): ColumnInfo =>
  FINDING_COLUMNS.find((column) => column.key === key) ?? { key, label: key, sort: key };

/** Keys that exist, each once, the fixed ones put back in front where they are missing; what is gone is left out. */
export const usableColumns = (keys: readonly string[]): ColumnKey[] => {
  const known = [...new Set(keys)].flatMap((key) => COLUMN_KEYS.find((one) => one === key) ?? []);
  return [...FIXED_COLUMNS.filter((key) => !known.includes(key)), ...known];
};
