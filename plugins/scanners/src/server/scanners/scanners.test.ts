import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Scanner, ScanTarget } from '@breakwater/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { plugin } from '../../plugin.ts';
import { parsers } from '../index.ts';
import { server } from '../services/index.ts';

const SCANNERS = Object.entries(server.connectors).flatMap(([id, { scanner }]) => (scanner ? [{ id, scanner }] : []));
const REPORTS = path.join(import.meta.dirname, '../__fixtures__/reports');
const OPTIONS = { workFolder: '/work/reports/x', cacheFolder: '/data/x' };
const CLOUDS = ['aws', 'azure', 'gcp', 'oracle_oci'].map(
  (provider) => ({ kind: 'cloud', provider, account: '--help' }) as const,
);
const TARGET = {
  kind: 'repository',
  folder: '/work/clone',
  files: [
    ...['--help.sh', 'Dockerfile', 'docker/api.Dockerfile', 'docs/Dockerfile.md/x', 'run.sh'],
    ...['package.json', 'package-lock.json'],
  ],
} as const;

/** What programs print of themselves, as their releases do; the report is one that was recorded of such a program. */
const RECORDED: Record<string, { prints: Record<string, string>; version: string; report: string }> = {
  bandit: {
    prints: { bandit: 'bandit 1.7.5\n  python version = 3.11.2 (main)' },
    version: '1.7.5',
    report: 'bandit/one_vuln.json',
  },
  opengrep: {
    prints: { semgrep: '1.61.1\n' },
    version: '1.61.1',
    report: 'opengrep/close_old_findings_report_line31.json',
  },
  gitleaks: { prints: { gitleaks: '8.18.2\n' }, version: '8.18.2', report: 'gitleaks/redacted_data_many.json' },
  clamav: {
    prints: { clamscan: 'ClamAV 1.0.7/27320/Sun Jun 30 2024' },
    version: '1.0.7',
    report: 'clamav/clamav_one_vuln.txt',
  },
  'trivy-sca': {
    prints: { trivy: 'Version: 0.50.1\nVulnerability DB:\n  Version: 2\n' },
    version: '0.50.1',
    report: 'trivy/all_statuses.json',
  },
  grype: {
    prints: { grype: 'Application:         grype\nVersion:             0.74.7\nBuildDate: 2024' },
    version: '0.74.7',
    report: 'grype/am_grype-report.json',
  },
  syft: {
    prints: { syft: 'Application: syft\nVersion:    1.0.1\n' },
    version: '1.0.1',
    report: 'syft/full-document.syft.json',
  },
  'osv-scanner': {
    prints: { 'osv-scanner': 'osv-scanner version: 1.7.0\ncommit: abc' },
    version: '1.7.0',
    report: 'osv-scanner/some_findings.json',
  },
  'cyclonedx-npm': {
    prints: { 'cyclonedx-npm': '6.0.1\n' },
    version: '6.0.1',
    report: 'cyclonedx/npm_6.0.1.cdx.json',
  },
  'checkov-iac': { prints: { checkov: '3.2.39\n' }, version: '3.2.39', report: 'checkov/checkov2-report-0-vuln.json' },
  'kics-iac': {
    prints: { kics: 'Keeping Infrastructure as Code Secure v1.7.13' },
    version: '1.7.13',
    report: 'kics/many_findings.json',
  },
  hadolint: {
    prints: { hadolint: 'Haskell Dockerfile Linter 2.12.0' },
    version: '2.12.0',
    report: 'hadolint/am_hadolint.json',
  },
  prowler: {
    prints: { prowler: 'Prowler 5.10.0 (You are running the latest version, yay!)' },
    version: '5.10.0',
    report: 'prowler/prowler__example_output_aws.ocsf.json',
  },
  cloudsploit: {
    prints: { 'cloudsploit-scan': 'usage: index.js [-h] [--config CONFIG]' },
    version: 'unknown',
    report: 'cloudsploit/cloudsploit_many_vul.json',
  },
};

const targetOf = (scanner: Scanner): ScanTarget => {
  const [cloud] = CLOUDS;
  return scanner.targets[0] === 'cloud' && cloud !== undefined ? cloud : TARGET;
};

const read = async (file: string): Promise<Uint8Array> => {
  const packed = createReadStream(path.join(REPORTS, file));
  const stream = file.endsWith('.gz') ? packed.pipe(createGunzip()) : packed;
  return Buffer.concat(await Readable.from(stream).toArray());
};

test.each(Object.entries(RECORDED))(
  '%s: its version is found, and what it writes is read by its importer',
  async (id, recorded) => {
    const scanner = SCANNERS.find((one) => one.id === id)?.scanner;
    const run = async (program: string): Promise<string | null> => recorded.prints[program] ?? null;
    expect(await scanner?.detect({ run })).toEqual({ version: recorded.version });
    const importer = plugin.connectors.find((connector) => connector.id === id)?.parser?.tool;
    const parser = parsers.find(({ tool }) => tool === importer);
    const report = await read(recorded.report);
    expect(parser?.recognise(report.subarray(0, 65_536), recorded.report)).toBeGreaterThanOrEqual(0.5);
    const command = scanner?.command(targetOf(scanner), OPTIONS);
    // the importer reads the format by the ending of its name, too
    expect(path.extname(command?.reportPath ?? '')).toBe(path.extname(recorded.report));
  },
);

