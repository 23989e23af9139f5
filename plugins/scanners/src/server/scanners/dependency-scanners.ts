import { LARGE, repositoryScanner, SMALL } from './define-scanner.ts';

/** `trivy.yaml` beside the files may name servers, rules and places of its own. Source: Trivy, "Config file". */
const TRIVY_SETTINGS = ['trivy.yaml', 'trivy.yml'];
const TRIVY_ENVIRONMENT = { TRIVY_OFFLINE_SCAN: 'true', TRIVY_SKIP_VERSION_CHECK: 'true' };

/** Of its database. Source: Trivy, "Advanced Network Scenarios" (0.57) and the mirror that newer ones ask first. */
const TRIVY_HOSTS = ['ghcr.io', 'pkg-containers.githubusercontent.com', 'mirror.gcr.io'];

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
    hosts: kind === 'vuln' ? TRIVY_HOSTS : [],
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
  hosts: ['grype.anchore.io', 'toolbox-data.anchore.io'],
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
  hosts: ['api.osv.dev', 'api.deps.dev'],
  limits: LARGE,
});

/**
 * It lets npm read the lock file at the root (`npm ls --package-lock-only`): nothing is installed, run or asked for. `.npmrc` beside it may name a
 * folder for npm to write to. With errors of npm, which old lock files have, the inventory is what the lock file says. Source:
 * `cyclonedx-npm --help` and `dist/npmRunner.js`, version 6; what it does with hostile files: docs/decisions/2026-11-23-inventories-by-cyclonedx-npm.md.
 */
export const cyclonedxNpm = repositoryScanner({
  programs: ['cyclonedx-npm'],
  version: ['--version'],
  report: 'npm.cdx.json',
  needs: [['package.json'], ['package-lock.json', 'npm-shrinkwrap.json']],
  args: ({ report }) => [
    ...['--package-lock-only', '--ignore-npm-errors', '--no-validate', '--output-reproducible'],
    ...['--spec-version', '1.6', '--output-format', 'JSON', '--output-file', report],
  ],
  env: ({ cache }) => ({
    npm_config_cache: cache,
    npm_config_ignore_scripts: 'true',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }),
  hides: ['.npmrc'],
  limits: SMALL,
});
