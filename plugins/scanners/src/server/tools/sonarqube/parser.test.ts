import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { sonarqube } from './parser.ts';

const issue = {
  key: 'AX1',
  rule: 'java:S2076',
  severity: 'BLOCKER',
  component: 'com.example:shop:src/main/A.java',
  project: 'com.example:shop',
  status: 'OPEN',
  message: 'Do not build this command from user input.',
  type: 'VULNERABILITY',
  tags: ['cwe', 'cwe-78'],
  textRange: { startLine: 4, endLine: 4, startOffset: 0, endOffset: 9 },
  flows: [
    { locations: [{ component: 'com.example:shop:src/main/B.java', textRange: { startLine: 2 }, msg: 'source' }] },
  ],
  creationDate: '2024-05-01T10:00:00+0000',
};
const page = (issues: object[], total = issues.length) =>
  JSON.stringify({ total, p: 1, ps: 100, paging: { pageIndex: 1, pageSize: 100, total }, issues });
const only = async (change: object) => (await parseText(sonarqube, page([{ ...issue, ...change }]))).findings[0];

describe('sonarqube', () => {
  test('an issue with its flow; the project key may hold colons', async () => {
    expect(await only({})).toEqual({
      kind: 'finding',
      ruleId: 'java:S2076',
      title: 'Do not build this command from user input.',
      type: 'SAST',
      severity: 'critical',
      nativeSeverity: 'BLOCKER',
      description: 'Do not build this command from user input.',
      cwe: [78],
      locations: [{ path: 'src/main/A.java', startLine: 4, endLine: 4, startColumn: 1, endColumn: 10 }],
      codeFlows: [[{ path: 'src/main/B.java', startLine: 2, message: 'source' }]],
      fingerprint: 'AX1',
      date: '2024-05-01T10:00:00.000Z',
      tags: ['VULNERABILITY', 'cwe', 'cwe-78'],
    });
    expect((await only({ component: 'com.example:shop' }))?.locations).toBeUndefined();
  });

  test.each([
    ['FALSE-POSITIVE', 'false_positive'],
    ['WONTFIX', 'accepted_risk'],
    ['FIXED', 'mitigated_externally'],
    ['SAFE', 'false_positive'],
    ['ACKNOWLEDGED', 'accepted_risk'],
  ])('the resolution %s', async (resolution, verdict) => {
    expect((await only({ status: 'RESOLVED', resolution }))?.suppressed?.verdict).toBe(verdict);
  });

  test('one page of several is an incomplete scan; all pages in one file are a whole one', async () => {
    const first = page([issue], 2);
    expect((await parseText(sonarqube, first)).failures).toEqual([
      '1 of 2 results are listed: put all pages of the Web API into one file.',
    ]);
    const second = page([{ ...issue, key: 'AX2' }], 2);
    const both = await parseText(sonarqube, `${first}\n${second}`);
    expect(both.findings).toHaveLength(2);
    expect(both.failures).toEqual([]);
  });

  test('rules of a sonar-report, in front or behind', async () => {
    const rules = { 'java:S2076': { name: 'Commands', htmlDesc: '<p>Why &amp; how. See CWE-77.</p>', severity: 'x' } };
    const common = { projectName: 'shop', sonarComponent: 'shop' };
    for (const report of [
      { ...common, rules, issues: [issue] },
      { ...common, issues: [issue], rules },
    ]) {
      const { findings, coverage } = await parseText(sonarqube, JSON.stringify(report));
      expect(findings[0]).toMatchObject({ description: expect.stringContaining('Why & how.'), cwe: [78, 77] });
      expect(coverage).toEqual([{ kind: 'coverage', part: { project: 'shop' } }]);
    }
  });

  test('ratings by quality', async () => {
    const impacts = [
      { softwareQuality: 'MAINTAINABILITY', severity: 'LOW' },
      { softwareQuality: 'SECURITY', severity: 'HIGH' },
    ];
    expect(await only({ severity: undefined, impacts })).toMatchObject({ severity: 'high', nativeSeverity: 'HIGH' });
  });

  test('a vulnerability of the Dependency-Check plugin', async () => {
    const message = 'Filename: lib:1.1.2 | Reference: CVE-2024-2590 | CVSS Score: 6.4 | Category: CWE-120 | Overflow.';
    expect(await only({ rule: 'OWASP:UsingComponentWithKnownVulnerability', message })).toMatchObject({
      type: 'SCA',
      cve: 'CVE-2024-2590',
      cvssScore: 6.4,
      cwe: [120],
      component: { name: 'lib', version: '1.1.2' },
    });
  });

  test('a list of issues is not taken for TFLint’s or Bandit’s', () => {
    expect(sonarqube.recognise(Buffer.from('{"issues":[{"rule":{"name":"x"},"message":"m"}],"errors":[]}'))).toBe(0);
  });
});
