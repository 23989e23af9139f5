import { LARGE, repositoryScanner, SMALL } from './define-scanner.ts';

/** Source: bandit 1.6 and later, `bandit --help`. It exits with 1 where it found something. Settings of the repository may name other files. */
export const bandit = repositoryScanner({
  program: 'bandit',
  version: ['--version'],
  report: 'bandit.json',
  args: ({ report }) => ['--recursive', '--format', 'json', '--output', report, '--ini', '/dev/null', '.'],
  okExitCodes: [1],
  limits: SMALL,
});

/** Source: clamscan(1), ClamAV 0.103 and later. It exits with 1 where it found something, with 2 where it could not work. */
export const clamav = repositoryScanner({
  program: 'clamscan',
  version: ['--version'],
  versionPattern: /ClamAV (\d+\.\d+\.\d+)/,
  report: 'clamscan.txt',
  prints: true,
  args: () => ['--recursive', '--infected', '--follow-dir-symlinks=0', '--follow-file-symlinks=0', '--stdout', '.'],
  okExitCodes: [1],
  limits: LARGE,
});
