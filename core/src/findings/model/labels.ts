import type { DuplicateReason } from './duplicate-reasons.ts';
import type { FindingStatus, RemediationType, Verdict } from './states.ts';

export { SEVERITY_LABELS } from '../../platform/model/severity.ts';

/**
 * How stored values are shown: in screens, facets, charts, exports, reports and toasts. Severities are in platform/model/severity.ts,
 * because screens of every slice show them.
 */
export const STATUS_LABELS: Readonly<Record<FindingStatus, string>> = {
  enriched: 'Open',
  pending_input: 'Needs input',
  ready: 'Ready to fix',
  pr_submitted: 'In review',
  issued: 'Issue opened',
  pr_accepted: 'Fix merged',
  mitigated: 'Fixed',
  reopened: 'Open',
};

/** The same where both open statuses can be chosen side by side: options of filters and of a change. */
export const STATUS_OPTION_LABELS: Readonly<Record<FindingStatus, string>> = {
  ...STATUS_LABELS,
  reopened: 'Open (reopened)',
};

export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  none: 'To triage',
  valid: 'Valid',
  false_positive: 'False positive',
  accepted_risk: 'Risk accepted',
  duplicate: 'Duplicate',
  mitigated_externally: 'Mitigated externally',
};

/** What a toast says after the number of findings: "118 marked false positive". */
export const VERDICT_DONE: Readonly<Record<Verdict, string>> = {
  none: 'without a verdict now',
  valid: 'confirmed as valid',
  false_positive: 'marked false positive',
  accepted_risk: 'accepted as a risk',
  duplicate: 'marked duplicate',
  mitigated_externally: 'marked mitigated externally',
};

export const DUPLICATE_REASON_LABELS: Readonly<Record<DuplicateReason, string>> = {
  person: 'somebody decided so',
  cve: 'same CVE',
  alias: 'same advisory alias',
  secret: 'same secret',
  weakness: 'same weakness',
  check: 'same kind of check',
  component: 'same component and version',
  place: 'same file and line',
  file: 'same file',
  resource: 'same resource',
  group: 'a third result says the same as both',
};

/** Why a result is a duplicate, as a person reads it: "Same CVE, same component and version". */
export const duplicateReasonText = (reasons: readonly DuplicateReason[]): string => {
  const text = reasons.map((reason) => DUPLICATE_REASON_LABELS[reason]).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** The same of a verdict that was carried over by position alone. */
export const CONFIRMATION_DONE = { confirmed: 'confirmed', takenBack: 'without the verdict now' } as const;

export const REMEDIATION_LABELS: Readonly<Record<RemediationType, string>> = {
  pull_request: 'Pull request',
  issue: 'Issue',
};

const TOOL_LABELS: Readonly<Record<string, string>> = {
  bandit: 'Bandit',
  black_duck: 'Black Duck',
  breakwater: 'Breakwater format',
  brakeman: 'Brakeman',
  'cargo-audit': 'cargo audit',
  chainbench: 'Chain-bench',
  checkmarx: 'Checkmarx',
  checkov: 'Checkov',
  clamav: 'ClamAV',
  cloudsploit: 'CloudSploit',
  checkstyle: 'Checkstyle',
  codeclimate: 'Code Climate',
  'composer-audit': 'composer audit',
  cyclonedx: 'CycloneDX',
  dependabot: 'Dependabot',
  devskim: 'DevSkim',
  dustilock: 'DustiLock',
  cppcheck: 'Cppcheck',
  eslint: 'ESLint',
  fortify: 'Fortify',
  github: 'GitHub',
  gitlab: 'GitLab',
  gitleaks: 'Gitleaks',
  grype: 'Grype',
  hadolint: 'Hadolint',
  kics: 'KICS',
  flawfinder: 'Flawfinder',
  'npm-audit': 'npm audit',
  nuclei: 'Nuclei',
  opengrep: 'Opengrep',
  'osv-scanner': 'OSV-Scanner',
  'owasp-dependency-check': 'Dependency-Check',
  pmd: 'PMD',
  prowler: 'Prowler',
  sarif: 'SARIF',
  semgrep: 'Semgrep',
  'pnpm-audit': 'pnpm audit',
  retirejs: 'Retire.js',
  shellcheck: 'ShellCheck',
  snyk: 'Snyk',
  sonarqube: 'SonarQube',
  spdx: 'SPDX',
  syft: 'Syft',
  terrascan: 'Terrascan',
  tflint: 'TFLint',
  trivy: 'Trivy',
  trufflehog: 'TruffleHog',
  spotbugs: 'SpotBugs',
  'yarn-audit': 'Yarn audit',
  zap: 'ZAP',
};

/** Name of a tool as people write it; the id itself where it is unknown. */
/** A report names its tool as it likes, also `constructor`. */
export const toolLabel = (tool: string): string =>
  (Object.hasOwn(TOOL_LABELS, tool) ? TOOL_LABELS[tool] : undefined) ?? tool;
