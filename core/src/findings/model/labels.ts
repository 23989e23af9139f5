import type { FindingType } from '@breakwater/sdk';
import { ownToolName } from '../../platform/model/added-tool.ts';
import { msg } from '../../platform/model/message.ts';
import type { PackageUse } from '../../reachability/model/package-use.ts';
import type { DuplicateReason } from './duplicate-reasons.ts';
import type { AssessedVerdict, FindingStatus, RemediationType, Verdict } from './states.ts';

export { SEVERITY_LABELS } from '../../platform/model/severity.ts';

/**
 * How stored values are shown: in screens, facets, charts, exports, reports and toasts. Severities are in platform/model/severity.ts,
 * because screens of every slice show them.
 */
export const STATUS_LABELS: Readonly<Record<FindingStatus, string>> = {
  enriched: msg('Open'),
  pending_input: msg('Needs input'),
  ready: msg('Ready to fix'),
  pr_submitted: msg('In review'),
  issued: msg('Issue opened'),
  pr_accepted: msg('Fix merged'),
  mitigated: msg('Fixed'),
  reopened: msg('Open'),
};

/** The same where both open statuses can be chosen side by side: options of filters and of a change. */
export const STATUS_OPTION_LABELS: Readonly<Record<FindingStatus, string>> = {
  ...STATUS_LABELS,
  reopened: msg('Open (reopened)'),
};

export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  none: msg('To triage'),
  valid: msg('Valid'),
  false_positive: msg('False positive'),
  accepted_risk: msg('Risk accepted'),
  duplicate: msg('Duplicate'),
  mitigated_externally: msg('Mitigated externally'),
};

/** What a model proposes; never a verdict. */
export const ASSESSED_LABELS: Readonly<Record<AssessedVerdict, string>> = {
  false_positive: msg('Likely a false positive'),
  valid: msg('Likely valid'),
  uncertain: msg('Undecided'),
};

/** What a toast says after the number of findings: "118 marked false positive". */
export const VERDICT_DONE: Readonly<Record<Verdict, string>> = {
  none: msg('without a verdict now'),
  valid: msg('confirmed as valid'),
  false_positive: msg('marked false positive'),
  accepted_risk: msg('accepted as a risk'),
  duplicate: msg('marked duplicate'),
  mitigated_externally: msg('marked mitigated externally'),
};

export const DUPLICATE_REASON_LABELS: Readonly<Record<DuplicateReason, string>> = {
  person: msg('somebody decided so'),
  cve: msg('same CVE'),
  alias: msg('same advisory alias'),
  secret: msg('same secret'),
  weakness: msg('same weakness'),
  check: msg('same kind of check'),
  component: msg('same component and version'),
  place: msg('same file and line'),
  file: msg('same file'),
  resource: msg('same resource'),
  group: msg('a third result says the same as both'),
};

/** Why a result is a duplicate, as a person reads it: "Same CVE, same component and version". */
export const duplicateReasonText = (reasons: readonly DuplicateReason[]): string => {
  const text = reasons.map((reason) => DUPLICATE_REASON_LABELS[reason]).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** The same of a verdict that was carried over by position alone. */
export const CONFIRMATION_DONE = { confirmed: msg('confirmed'), takenBack: msg('without the verdict now') } as const;

/** How the code uses the package of a finding. */
export const PACKAGE_USE_LABELS: Readonly<Record<PackageUse, string>> = {
  imported: msg('Imported'),
  transitive: msg('Only transitive'),
  not_imported: msg('Not imported'),
  unknown: msg('Not known'),
};

/** Families of findings; abbreviations are the same in every language. */
export const TYPE_LABELS: Readonly<Record<FindingType, string>> = {
  SAST: 'SAST',
  DAST: 'DAST',
  SCA: 'SCA',
  Container: msg('Container'),
  IaC: 'IaC',
  Cloud: msg('Cloud'),
  Secrets: msg('Secrets'),
  'CI/CD': 'CI/CD',
  License: msg('License'),
  'Supply chain': msg('Supply chain'),
  SBOM: 'SBOM',
  Malware: msg('Malware'),
  Configuration: msg('Configuration'),
};

export const REMEDIATION_LABELS: Readonly<Record<RemediationType, string>> = {
  pull_request: msg('Pull request'),
  issue: msg('Issue'),
};

const TOOL_LABELS: Readonly<Record<string, string>> = {
  acunetix: 'Acunetix',
  aqua: 'Aqua',
  'aws-security-hub': 'AWS Security Hub',
  bandit: 'Bandit',
  black_duck: 'Black Duck',
  brakeman: 'Brakeman',
  breakwater: msg('Breakwater format'),
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
  opengrep: 'OpenGrep',
  openvas: 'OpenVAS',
  'osv-scanner': 'OSV-Scanner',
  'owasp-dependency-check': 'Dependency-Check',
  'pip-audit': 'pip-audit',
  pmd: 'PMD',
  'pnpm-audit': 'pnpm audit',
  posture: msg('Source-control posture'),
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
  (Object.hasOwn(TOOL_LABELS, tool) ? TOOL_LABELS[tool] : undefined) ?? ownToolName(tool);