test.each(SCANNERS)(
  '$id: its command names its report below the work folder, and nothing of the repository is an option',
  ({ scanner }) => {
    const command = scanner.command(targetOf(scanner), OPTIONS);
    if (command === null) throw new Error('there is something for every scanner in this repository');
    expect(path.dirname(command.reportPath)).toBe(OPTIONS.workFolder);
    expect(command.printsReport === true || command.args.some((arg) => arg.includes(OPTIONS.workFolder))).toBe(true);
    expect(command.args).not.toContain('--help.sh');
    expect(['sh', 'bash', 'env', 'npx', 'npm']).not.toContain(command.file);
    expect(command.limits.timeoutMs).toBeLessThanOrEqual(3_600_000);
    expect((command.hides ?? []).filter((name) => name.includes('/') || name === '..')).toEqual([]);
  },
);

test('a scanner of clouds knows every cloud that can be connected, and is given nothing that it takes for an option', () => {
  for (const { id, scanner } of SCANNERS.filter((one) => one.scanner.targets.includes('cloud'))) {
    for (const target of CLOUDS) {
      const command = scanner.command(target, OPTIONS);
      expect([id, target.provider, command?.args.includes('--help')]).toEqual([id, target.provider, false]);
    }
    expect(scanner.command({ kind: 'cloud', provider: 'unknown', account: 'x' }, OPTIONS)).toBeNull();
  }
});

test.each(CLOUDS)(
  'the settings of CloudSploit for $provider hold no secret and read all of them',
  async ({ provider }) => {
    const scanner = SCANNERS.find((one) => one.id === 'cloudsploit')?.scanner;
    const command = scanner?.command({ kind: 'cloud', provider, account: 'x' }, OPTIONS);
    const [[name, text] = ['', '']] = Object.entries(command?.files ?? {});
    expect(command?.args).toContain(path.join(OPTIONS.workFolder, name));
    const folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-cloudsploit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [settings, key] = [path.join(folder, name), path.join(folder, 'key')];
    writeFileSync(settings, text);
    writeFileSync(key, 'the-key');
    const names = [...text.matchAll(/env\.([A-Z_]+)/g)].map(([, variable = '']) => variable);
    const env = Object.fromEntries(
      names.map((variable) => [variable, variable.endsWith('_FILE') ? key : `of-${variable}`]),
    );
    // run as CloudSploit runs it
    const print = `console.log(JSON.stringify(require(${JSON.stringify(settings)})))`;
    const { credentials } = JSON.parse(execFileSync(process.execPath, ['-e', print], { env, encoding: 'utf8' }));
    const clouds = Object.entries<object>(credentials).filter(([, fields]) => Object.keys(fields).length > 0);
    expect(clouds).toHaveLength(1);
    const values = Object.values(clouds[0]?.[1] ?? {});
    expect(values.every((value) => /^(?:of-|the-key)|key$/.test(value))).toBe(true);
    expect(values).toHaveLength(names.length);
  },
);

test('a scanner of files is given those of its kind, and does not run where there are none', () => {
  const hadolint = SCANNERS.find((one) => one.id === 'hadolint')?.scanner;
  expect(hadolint?.command(TARGET, OPTIONS)?.args.slice(-3)).toEqual(['--', './Dockerfile', './docker/api.Dockerfile']);
  expect(hadolint?.command({ ...TARGET, files: ['README.md'] }, OPTIONS)).toBeNull();
});

test('npm is only asked where a lock file of npm lies at the root', () => {
  const scanner = SCANNERS.find((one) => one.id === 'cyclonedx-npm')?.scanner;
  const commandFor = (...files: string[]) => scanner?.command({ ...TARGET, files }, OPTIONS);
  expect(commandFor('package.json', 'npm-shrinkwrap.json')?.hides).toEqual(['.npmrc']);
  for (const files of [['package.json'], ['package-lock.json'], ['web/package.json', 'web/package-lock.json']]) {
    expect(commandFor(...files)).toBeNull();
  }
});

test('every scanner belongs to an entry whose reports can be imported, and says how to get it', () => {
  for (const { id } of SCANNERS) {
    const entry = plugin.connectors.find((connector) => connector.id === id);
    expect([id, entry?.parser !== undefined, entry?.disabled, entry?.documentation !== undefined]).toEqual([
      id,
      true,
      undefined,
      true,
    ]);
  }
});

test('without its program a scanner is not installed', async () => {
  for (const { scanner } of SCANNERS) expect(await scanner.detect({ run: async () => null })).toBeNull();
});
