import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { yarnAudit } from '../yarn-audit/parser.ts';
import { npmAudit, pnpmAudit } from './parser.ts';

const advisory = {
  findings: [{ version: '1.2.0', paths: ['mkdirp>minimist', 'minimist'], dev: true }],
  id: 1179,
  title: 'Prototype Pollution',
  module_name: 'minimist',
  cves: ['CVE-2020-7598'],
  vulnerable_versions: '<0.2.1 || >=1.0.0 <1.2.3',
  patched_versions: '>=0.2.1 <1.0.0 || >=1.2.3',
  overview: 'Arguments are not sanitised.',
  recommendation: 'Upgrade to 0.2.1, 1.2.3 or later.',
  references: '- [commit](https://example.com/c/1)',
  severity: 'low',
  cwe: 'CWE-471',
  cvss: { score: 5.6, vectorString: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L' },
  url: 'https://npmjs.com/advisories/1179',
};
const old = (...advisories: object[]) =>
  JSON.stringify({
    actions: [{ resolves: [] }],
    advisories: Object.fromEntries(advisories.entries()),
    metadata: { vulnerabilities: {} },
    runId: 'x',
  });
const via = {
  source: 1,
  name: 'minimist',
  title: 'Prototype Pollution',
  url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
  severity: 'critical',
  cwe: ['CWE-1321'],
  cvss: { score: 9.8, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  range: '<0.2.4',
};
const entry = (name: string, change: object) => ({
  [name]: { name, severity: 'low', via: [], effects: [], range: '*', nodes: [`node_modules/${name}`], ...change },
});
const modern = (...entries: object[]) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.assign({}, ...entries),
    metadata: { vulnerabilities: {} },
  });

describe('npm audit', () => {
  test('an advisory of npm 6 by installed version', async () => {
    const findings = [...advisory.findings, { version: '0.0.8', paths: ['optimist>minimist'] }];
    const read = await parseText(npmAudit, old({ ...advisory, findings }));
    expect(read.findings.map(({ component }) => component?.version)).toEqual(['1.2.0', '0.0.8']);
    expect(read.findings[0]).toEqual({
      kind: 'finding',
      ruleId: 'NPM-1179',
      title: 'Prototype Pollution',
      type: 'SCA',
      severity: 'low',
      nativeSeverity: 'low',
      severityNumerical: 39,
      description: 'Arguments are not sanitised.\n\nRequired by:\n- mkdirp>minimist',
      mitigation: 'Upgrade to 0.2.1, 1.2.3 or later.',
      cwe: [471],
      cve: 'CVE-2020-7598',
      aliases: ['NPM-1179', 'CVE-2020-7598'],
      cvssScore: 5.6,
      cvssVector: advisory.cvss.vectorString,
      references: ['https://npmjs.com/advisories/1179', 'https://example.com/c/1'],
      component: {
        name: 'minimist',
        version: '1.2.0',
        purl: 'pkg:npm/minimist@1.2.0',
        ecosystem: 'npm',
        fixedVersion: '0.2.1, 1.2.3',
      },
      tags: ['development'],
    });
  });

  test('an advisory of npm 7, with what needs the package and what to upgrade', async () => {
    const read = await parseText(
      npmAudit,
      modern(
        entry('mkdirp', { via: ['minimist'], isDirect: true }),
        entry('minimist', {
          via: [via],
          fixAvailable: { name: 'mkdirp', version: '1.0.4', isSemVerMajor: true },
        }),
        entry('@app/tool', { via: ['mkdirp'] }),
      ),
    );
    expect(read.findings).toHaveLength(1);
    expect(read.findings[0]).toMatchObject({
      ruleId: 'GHSA-xvch-5gv4-984h',
      severity: 'critical',
      cwe: [1321],
      cvssScore: 9.8,
      mitigation: 'Upgrade mkdirp to 1.0.4, a release that breaks compatibility.',
      component: { name: 'minimist', ecosystem: 'npm', fixedVersion: '0.2.4', purl: 'pkg:npm/minimist' },
    });
    expect(read.findings[0]?.description).toBe(
      'Vulnerable versions: <0.2.4\n\nRequired by:\n- mkdirp\n- @app/tool\n\nInstalled in node_modules/minimist',
    );
  });

  test('packages that no advisory leads to are results all the same, also in a circle', async () => {
    const read = await parseText(npmAudit, modern(entry('a', { via: ['b'] }), entry('b', { via: ['a'] })));
    expect(read.findings.map(({ ruleId }) => ruleId)).toEqual(['npm-vulnerable-a', 'npm-vulnerable-b']);
  });

  test('a chain of 20,000 packages comes to an end, and none is lost', async () => {
    const entries = Array.from({ length: 20_000 }, (_, n) => entry(`p${n}`, { via: n === 0 ? [via] : [`p${n - 1}`] }));
    expect((await parseText(npmAudit, modern(...entries))).findings.length).toBeGreaterThan(1);
  });

  test('a scoped name in its package URL', async () => {
    const read = await parseText(npmAudit, modern(entry('@scope/name', { via: [via] })));
    expect(read.findings[0]?.component?.purl).toBe('pkg:npm/%40scope/name');
  });

  test('what the registry refused closes nothing', async () => {
    const refused = await parseBytes(npmAudit, sampleBytes('npm-audit/refused_by_the_registry.json'));
    expect(refused.failures).toEqual([
      'The audit failed: 405 Method Not Allowed - POST https://registry.example.com/-/npm/v1/security/advisories/bulk.',
    ]);
    const error = { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.', detail: 'Try npm i' };
    const read = await parseText(npmAudit, JSON.stringify({ error }));
    expect(read.failures).toEqual(['The audit failed: This command requires an existing lockfile.']);
    const pnpm = { error: { code: 'ERR_PNPM_AUDIT_BAD_RESPONSE', message: 'The audit endpoint responded with 500' } };
    expect((await parseText(pnpmAudit, JSON.stringify(pnpm))).failures).toEqual([
      'The audit failed: The audit endpoint responded with 500.',
    ]);
    expect(pnpmAudit.recognise(Buffer.from(JSON.stringify(pnpm)))).toBeGreaterThan(0.9);
  });

  test('a summary that counts what the list does not hold', async () => {
    const report = { auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { high: 2, total: 2 } } };
    expect((await parseText(npmAudit, JSON.stringify(report))).failures).toHaveLength(1);
    const none = { auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { high: 0, total: 0 } } };
    expect(await parseText(npmAudit, JSON.stringify(none))).toMatchObject({ failures: [], findings: [] });
  });

  test('a package without its list is listed, the rest read', async () => {
    const read = await parseText(npmAudit, modern(entry('a', { via: [via] }), entry('b', { via: 'no list' })));
    expect(read.findings).toHaveLength(1);
    expect(read.unreadable).toEqual([{ kind: 'unreadable', where: 'vulnerabilities.b', why: 'via must be array' }]);
  });
});

