import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { msg } from '../../platform/model/message.ts';
import { PACKAGE_USES } from '../../reachability/model/package-use.ts';
import { ASSESSED_VERDICTS, FINDING_STATUSES, REMEDIATION_TYPES, VERDICTS } from './states.ts';

/**
 * What a value is on the wire. `prose`: text of any length; `code`: base64 of it; `time`: ISO 8601 in UTC with milliseconds; `day`: a date;
 * a list of words: one of them.
 */
export type ValueKind =
  | 'text'
  | 'prose'
  | 'code'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'id'
  | 'time'
  | 'day'
  | 'texts'
  | 'integers'
  | 'ids'
  | readonly string[];

/** A column of the list, of CSV, JSON and the printed report. */
export interface FindingColumn {
  label: string;
  /** In px, until somebody resizes it; 120 without it. */
  width?: number;
  /** Wire name of the order by it, where that is not the column's own key. The list may not know it. */
  sort?: string;
  /** Order of the first click on its head: texts begin with A, all else with the highest. */
  firstSort?: 'asc';
  /** Attributes that it shows, where they are others than the one of its own key. */
  reads?: readonly string[];
}

export interface FindingAttribute {
  value: ValueKind;
  isNullable?: true;
  /** Table and column that hold it as it is; of all others `server/list/row-attributes.ts` says what they are read from. */
  stored?: `${string}.${string}`;
  /** Rows have it only where it is asked for: long, or work to find. */
  isOnDemand?: true;
  column?: FindingColumn;
}

/** Entries without a value are columns only: they show other attributes. */
type AttributeEntry = FindingAttribute | { column: FindingColumn & { reads: readonly string[] } };

/**
 * All that the API says of a finding in a list, in the order in which the menu of columns offers it. Schema, types, SQL, columns and exports
 * derive from it. Source: specification §3 "Finding", decisions.md "Wire shapes".
 */
