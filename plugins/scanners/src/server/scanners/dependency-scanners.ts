import { LARGE, repositoryScanner } from './define-scanner.ts';

/** `trivy.yaml` beside the files may name servers, rules and places of its own. Source: Trivy, "Config file". */
const TRIVY_SETTINGS = ['trivy.yaml', 'trivy.yml'];
const TRIVY_ENVIRONMENT = { TRIVY_OFFLINE_SCAN: 'true', TRIVY_SKIP_VERSION_CHECK: 'true' };

/** One family of Trivy's results. Source: `trivy filesystem --help`, 0.37 and later. */
const trivy = (kind: 'vuln' | 'secret' | 'license') =>
  repositoryScanner({
    programs: ['trivy'],
    version: ['--version'],
    report: 'trivy.json',
    args: ({ report, cache }) => {
      const output = ['--format', 'json', '--output', report, '--cache-dir', cache];
      return ['filesystem', '--scanners', kind, ...output, '--quiet', '--no-progress', '.'];
    },
    env: () => TRIVY_ENVIRONMENT,
    hides: TRIVY_SETTINGS,
    limits: LARGE,
  });

export const trivyDependencies = trivy('vuln');
export const trivySecrets = trivy('secret');
export const trivyLicenses = trivy('license');

/** Source: `grype --help`, 0.50 and later; its settings: "Configuration". */
export const grype = repositoryScanner({
  programs: ['grype'],
  version: ['version'],
  versionPattern: /Version:\s+([\w.+-]{1,60})/,
  report: 'grype.json',
  args: ({ report }) => ['dir:.', '--output', 'json', '--file', report, '--quiet'],
  env: ({ cache }) => ({ GRYPE_DB_CACHE_DIR: cache, GRYPE_CHECK_FOR_APP_UPDATE: 'false' }),
  hides: ['.grype.yaml', '.grype.yml', '.grype'],
  limits: LARGE,
});

/** Source: `syft --help`, 0.80 and later. */
export const syft = repositoryScanner({
  programs: ['syft'],
  version: ['version'],
  versionPattern: /Version:\s+([\w.+-]{1,60})/,
  report: 'syft.json',
  args: ({ report }) => ['dir:.', '--output', `syft-json=${report}`, '--quiet'],
  env: () => ({ SYFT_CHECK_FOR_APP_UPDATE: 'false' }),
  hides: ['.syft.yaml', '.syft.yml', '.syft'],
  limits: LARGE,
});

/** Source: `osv-scanner scan --help`, 1.7 and later; 1: found something, 128: no lock file or inventory. */
export const osvScanner = repositoryScanner({
  programs: ['osv-scanner'],
  version: ['--version'],
  versionPattern: /version:\s+([\w.+-]{1,60})/,
  report: 'osv-scanner.json',
  args: ({ report }) => ['scan', '--recursive', '--format', 'json', '--output', report, '.'],
  okExitCodes: [1],
  nothingExitCodes: [128],
  limits: LARGE,
});
