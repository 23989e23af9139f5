import type { FindingType } from '@breakwater/sdk';
import { textsUnder } from '../../lib/json/sketch.ts';

/** A tool that writes SARIF beside its own format, or nothing else. */
export interface SarifWriter {
  /** Its name for people. */
  name: string;
  /** Its name as the driver of a run. */
  driver: RegExp;
  /** Type of all its results, where there is but one. */
  type?: FindingType;
  /** Families that its catalogue entries choose among for checks of configuration. */
  families?: readonly FindingType[];
  /** Driver of runs that report what went wrong with the scan. */
  scanErrors?: RegExp;
  /** What its results carry, for writers that put the tool last, behind more than the head. */
  mark?: string;
  /** In its own format files are named from the folder of the checkout; so they are in its SARIF. */
  isBelowCheckout?: true;
}

/** The tools of this plugin that write SARIF. A report of one of them is that tool's, whatever its format. */
export const SARIF_WRITERS = {
  opengrep: { name: 'OpenGrep or Semgrep', driver: /opengrep|semgrep/i, mark: '"matchBasedId/v1"' },
  grype: { name: 'Grype', driver: /^grype/i },
  trivy: { name: 'Trivy', driver: /^trivy/i },
  dependencyCheck: { name: 'OWASP Dependency-Check', driver: /dependency-?check/i },
  gitleaks: { name: 'Gitleaks', driver: /^gitleaks/i, type: 'Secrets' },
  checkov: {
    name: 'Checkov',
    driver: /^(?:checkov|bridgecrew|prisma)/i,
    families: ['CI/CD', 'Container', 'IaC', 'SAST', 'Configuration'],
  },
  kics: {
    name: 'KICS',
    driver: /^kics|keeping infrastructure as code secure/i,
    families: ['CI/CD', 'Container', 'IaC', 'Configuration'],
  },
  bandit: { name: 'Bandit', driver: /^bandit/i, type: 'SAST' },
  mobsf: { name: 'MobSF', driver: /^mobsf/i, type: 'SAST' },
  nuclei: { name: 'Nuclei', driver: /^nuclei/i, type: 'DAST' },
  hadolint: { name: 'Hadolint', driver: /^hadolint/i, type: 'IaC' },
  tflint: { name: 'TFLint', driver: /^tflint/i, type: 'IaC', scanErrors: /^tflint-errors/i },
  terrascan: { name: 'Terrascan', driver: /^terrascan/i, type: 'IaC' },
  devskim: { name: 'DevSkim', driver: /^devskim/i, type: 'SAST' },
  eslint: { name: 'ESLint', driver: /^eslint/i, type: 'SAST', isBelowCheckout: true },
  osvScanner: { name: 'OSV-Scanner', driver: /^osv-?scanner/i, type: 'SCA', isBelowCheckout: true },
  govulncheck: { name: 'govulncheck', driver: /^govulncheck/i, type: 'SCA', isBelowCheckout: true },
  cppcheck: { name: 'Cppcheck', driver: /^cppcheck/i, type: 'SAST', isBelowCheckout: true },
  flawfinder: {
    name: 'Flawfinder',
    driver: /^flawfinder/i,
    type: 'SAST',
    mark: '"contextHash/v1"',
    isBelowCheckout: true,
  },
  brakeman: { name: 'Brakeman', driver: /^brakeman/i, type: 'SAST' },
  spotbugs: { name: 'SpotBugs', driver: /^spotbugs/i, type: 'SAST' },
  pmd: { name: 'PMD', driver: /^pmd$/i, type: 'SAST', isBelowCheckout: true },
  checkmarx: { name: 'Checkmarx', driver: /^(?:checkmarx|cxflow|cxsast)/i },
  blackDuck: { name: 'Black Duck', driver: /^(?:synopsys )?black ?duck/i, type: 'SCA' },
} as const satisfies Record<string, SarifWriter>;

const IDS: Readonly<Record<string, string>> = { dependencyCheck: 'owasp-dependency-check', blackDuck: 'black_duck' };

/** What a tool is called where its results came as SARIF: a tool of ours as everywhere else, any other as its driver says. */
export function toolOf(driver: string): string | undefined {
  const writers: [string, SarifWriter][] = Object.entries(SARIF_WRITERS);
  const [key] = writers.find(([, writer]) => writer.driver.test(driver)) ?? [];
  const name = driver.slice(0, 100).trim();
  return key === undefined ? name || undefined : (IDS[key] ?? key);
}

/** The tool of ours that wrote this SARIF; undefined for any other, and where tools are mixed. */
export function writerOf(head: Uint8Array): SarifWriter | undefined {
  const drivers = textsUnder(head, 'driver', 'name');
  const writers: SarifWriter[] = Object.values(SARIF_WRITERS);
  if (drivers.length > 0) return writers.find(({ driver }) => drivers.every((name) => driver.test(name)));
  return writers.find(({ mark }) => mark !== undefined && Buffer.from(head).includes(mark));
}