export const FINDING_ATTRIBUTES = {
  priority: { value: 'number', stored: 'findings.priority', column: { label: msg('Priority'), width: 82 } },
  severity: { value: SEVERITIES, column: { label: msg('Severity'), width: 108 } },
  // no text: a type and a column of a table
  title: { value: 'text', stored: 'finding_definitions.title', column: { label: msg('Finding'), width: 320 } },
  signals: {
    column: {
      label: msg('Signals'),
      width: 176,
      sort: 'estimated_epss',
      reads: ['kev', 'kev_date_added', 'estimated_epss', 'epss_percentile', 'epss_date', 'package_use'],
    },
  },
  tool: { value: 'text', stored: 'findings.tool', column: { label: msg('Tool'), width: 124 } },
  type: { value: FINDING_TYPES, stored: 'findings.type', column: { label: msg('Type'), width: 88, firstSort: 'asc' } },
  category: { value: 'text', stored: 'findings.category', column: { label: msg('Category'), width: 150 } },
  repository: { value: 'text', stored: 'repositories.nickname', column: { label: msg('Repository'), width: 140 } },
  repository_id: { value: 'id', stored: 'repositories.id' },
  /** Null for the default branch. */
  branch: { value: 'text', isNullable: true, stored: 'repository_branches.name', column: { label: msg('Branch') } },
  is_sample: { value: 'boolean', stored: 'repositories.is_sample' },
  file_path: {
    value: 'text',
    isNullable: true,
    stored: 'finding_files.path',
    column: { label: msg('File'), width: 220 },
  },
  start_line: {
    value: 'integer',
    isNullable: true,
    stored: 'finding_locations.start_line',
    column: { label: msg('Line'), width: 76 },
  },
  end_line: {
    value: 'integer',
    isNullable: true,
    stored: 'finding_locations.end_line',
    column: { label: msg('Last line'), width: 86 },
  },
  start_column: {
    value: 'integer',
    isNullable: true,
    stored: 'findings.start_column',
    column: { label: msg('From column') },
  },
  end_column: {
    value: 'integer',
    isNullable: true,
    stored: 'findings.end_column',
    column: { label: msg('To column') },
  },
  language: { value: 'text', isNullable: true, column: { label: msg('Language') } },
  cwe: { value: 'integers', stored: 'finding_definitions.cwe', column: { label: msg('CWE') } },
  cve: { value: 'text', isNullable: true, stored: 'finding_definitions.cve', column: { label: msg('CVE') } },
  owasp: { value: 'text', isNullable: true, stored: 'finding_definitions.owasp_2025', column: { label: msg('OWASP') } },
  /** SLSA v1.0 threats, A-H. */
  slsa_threats: { value: 'texts', stored: 'finding_definitions.slsa_threats', column: { label: msg('SLSA threats') } },
  /** OWASP CI/CD risks, `CICD-SEC-4`. */
  owasp_cicd: { value: 'texts', stored: 'finding_definitions.owasp_cicd', column: { label: msg('CI/CD risks') } },
  policy_name: { value: 'text', isNullable: true, isOnDemand: true, column: { label: msg('Policy'), width: 180 } },
  policy_category: {
    value: 'text',
    isNullable: true,
    isOnDemand: true,
    column: { label: msg('Policy category'), width: 220 },
  },
  policy_control: { value: 'text', isNullable: true, isOnDemand: true, column: { label: msg('Policy control') } },
  component: {
    value: 'text',
    isNullable: true,
    stored: 'finding_definitions.component',
    column: { label: msg('Component') },
  },
  component_version: {
    value: 'text',
    isNullable: true,
    stored: 'finding_definitions.component_version',
    column: { label: msg('Version') },
  },
  fixed_version: {
    value: 'text',
    isNullable: true,
    stored: 'finding_definitions.fixed_version',
    column: { label: msg('Fixed in') },
  },
  /** How the code of the repository uses the package; null where that was not analysed. */
  package_use: {
    value: PACKAGE_USES,
    isNullable: true,
    stored: 'package_uses.use',
    column: { label: msg('Package use') },
  },
  /** Cloud resource, Kubernetes object, Terraform address, image or URL that it is about. */
  resource: {
    value: 'text',
    isNullable: true,
    stored: 'finding_details.resource',
    column: { label: msg('Resource'), width: 220 },
  },
  cvssv3_score: {
    value: 'number',
    isNullable: true,
    stored: 'findings.cvss',
    column: { label: msg('CVSS'), width: 66 },
  },
  cvssv3_vector: {
    value: 'text',
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.cvss_vector',
    column: { label: msg('CVSS vector'), width: 220 },
  },
  estimated_epss: { value: 'number', isNullable: true, stored: 'findings.epss', column: { label: msg('EPSS') } },
  epss_percentile: { value: 'number', isNullable: true, stored: 'finding_definitions.epss_percentile' },
  /** Day of the EPSS data. */
  epss_date: { value: 'text', isNullable: true, stored: 'finding_definitions.epss_date' },
  kev: { value: 'boolean', stored: 'findings.kev', column: { label: msg('Known exploited') } },
  /** Day on which the CVE came into the catalogue of known exploited vulnerabilities. */
  kev_date_added: { value: 'text', isNullable: true, stored: 'finding_definitions.kev_added' },
  /** Day on which the vulnerability was made public, as far as a report says so. */
  published_on: {
    value: 'text',
    isNullable: true,
    stored: 'finding_definitions.published_on',
    column: { label: msg('Published') },
  },
  severity_numerical: {
    value: 'integer',
    stored: 'findings.severity_numerical',
    column: { label: msg('Severity score') },
  },
  /** 0-100, higher is easier to exploit; null until it has been estimated. So the next two. */
  exploitability: {
    value: 'integer',
    isNullable: true,
    stored: 'findings.exploitability',
    column: { label: msg('Exploitability') },
  },
  /** 0-100, higher is worse. */
  impact: { value: 'integer', isNullable: true, stored: 'findings.impact', column: { label: msg('Impact') } },
  /** 0-100, higher is more work. */
  effort_for_fixing: {
    value: 'integer',
    isNullable: true,
    stored: 'findings.effort_for_fixing',
    column: { label: msg('Effort') },
  },
  status: { value: FINDING_STATUSES, stored: 'findings.status', column: { label: msg('Status'), width: 128 } },
  /** What was opened to fix it. */
  remediation_type: { value: REMEDIATION_TYPES, isNullable: true, column: { label: msg('Fixed by') } },
  verdict: { value: VERDICTS, stored: 'findings.verdict', column: { label: msg('Verdict') } },
  /** What a model proposes about it, unless somebody dismissed that. */
  ai_proposal: {
    value: ASSESSED_VERDICTS,
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_assessments.verdict',
    column: { label: msg('AI proposal'), width: 160 },
  },
  /** The verdict was carried to another line by position alone: somebody has to confirm it or take it back. */
  needs_confirmation: {
    value: 'boolean',
    stored: 'findings.needs_confirmation',
    column: { label: msg('Please confirm') },
  },
  false_positive: { value: 'boolean', column: { label: msg('False positive') } },
  is_duplicate: { value: 'boolean', column: { label: msg('Duplicate') } },
  duplicate_of: { value: 'id', isNullable: true, stored: 'findings.duplicate_of' },
  is_subfinding: { value: 'boolean', stored: 'findings.is_subfinding', column: { label: msg('Sub-finding') } },
  parent: { value: 'id', isNullable: true, stored: 'findings.parent' },
  /** Somebody wishes a decision about it. */
  review_requested: { value: 'boolean', column: { label: msg('Review asked') } },
  review_requested_by_id: { value: 'id', isNullable: true, stored: 'findings.review_requested_by_id' },
  issue_owner: {
    value: 'id',
    isNullable: true,
    stored: 'findings.issue_owner',
    column: { label: msg('Owner'), reads: ['issue_owner', 'issue_owner_name'] },
  },
  issue_owner_name: { value: 'text', isNullable: true, stored: 'users.username' },
  /** Ids of those it was sent to. */
  developers: { value: 'ids', stored: 'findings.developers' },
  tags: { value: 'texts', stored: 'findings.tags', column: { label: msg('Tags') } },
  rule_id: { value: 'text', stored: 'finding_definitions.rule_id', column: { label: msg('Rule') } },
  description: {
    value: 'prose', // no text: a type
    isNullable: true,
    isOnDemand: true,
    // no text: a column of a table
    stored: 'finding_details.description',
    column: { label: msg('Description'), width: 260 },
  },
  mitigation: {
    value: 'prose', // no text: a type
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.mitigation',
    column: { label: msg('Mitigation'), width: 260 },
  },
  notes: {
    value: 'prose',
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.notes',
    column: { label: msg('Notes'), width: 220 },
  },
  /** The code as reported. */
  scanner_report_code: {
    value: 'code',
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.code',
    column: { label: msg('Code'), width: 260 },
  },
  /** The same as text. */
  code: { value: 'prose', isNullable: true, isOnDemand: true, stored: 'finding_details.code' },
  /** What a scanner of a running application sent and got, secrets masked. */
  http_request: {
    value: 'prose',
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.http_request',
    column: { label: msg('Request'), width: 260 },
  },
  http_response: {
    value: 'prose',
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.http_response',
    column: { label: msg('Response'), width: 260 },
  },
  /** Sends the request again. */
  curl_command: {
    value: 'prose',
    isNullable: true,
    isOnDemand: true,
    stored: 'finding_details.curl_command',
    column: { label: msg('curl command'), width: 260 },
  },
  first_seen: { value: 'time', stored: 'findings.first_seen', column: { label: msg('Found here'), width: 92 } },
  /** When its tool reported it. */
  date: { value: 'time', stored: 'findings.date', column: { label: msg('Reported since'), width: 92 } },
  /** Last day (UTC) that the organisation's days allow; null without a limit, and for what is not open. */
  due_date: { value: 'day', isNullable: true, column: { label: msg('Due') } },
  /** Day (UTC) that the due date counts from, as the organisation chose: of the report, or of the first import here. Null without one. */
  due_from: { value: 'day', isNullable: true },
  last_seen: { value: 'time', column: { label: msg('Last seen') } },
  _id: { column: { label: msg('Id'), width: 280, reads: [] } },
} as const satisfies Readonly<Record<string, AttributeEntry>>;
