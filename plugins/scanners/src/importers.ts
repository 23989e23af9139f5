import type { Importer, ReportParser } from '@breakwater/sdk';

interface ReportFormat extends Importer {
  /** Loads the code of its parser; what only reads the manifest does not need it. */
  load(): Promise<ReportParser>;
}

const format = (tool: string, title: string, load: ReportFormat['load']): ReportFormat => ({ tool, title, load });

/**
 * Report formats that are read, each with its parser: the only list of them. A catalogue entry whose importer is not here says that it
 * comes later, see `catalogue/report-entry.ts`.
 */
const FORMATS: readonly ReportFormat[] = [
  format('opengrep', 'OpenGrep', async () => (await import('./server/tools/opengrep/parser.ts')).opengrep),
  format('grype', 'Grype', async () => (await import('./server/tools/grype/parser.ts')).grype),
  format('trivy', 'Trivy', async () => (await import('./server/tools/trivy/parser.ts')).trivy),
  format(
    'owasp-dependency-check',
    'OWASP Dependency-Check',
    async () => (await import('./server/tools/owasp-dependency-check/parser.ts')).dependencyCheck,
  ),
  format('gitleaks', 'Gitleaks', async () => (await import('./server/tools/gitleaks/parser.ts')).gitleaks),
  format('sarif', 'SARIF', async () => (await import('./server/tools/sarif/parser.ts')).sarif),
  format('cyclonedx', 'CycloneDX', async () => (await import('./server/tools/cyclonedx/parser.ts')).cyclonedx),
  format('syft', 'Syft', async () => (await import('./server/tools/syft/parser.ts')).syft),
  format('spdx', 'SPDX', async () => (await import('./server/tools/spdx/parser.ts')).spdx),
  format('gitlab', 'GitLab', async () => (await import('./server/tools/gitlab/parser.ts')).gitlab),
  format('github', 'GitHub', async () => (await import('./server/tools/github/parser.ts')).github),
  format('dependabot', 'Dependabot', async () => (await import('./server/tools/dependabot/parser.ts')).dependabot),
  format('npm-audit', 'npm audit', async () => (await import('./server/tools/npm-audit/parser.ts')).npmAudit),
  format('pnpm-audit', 'pnpm audit', async () => (await import('./server/tools/npm-audit/parser.ts')).pnpmAudit),
  format('yarn-audit', 'yarn audit', async () => (await import('./server/tools/yarn-audit/parser.ts')).yarnAudit),
  format('eslint', 'ESLint', async () => (await import('./server/tools/eslint/parser.ts')).eslint),
  format('shellcheck', 'ShellCheck', async () => (await import('./server/tools/shellcheck/parser.ts')).shellcheck),
  format('osv-scanner', 'OSV-Scanner', async () => (await import('./server/tools/osv-scanner/parser.ts')).osvScanner),
  format('pip-audit', 'pip-audit', async () => (await import('./server/tools/pip-audit/parser.ts')).pipAudit),
  format('govulncheck', 'govulncheck', async () => (await import('./server/tools/govulncheck/parser.ts')).govulncheck),
  format('cargo-audit', 'cargo audit', async () => (await import('./server/tools/cargo-audit/parser.ts')).cargoAudit),
  format(
    'composer-audit',
    'composer audit',
    async () => (await import('./server/tools/composer-audit/parser.ts')).composerAudit,
  ),
  format(
    'bundler-audit',
    'bundler-audit',
    async () => (await import('./server/tools/bundler-audit/parser.ts')).bundlerAudit,
  ),
  format('checkstyle', 'Checkstyle', async () => (await import('./server/tools/checkstyle/parser.ts')).checkstyle),
  format('codeclimate', 'Code Climate', async () => (await import('./server/tools/codeclimate/parser.ts')).codeclimate),
  format('cppcheck', 'Cppcheck', async () => (await import('./server/tools/cppcheck/parser.ts')).cppcheck),
  format('flawfinder', 'Flawfinder', async () => (await import('./server/tools/flawfinder/parser.ts')).flawfinder),
  format('retirejs', 'Retire.js', async () => (await import('./server/tools/retirejs/parser.ts')).retirejs),
  format('brakeman', 'Brakeman', async () => (await import('./server/tools/brakeman/parser.ts')).brakeman),
  format('spotbugs', 'SpotBugs', async () => (await import('./server/tools/spotbugs/parser.ts')).spotbugs),
  format('checkov', 'Checkov', async () => (await import('./server/tools/checkov/parser.ts')).checkov),
  format('kics', 'KICS', async () => (await import('./server/tools/kics/parser.ts')).kics),
  format('bandit', 'Bandit', async () => (await import('./server/tools/bandit/parser.ts')).bandit),
  format('nuclei', 'Nuclei', async () => (await import('./server/tools/nuclei/parser.ts')).nuclei),
  format('checkmarx', 'Checkmarx', async () => (await import('./server/tools/checkmarx/parser.ts')).checkmarx),
  format('prowler', 'Prowler', async () => (await import('./server/tools/prowler/parser.ts')).prowler),
  format('trufflehog', 'TruffleHog', async () => (await import('./server/tools/trufflehog/parser.ts')).trufflehog),
  format('fortify', 'Fortify', async () => (await import('./server/tools/fortify/parser.ts')).fortify),
  format('hadolint', 'Hadolint', async () => (await import('./server/tools/hadolint/parser.ts')).hadolint),
  format('tflint', 'TFLint', async () => (await import('./server/tools/tflint/parser.ts')).tflint),
  format('terrascan', 'Terrascan', async () => (await import('./server/tools/terrascan/parser.ts')).terrascan),
  format('devskim', 'DevSkim', async () => (await import('./server/tools/devskim/parser.ts')).devskim),
  format('cloudsploit', 'CloudSploit', async () => (await import('./server/tools/cloudsploit/parser.ts')).cloudsploit),
  format('clamav', 'ClamAV', async () => (await import('./server/tools/clamav/parser.ts')).clamav),
  format('chainbench', 'Chain-bench', async () => (await import('./server/tools/chainbench/parser.ts')).chainbench),
  format('black_duck', 'Black Duck', async () => (await import('./server/tools/black_duck/parser.ts')).blackDuck),
  format('dustilock', 'DustiLock', async () => (await import('./server/tools/dustilock/parser.ts')).dustilock),
  format(
    'breakwater',
    'Breakwater (JSON, CSV)',
    async () => (await import('./server/tools/breakwater/parser.ts')).breakwater,
  ),
  format('zap', 'ZAP', async () => (await import('./server/tools/zap/parser.ts')).zap),
  format('snyk', 'Snyk', async () => (await import('./server/tools/snyk/parser.ts')).snyk),
  format('sonarqube', 'SonarQube', async () => (await import('./server/tools/sonarqube/parser.ts')).sonarqube),
  format('nessus', 'Nessus', async () => (await import('./server/tools/nessus/parser.ts')).nessus),
  format('veracode', 'Veracode', async () => (await import('./server/tools/veracode/parser.ts')).veracode),
  format('openvas', 'OpenVAS', async () => (await import('./server/tools/openvas/parser.ts')).openvas),
  format('burp', 'Burp Suite', async () => (await import('./server/tools/burp/parser.ts')).burp),
  format(
    'aws-security-hub',
    'AWS Security Hub',
    async () => (await import('./server/tools/securityhub/parser.ts')).securityHub,
  ),
  format('aqua', 'Aqua', async () => (await import('./server/tools/aqua/parser.ts')).aqua),
  format(
    'twistlock',
    'Prisma Cloud (Twistlock)',
    async () => (await import('./server/tools/twistlock/parser.ts')).twistlock,
  ),
  format(
    'dependency-track',
    'Dependency-Track',
    async () => (await import('./server/tools/dependency-track/parser.ts')).dependencyTrack,
  ),
  format('acunetix', 'Acunetix', async () => (await import('./server/tools/acunetix/parser.ts')).acunetix),
  format('jfrog-xray', 'JFrog Xray', async () => (await import('./server/tools/xray/parser.ts')).xray),
  format('tfsec', 'tfsec', async () => (await import('./server/tools/tfsec/parser.ts')).tfsec),
  format('mobsf', 'MobSF', async () => (await import('./server/tools/mobsf/parser.ts')).mobsf),
  format('kubescape', 'Kubescape', async () => (await import('./server/tools/kubescape/parser.ts')).kubescape),
  format('codechecker', 'CodeChecker', async () => (await import('./server/tools/codechecker/parser.ts')).codechecker),
  format('pmd', 'PMD', async () => (await import('./server/tools/pmd/parser.ts')).pmd),
  format('junit', 'JUnit', async () => (await import('./server/tools/junit/parser.ts')).junit),
  format('noseyparker', 'Nosey Parker', async () => (await import('./server/tools/noseyparker/parser.ts')).noseyparker),
];

/** What the manifest says of them. */
export const importers: readonly Importer[] = FORMATS.map(({ tool, title }) => ({ tool, title }));

/** The parsers of all formats, in the order of the list. Each refuses by its name what another one recognises. */
export async function loadParsers(): Promise<ReportParser[]> {
  const loaded = await Promise.all(FORMATS.map(async ({ title, load }) => ({ title, parser: await load() })));
  const { refusingOthers } = await import('./server/lib/formats/by-start.ts');
  return loaded.map(({ title, parser }) => refusingOthers(parser, title, loaded));
}
