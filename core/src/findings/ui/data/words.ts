import type { Verdict } from '../../model/states.ts';
import type { FilterKey } from './finding-view.ts';

export { STATUS_WORDS, VERDICT_WORDS } from '../../model/states.ts';

export const VISIBILITY_WORDS = { hide: 'hidden', only: 'only', show: 'shown' } as const;

/** Values of filters that are words of ours, as chips show them. */
export const OUR_WORDS: Readonly<Record<string, string>> = {
  pull_request: 'pull request',
  issue: 'issue',
  update: 'update available',
  no_fix: 'no fix known yet',
  change: 'change of code or configuration',
  overdue: 'overdue',
  due_soon: 'due soon',
  ok: 'in time',
  true: 'yes',
  false: 'no',
  bitbucket_cloud: 'Bitbucket Cloud',
  github: 'GitHub',
  gitlab: 'GitLab',
};

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
  vulnerability: 'Vulnerability',
  rule: 'Rule',
  developer: 'Developer',
  review_requested: 'Review requested',
  review_requested_by_id: 'Review asked by',
  policy_category: 'Policy category',
  policy_name: 'Policy',
  policy_control: 'Policy control',
  remediation_type: 'Remediation',
  mitigation: 'Mitigation',
  provider: 'Provider',
  tags: 'Tag',
  excluded_file_types: 'Without file types',
  start_column: 'First column',
  end_column: 'Last column',
  sla: 'Due',
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

/** What a toast says after the number. */
export const VERDICT_DONE: Readonly<Record<Verdict, string>> = {
  none: 'without a verdict now',
  valid: 'confirmed as valid',
  false_positive: 'marked false positive',
  accepted_risk: 'accepted as a risk',
  duplicate: 'marked duplicate',
  mitigated_externally: 'marked mitigated elsewhere',
};
