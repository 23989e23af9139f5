import type { FilterKey } from './finding-view.ts';

export { STATUS_WORDS, VERDICT_WORDS } from '../model/states.ts';

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
