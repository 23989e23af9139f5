import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { osvScanner } from './parser.ts';

const vulnerability = {
  id: 'GHSA-xvch-5gv4-984h',
  aliases: ['CVE-2021-44906'],
  summary: 'Prototype Pollution in minimist',
  details: 'Long story.',
  published: '2022-03-18T00:01:09Z',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  database_specific: { severity: 'CRITICAL', cwe_ids: ['CWE-1321'] },
  affected: [
    { package: { name: 'other', ecosystem: 'npm' }, ranges: [{ type: 'SEMVER', events: [{ fixed: '9.9.9' }] }] },
    {
      package: { name: 'minimist', ecosystem: 'npm' },
      ranges: [
        { type: 'SEMVER', events: [{ introduced: '1.0.0' }, { fixed: '1.2.6' }] },
        { type: 'GIT', events: [{ fixed: 'abcdef' }] },
      ],
    },
  ],
  references: [{ type: 'WEB', url: 'https://example.com/a' }],
};
const report = (change: object = {}, path = '/builds/shop/package-lock.json') => ({
  results: [
    {
      source: { path, type: 'lockfile' },
      packages: [
        {
          package: { name: 'minimist', version: '1.2.0', ecosystem: 'npm' },
          vulnerabilities: [vulnerability],
          groups: [{ ids: [vulnerability.id], aliases: ['CVE-2021-44906'], max_severity: '9.8', ...change }],
        },
      ],
    },
  ],
});
const read = (value: object) => parseText(osvScanner, JSON.stringify(value));

describe('OSV-Scanner', () => {
  test('a vulnerability, with the fix of its own package and its lock file', async () => {
    expect((await read(report())).findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'GHSA-xvch-5gv4-984h',
        title: 'Prototype Pollution in minimist',
        type: 'SCA',
        severity: 'critical',
        nativeSeverity: 'CRITICAL',
        severityNumerical: 98,
        description: 'Prototype Pollution in minimist\n\nLong story.',
        mitigation: 'Upgrade minimist to 1.2.6 or later.',
        cwe: [1321],
        cve: 'CVE-2021-44906',
        aliases: ['GHSA-xvch-5gv4-984h', 'CVE-2021-44906'],
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        references: ['https://example.com/a'],
        component: {
          ...{ name: 'minimist', version: '1.2.0', purl: 'pkg:npm/minimist@1.2.0' },
          ...{ ecosystem: 'npm', fixedVersion: '1.2.6' },
        },
        locations: [{ path: 'package-lock.json' }],
        published: '2022-03-18T00:01:09.000Z',
      },
    ]);
  });

  test('another checkout folder changes nothing', async () => {
    expect((await read(report({}, '/srv/x/package-lock.json'))).findings).toEqual((await read(report())).findings);
  });

  test('what is not called is suppressed', async () => {
    const experimentalAnalysis = { [vulnerability.id]: { called: false } };
    expect((await read(report({ experimentalAnalysis }))).findings[0]?.suppressed?.verdict).toBe('false_positive');
  });

  test('nothing found, also as null', async () => {
    const config = { licenses: { summary: false } };
    for (const results of [[], null]) {
      const none = { results, experimental_config: config };
      expect(await read(none)).toMatchObject({ findings: [], failures: [] });
      expect(osvScanner.recognise(Buffer.from(JSON.stringify(none)))).toBeGreaterThan(0.8);
    }
  });

  test('malicious code has its weakness', async () => {
    const { findings } = await parseBytes(osvScanner, sampleBytes('osv-scanner/some_findings.json'));
    expect(findings[0]).toMatchObject({ ruleId: 'MAL-2023-1035', cwe: [506], locations: [{ path: 'yarn.lock' }] });
  });
});
