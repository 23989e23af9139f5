import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { grype } from './parser.ts';

const match = {
  vulnerability: { id: 'GHSA-aaaa-bbbb-cccc', severity: 'High', fix: { versions: ['2.0', '1.9.1'], state: 'fixed' } },
  artifact: {
    name: 'left-pad',
    version: '1.0',
    type: 'npm',
    purl: 'pkg:npm/left-pad@1.0',
    locations: [{ path: '/a' }, { path: '/b' }],
  },
};
function report(matches: object[], rest: object = {}): string {
  return JSON.stringify({ matches, ...rest });
}
async function only(change: object, rest: object = {}, family?: string) {
  const { findings } = await parseText(grype, report([{ ...match, ...change }], rest), family);
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('grype', () => {
  test('package, fix and all places of a match', async () => {
    expect(await only({})).toMatchObject({
      ruleId: 'GHSA-aaaa-bbbb-cccc',
      title: 'GHSA-aaaa-bbbb-cccc in left-pad',
      severity: 'high',
      nativeSeverity: 'High',
      component: { name: 'left-pad', version: '1.0', ecosystem: 'npm', fixedVersion: '2.0, 1.9.1' },
      locations: [{ path: '/a' }, { path: '/b' }],
      mitigation: 'Upgrade left-pad to 2.0, 1.9.1.',
    });
  });

  test('what other databases say fills what the advisory leaves open', async () => {
    const related = [
      {
        id: 'CVE-2024-12345',
        description: 'A pad can overflow the buffer of its caller. Then bad things happen.',
        cvss: [
          { version: '2.0', vector: 'AV:N', metrics: { baseScore: 5 } },
          { version: '3.1', vector: 'CVSS:3.1/AV:N', metrics: { baseScore: 7.5 } },
        ],
        cwes: [{ cwe: 'CWE-120' }],
        dataSource: 'https://nvd.nist.gov/vuln/detail/CVE-2024-12345',
      },
    ];
    expect(await only({ relatedVulnerabilities: related })).toMatchObject({
      title: 'GHSA-aaaa-bbbb-cccc: A pad can overflow the buffer of its caller',
      cve: 'CVE-2024-12345',
      aliases: ['GHSA-aaaa-bbbb-cccc', 'CVE-2024-12345'],
      cvssScore: 7.5,
      cvssVector: 'CVSS:3.1/AV:N',
      severityNumerical: 75,
      cwe: [120],
      references: ['https://nvd.nist.gov/vuln/detail/CVE-2024-12345'],
    });
  });

  test.each([
    ['a list', [{ cve: 'CVE-1', epss: 0.12, percentile: 0.5, date: '2025-07-20' }]],
    ['an object', { epss: 0.12, percentile: 0.5, date: '2025-07-20' }],
    ['text', [{ epss: '0.12', percentile: '0.5', date: '2025-07-20T00:00:00Z' }]],
  ])('EPSS as %s', async (_name, epss) => {
    const finding = await only({ vulnerability: { ...match.vulnerability, epss } });
    expect(finding?.epss).toEqual({ probability: 0.12, percentile: 0.5, date: '2025-07-20' });
  });

  test.each([
    ['EPSS above 1', [{ epss: 12, percentile: 50 }]],
    ['EPSS of nothing', []],
    ['EPSS null', null],
  ])('%s is not taken', async (_name, epss) => {
    expect((await only({ vulnerability: { ...match.vulnerability, epss } }))?.epss).toBeUndefined();
  });

  test('an image gives Container and its name without tag, a folder gives SCA and no target', async () => {
    const image = { source: { type: 'image', target: { userInput: 'registry:5000/team/app:1.2.3' } } };
    expect(await only({}, image)).toMatchObject({ type: 'Container', resource: 'registry:5000/team/app' });
    expect((await parseText(grype, report([], image))).info).toMatchObject([{ target: 'registry:5000/team/app' }]);
    const folder = { source: { type: 'directory', target: '/builds/1234/app' } };
    expect(await only({}, folder, 'Container')).toMatchObject({ type: 'SCA' });
    expect((await parseText(grype, report([], folder))).info[0]).not.toHaveProperty('target');
  });

  test('without a source the chosen catalogue entry decides', async () => {
    expect(await only({}, {}, 'Container')).toMatchObject({ type: 'Container' });
    expect(await only({})).toMatchObject({ type: 'SCA' });
  });

  test.each([
    ['Negligible', undefined, 'informational'],
    ['Unknown', undefined, 'informational'],
    ['Unknown', 9.8, 'critical'],
    ['Low', 9.8, 'low'],
  ])('severity %s with score %s is %s', async (severity, score, expected) => {
    const cvss =
      score === undefined ? [] : [{ version: '3.1', vector: 'CVSS:3.1/AV:N', metrics: { baseScore: score } }];
    const finding = await only({ vulnerability: { id: 'CVE-2024-1111', severity, cvss } });
    expect(finding).toMatchObject({ severity: expected, nativeSeverity: severity });
  });

  test('ignored matches come in as suppressed, with the rule', async () => {
    const ignoredMatches = [
      { ...match, appliedIgnoreRules: [{ vulnerability: 'GHSA-aaaa-bbbb-cccc', reason: 'not deployed' }] },
      {
        ...match,
        appliedIgnoreRules: [{ 'vex-status': 'not_affected', 'vex-justification': 'vulnerable_code_not_present' }],
      },
    ];
    const { findings } = await parseText(grype, report([match], { ignoredMatches }));
    expect(findings.map((finding) => finding.suppressed)).toEqual([
      undefined,
      { verdict: 'accepted_risk', reason: 'not deployed' },
      { verdict: 'false_positive', reason: 'vulnerable_code_not_present, not_affected' },
    ]);
  });

  test('one finding per match: 84 in the shop, never merged', async () => {
    const { findings } = await parseBytes(grype, sampleBytes('grype/ssf_juice_shop-grype-sca.json'));
    expect(findings).toHaveLength(84);
    expect(new Set(findings.map((finding) => finding.ruleId)).size).toBe(43);
  });
});