describe('yarn audit', () => {
  const line = (resolved: string) =>
    JSON.stringify({ type: 'auditAdvisory', data: { resolution: { id: 1179, path: resolved }, advisory } });
  const summary = JSON.stringify({ type: 'auditSummary', data: { vulnerabilities: {} } });

  test('an advisory that stands once for each way to its package is one result', async () => {
    const read = await parseText(yarnAudit, [line('minimist'), line('mkdirp>minimist'), summary].join('\n'));
    expect(read.findings).toHaveLength(1);
    expect(read.failures).toEqual([]);
  });

  test('lines that are cut off, an error and a missing lock file close nothing', async () => {
    expect((await parseText(yarnAudit, `${line('minimist')}\n`)).failures).toEqual([
      'The report has no summary: it is cut off.',
    ]);
    const error = JSON.stringify({ type: 'error', data: 'Received malformed response from registry.' });
    expect((await parseText(yarnAudit, `${error}\n${summary}`)).failures).toEqual([
      'Received malformed response from registry.',
    ]);
    expect((await parseBytes(yarnAudit, sampleBytes('yarn-audit/zero_vul.json'))).failures).toEqual([
      'No lockfile found.',
    ]);
  });

  test('lines of Yarn 4, by version', async () => {
    const children = { ID: 1, Issue: 'Pollution', Severity: 'high', 'Vulnerable Versions': '<1.2.3' };
    const lines = JSON.stringify({ value: 'minimist', children: { ...children, 'Tree Versions': ['0.0.8', '1.2.0'] } });
    const { findings } = await parseText(yarnAudit, lines);
    expect(findings.map(({ component }) => component?.purl)).toEqual([
      'pkg:npm/minimist@0.0.8',
      'pkg:npm/minimist@1.2.0',
    ]);
    expect(findings[0]).toMatchObject({ ruleId: 'NPM-1', severity: 'high', component: { fixedVersion: '1.2.3' } });
  });
});
