import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { dependencyTrack } from './parser.ts';

const finding = {
  component: { name: 'lodash', version: '4.17.1', purl: 'pkg:npm/lodash@4.17.1' },
  vulnerability: {
    vulnId: 'GHSA-aaaa-bbbb-cccc',
    severity: 'HIGH',
    aliases: [{ cveId: 'CVE-2020-8203' }],
    cweId: 1321,
  },
};
const read = (analysis: object) => {
  const findings = [{ ...finding, analysis }];
  return parseText(dependencyTrack, JSON.stringify({ meta: {}, project: { name: 'shop' }, findings }));
};

test('a vulnerable component', async () => {
  const { findings, coverage } = await read({ isSuppressed: false });
  expect(findings).toEqual([
    {
      kind: 'finding',
      ruleId: 'GHSA-aaaa-bbbb-cccc',
      title: 'GHSA-aaaa-bbbb-cccc in lodash',
      type: 'SCA',
      severity: 'high',
      nativeSeverity: 'HIGH',
      cwe: [1321],
      cve: 'CVE-2020-8203',
      aliases: ['GHSA-aaaa-bbbb-cccc', 'CVE-2020-8203'],
      component: { name: 'lodash', version: '4.17.1', purl: 'pkg:npm/lodash@4.17.1', ecosystem: 'npm' },
    },
  ]);
  expect(coverage).toEqual([{ kind: 'coverage', part: { project: 'shop' } }]);
});

test.each([
  [{ state: 'FALSE_POSITIVE', isSuppressed: true }, 'false_positive'],
  [{ state: 'NOT_AFFECTED', isSuppressed: false }, 'false_positive'],
  [{ state: 'EXPLOITABLE', isSuppressed: true }, 'accepted_risk'],
  [{ state: 'RESOLVED', isSuppressed: false }, 'mitigated_externally'],
  [{ state: 'IN_TRIAGE', isSuppressed: false }, undefined],
])('%j', async (analysis, verdict) => {
  expect((await read(analysis)).findings[0]?.suppressed?.verdict).toBe(verdict);
});
