import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { opengrep } from './parser.ts';

const finding = {
  id: 1,
  rule_name: 'a.b.c',
  severity: 'high',
  state: 'unresolved',
  triage_state: 'untriaged',
  status: 'open',
  match_based_id: 'f00_0',
  rule_message: 'Bad.',
  location: { file_path: 'src/a.py', line: 3, column: 1, end_line: 3, end_column: 9 },
  rule: { category: 'security', cwe_names: ['CWE-89: SQL Injection'] },
};
const only = async (change: object) =>
  (await parseText(opengrep, JSON.stringify({ findings: [{ ...finding, ...change }] }))).findings[0];

test('a finding of the platform', async () => {
  expect(await only({})).toEqual({
    kind: 'finding',
    ruleId: 'a.b.c',
    title: 'a.b.c',
    type: 'SAST',
    severity: 'high',
    nativeSeverity: 'high',
    description: 'Bad.',
    cwe: [89],
    locations: [{ path: 'src/a.py', startLine: 3, endLine: 3, startColumn: 1, endColumn: 9 }],
    fingerprint: 'f00_0',
    policy: { category: 'security' },
  });
});

test.each([
  [{ triage_state: 'ignored', triage_reason: 'false_positive', triage_comment: 'test code' }, 'false_positive'],
  [{ state: 'muted', triage_reason: 'acceptable_risk' }, 'accepted_risk'],
  [{ status: 'fixed' }, 'mitigated_externally'],
])('%j is suppressed', async (change, verdict) => {
  expect((await only(change))?.suppressed?.verdict).toBe(verdict);
});

test('a dependency of the platform', async () => {
  const found_dependency = { package: 'lodash', version: '4.17.1', ecosystem: 'npm' };
  const fix_recommendations = [{ package: 'lodash', version: '4.17.21' }];
  expect(
    await only({ found_dependency, fix_recommendations, vulnerability_identifier: 'CVE-2021-23337' }),
  ).toMatchObject({
    type: 'SCA',
    cve: 'CVE-2021-23337',
    component: { name: 'lodash', version: '4.17.1', ecosystem: 'npm', fixedVersion: '4.17.21' },
  });
});
