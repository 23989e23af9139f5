import type { FindingStatus, Verdict } from '../model/states.ts';
import type { FilterKey } from './finding-view.ts';

/** Words of the work status. `enriched` is the state in which a finding waits for somebody: open. */
export const STATUS_WORDS: Record<FindingStatus, string> = {
  enriched: 'Open',
  pending_input: 'Needs input',
  ready: 'Ready to fix',
  pr_submitted: 'Pull request open',
  issued: 'Issue open',
  pr_accepted: 'Fix merged',
  mitigated: 'Fixed',
  reopened: 'Reopened',
};

export const VERDICT_WORDS: Record<Verdict, string> = {
  none: 'No verdict',
  valid: 'Valid',
  false_positive: 'False positive',
  accepted_risk: 'Accepted risk',
  duplicate: 'Duplicate',
  mitigated_externally: 'Mitigated elsewhere',
};

export const VISIBILITY_WORDS = { hide: 'hidden', only: 'only', show: 'shown' } as const;

export const FILTER_LABELS: Record<FilterKey, string> = {
  severity: 'Severity',
  status: 'Status',
  type: 'Type',
  category: 'Category',
  tool: 'Tool',
  repository: 'Repository',
  branch: 'Branch',
  cwe: 'CWE',
  cve: 'CVE',
  owasp: 'OWASP',
  slsa_threats: 'SLSA threat',
  owasp_cicd: 'OWASP CI/CD',
  language: 'Language',
  file: 'File',
  component: 'Component',
  issue_owner: 'Owner',
  cvssv3_score_gt: 'CVSS from',
  cvssv3_score_lt: 'CVSS up to',
  priority_gt: 'Priority from',
  priority_lt: 'Priority up to',
  fixing_effort_gt: 'Effort from',
  fixing_effort_lt: 'Effort up to',
  date_gt: 'Seen since',
  date_lt: 'Seen until',
  kev: 'Known exploited',
  false_positive: 'False positives',
  accepted_risk: 'Accepted risk',
  is_duplicate: 'Duplicates',
  is_subfinding: 'Sub-findings',
};
