import type { PackageUse } from '../../reachability/model/package-use.ts';
import type { DuplicateReason } from './duplicate-reasons.ts';
import type { AssessedVerdict, FindingStatus, RemediationType, Verdict } from './states.ts';

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

/** What a model proposes; never a verdict. */
export const ASSESSED_LABELS: Readonly<Record<AssessedVerdict, string>> = {
  false_positive: 'Likely a false positive',
  valid: 'Likely valid',
  uncertain: 'Undecided',
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

/** How the code uses the package of a finding. */
export const PACKAGE_USE_LABELS: Readonly<Record<PackageUse, string>> = {
  imported: 'Imported',
  transitive: 'Only transitive',
  not_imported: 'Not imported',
  unknown: 'Not known',
};

export const REMEDIATION_LABELS: Readonly<Record<RemediationType, string>> = {
  pull_request: 'Pull request',
  issue: 'Issue',
};

const TOOL_LABELS: Readonly<Record<string, string>> = {
  acunetix: 'Acunetix',
  aqua: 'Aqua',
  'aws-security-hub': 'AWS Security Hub',
  bandit: 'Bandit',
  black_duck: 'Black Duck',
  brakeman: 'Brakeman',
  breakwater: 'Breakwater format',
  'bundler-audit': 'bundler-audit',
  burp: 'Burp Suite',
  'cargo-audit': 'cargo audit',
  chainbench: 'Chain-bench',
  checkmarx: 'Checkmarx',
  checkov: 'Checkov',
  checkstyle: 'Checkstyle',
  clamav: 'ClamAV',
  cloudsploit: 'CloudSploit',
  codechecker: 'CodeChecker',
  codeclimate: 'Code Climate',
  'composer-audit': 'composer audit',
  cppcheck: 'Cppcheck',
  cyclonedx: 'CycloneDX',
  dependabot: 'Dependabot',
  'dependency-track': 'Dependency-Track',
  devskim: 'DevSkim',
  dustilock: 'DustiLock',
  eslint: 'ESLint',
  flawfinder: 'Flawfinder',
  fortify: 'Fortify',
  github: 'GitHub',
  gitlab: 'GitLab',
  gitleaks: 'Gitleaks',
  govulncheck: 'govulncheck',
  grype: 'Grype',
  hadolint: 'Hadolint',
  'jfrog-xray': 'JFrog Xray',
  junit: 'JUnit',
  kics: 'KICS',
  kubescape: 'Kubescape',
  mobsf: 'MobSF',
  nessus: 'Nessus',
  noseyparker: 'Nosey Parker',
  'npm-audit': 'npm audit',
  nuclei: 'Nuclei',
  opengrep: 'Opengrep',
  openvas: 'OpenVAS',
  'osv-scanner': 'OSV-Scanner',
  'owasp-dependency-check': 'Dependency-Check',
  'pip-audit': 'pip-audit',
  pmd: 'PMD',
  'pnpm-audit': 'pnpm audit',
  posture: 'Source-control posture',
  prowler: 'Prowler',
  retirejs: 'Retire.js',
  sarif: 'SARIF',
  semgrep: 'Semgrep',
  shellcheck: 'ShellCheck',
  snyk: 'Snyk',
  sonarqube: 'SonarQube',
  spdx: 'SPDX',
  spotbugs: 'SpotBugs',
  syft: 'Syft',
  terrascan: 'Terrascan',
  tflint: 'TFLint',
  tfsec: 'tfsec',
  trivy: 'Trivy',
  trufflehog: 'TruffleHog',
  twistlock: 'Prisma Cloud (Twistlock)',
  veracode: 'Veracode',
  'yarn-audit': 'Yarn audit',
  zap: 'ZAP',
};

/** Name of a tool as people write it; the id itself where it is unknown. A report names its tool as it likes, also `constructor`. */
export const toolLabel = (tool: string): string =>
  (Object.hasOwn(TOOL_LABELS, tool) ? TOOL_LABELS[tool] : undefined) ?? tool;
