import type { Importer, ReportParser } from '@breakwater/sdk';

interface ReportFormat extends Importer {
  /** Loads the code of its parser; what only reads the manifest does not need it. */
  load(): Promise<ReportParser>;
}

/**
 * Report formats that are read, each with its parser: the only list of them. A catalogue entry whose importer is not here says that it
 * comes later, see `catalogue/report-entry.ts`.
 */
const FORMATS: readonly ReportFormat[] = [
  {
    tool: 'opengrep',
    title: 'OpenGrep',
    load: async () => (await import('./server/tools/opengrep/parser.ts')).opengrep,
  },
  { tool: 'grype', title: 'Grype', load: async () => (await import('./server/tools/grype/parser.ts')).grype },
  { tool: 'trivy', title: 'Trivy', load: async () => (await import('./server/tools/trivy/parser.ts')).trivy },
  {
    tool: 'owasp-dependency-check',
    title: 'OWASP Dependency-Check',
    load: async () => (await import('./server/tools/owasp-dependency-check/parser.ts')).dependencyCheck,
  },
  {
    tool: 'gitleaks',
    title: 'Gitleaks',
    load: async () => (await import('./server/tools/gitleaks/parser.ts')).gitleaks,
  },
  { tool: 'sarif', title: 'SARIF', load: async () => (await import('./server/tools/sarif/parser.ts')).sarif },
  {
    tool: 'cyclonedx',
    title: 'CycloneDX',
    load: async () => (await import('./server/tools/cyclonedx/parser.ts')).cyclonedx,
  },
  { tool: 'syft', title: 'Syft', load: async () => (await import('./server/tools/syft/parser.ts')).syft },
  { tool: 'spdx', title: 'SPDX', load: async () => (await import('./server/tools/spdx/parser.ts')).spdx },
  { tool: 'gitlab', title: 'GitLab', load: async () => (await import('./server/tools/gitlab/parser.ts')).gitlab },
  { tool: 'github', title: 'GitHub', load: async () => (await import('./server/tools/github/parser.ts')).github },
  {
    tool: 'dependabot',
    title: 'Dependabot',
    load: async () => (await import('./server/tools/dependabot/parser.ts')).dependabot,
  },
  { tool: 'checkov', title: 'Checkov', load: async () => (await import('./server/tools/checkov/parser.ts')).checkov },
  { tool: 'kics', title: 'KICS', load: async () => (await import('./server/tools/kics/parser.ts')).kics },
  { tool: 'bandit', title: 'Bandit', load: async () => (await import('./server/tools/bandit/parser.ts')).bandit },
  { tool: 'nuclei', title: 'Nuclei', load: async () => (await import('./server/tools/nuclei/parser.ts')).nuclei },
  {
    tool: 'checkmarx',
    title: 'Checkmarx',
    load: async () => (await import('./server/tools/checkmarx/parser.ts')).checkmarx,
  },
  { tool: 'prowler', title: 'Prowler', load: async () => (await import('./server/tools/prowler/parser.ts')).prowler },
  {
    tool: 'trufflehog',
    title: 'TruffleHog',
    load: async () => (await import('./server/tools/trufflehog/parser.ts')).trufflehog,
  },
  { tool: 'fortify', title: 'Fortify', load: async () => (await import('./server/tools/fortify/parser.ts')).fortify },
  {
    tool: 'hadolint',
    title: 'Hadolint',
    load: async () => (await import('./server/tools/hadolint/parser.ts')).hadolint,
  },
  { tool: 'tflint', title: 'TFLint', load: async () => (await import('./server/tools/tflint/parser.ts')).tflint },
  {
    tool: 'terrascan',
    title: 'Terrascan',
    load: async () => (await import('./server/tools/terrascan/parser.ts')).terrascan,
  },
  { tool: 'devskim', title: 'DevSkim', load: async () => (await import('./server/tools/devskim/parser.ts')).devskim },
  {
    tool: 'cloudsploit',
    title: 'CloudSploit',
    load: async () => (await import('./server/tools/cloudsploit/parser.ts')).cloudsploit,
  },
  { tool: 'clamav', title: 'ClamAV', load: async () => (await import('./server/tools/clamav/parser.ts')).clamav },
  {
    tool: 'chainbench',
    title: 'Chain-bench',
    load: async () => (await import('./server/tools/chainbench/parser.ts')).chainbench,
  },
  {
    tool: 'black_duck',
    title: 'Black Duck',
    load: async () => (await import('./server/tools/black_duck/parser.ts')).blackDuck,
  },
  {
    tool: 'dustilock',
    title: 'DustiLock',
    load: async () => (await import('./server/tools/dustilock/parser.ts')).dustilock,
  },
];

/** What the manifest says of them. */
export const importers: readonly Importer[] = FORMATS.map(({ tool, title }) => ({ tool, title }));

/** The parsers of all formats, in the order of the list. */
export const loadParsers = (): Promise<ReportParser[]> => Promise.all(FORMATS.map((format) => format.load()));
