import { LARGE, repositoryScanner, SMALL } from './define-scanner.ts';

/** Source: bandit 1.6 and later, `bandit --help`. It exits with 1 where it found something. Settings of the repository may name other files. */
export const bandit = repositoryScanner({
  programs: ['bandit'],
  version: ['--version'],
  report: 'bandit.json',
  args: ({ report }) => ['--recursive', '--format', 'json', '--output', report, '--ini', '/dev/null', '.'],
  okExitCodes: [1],
  limits: SMALL,
});

/**
 * Rules come from the registry at semgrep.dev, of Opengrep's too: it has none of its own. Source: `semgrep scan --help`, 1.0 and later; Opengrep 1.9 is a
 * fork of Semgrep 1.100 and takes the same (cli/src/semgrep/config_resolver.py, env.py).
 */
export const opengrep = repositoryScanner({
  programs: ['opengrep', 'semgrep'],
  version: ['--version'],
  report: 'opengrep.json',
  args: ({ report }) => [
    'scan',
    '--config',
    'p/default',
    '--json',
    '--output',
    report,
    '--quiet',
    '--no-git-ignore',
    '.',
  ],
  env: () => ({ SEMGREP_SEND_METRICS: 'off', SEMGREP_ENABLE_VERSION_CHECK: '0' }),
  hosts: ['semgrep.dev'],
  limits: LARGE,
});

/** Source: `gitleaks detect --help`, version 8. */
export const gitleaks = repositoryScanner({
  programs: ['gitleaks'],
  version: ['version'],
  report: 'gitleaks.json',
  args: ({ report }) => {
    const output = ['--report-format', 'json', '--report-path', report, '--exit-code', '0', '--no-banner'];
    return ['detect', '--no-git', '--source', '.', ...output];
  },
  limits: SMALL,
});

/** Without verification, which would send what it found to the services. Source: `trufflehog filesystem --help`, version 3. */
export const trufflehog = repositoryScanner({
  programs: ['trufflehog'],
  version: ['--version'],
  report: 'trufflehog.json',
  prints: true,
  args: () => ['filesystem', '.', '--json', '--no-update', '--no-verification'],
  limits: SMALL,
});

/** It follows no `source` and reads no settings beside the files. Source: shellcheck(1), 0.7 and later; 1: found something. */
export const shellcheck = repositoryScanner({
  programs: ['shellcheck'],
  version: ['--version'],
  report: 'shellcheck.json',
  prints: true,
  files: /\.(?:sh|bash|ksh|dash)$/i,
  args: () => ['--norc', '--format', 'json1', '--'],
  okExitCodes: [1],
  limits: SMALL,
});

/** Source: clamscan(1), ClamAV 0.103 and later. It exits with 1 where it found something, with 2 where it could not work. */
export const clamav = repositoryScanner({
  programs: ['clamscan'],
  version: ['--version'],
  versionPattern: /ClamAV (\d+\.\d+\.\d+)/,
  report: 'clamscan.txt',
  prints: true,
  args: () => ['--recursive', '--infected', '--follow-dir-symlinks=0', '--follow-file-symlinks=0', '--stdout', '.'],
  okExitCodes: [1],
  help: [
    {
      says: /No supported database files found|cl_load\(\): No such file/,
      text: 'It has no signatures: the operator of this server runs "freshclam", which fetches them, and keeps its service running.',
    },
  ],
  limits: LARGE,
});
