import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { gitleaks } from './parser.ts';

test('the JUnit report says what the JSON says, secrets only as digests', async () => {
  const { findings } = await parseBytes(gitleaks, sampleBytes('gitleaks/made_test-report.junit.xml'));
  expect(findings).toEqual((await parseBytes(gitleaks, sampleBytes('gitleaks/scb_test-report.json'))).findings);
  expect(JSON.stringify(findings)).not.toContain('aGVsbG8taS1hbS1hLXRlc3Qta2V5');
});

test('a failure that holds no record is listed; a report of none but those is refused', async () => {
  const junit = (...texts: string[]) =>
    `<testsuites><testsuite name="gitleaks">${texts.map((text) => `<testcase><failure>${text}</failure></testcase>`).join('')}</testsuite></testsuites>`;
  const { findings, unreadable } = await parseText(gitleaks, junit('{"RuleID":"a","File":"b"}', 'no json'));
  expect([findings.length, unreadable.length]).toEqual([1, 1]);
  await expect(parseText(gitleaks, junit('no json'))).rejects.toMatchObject({ code: 'report_wrong_tool' });
  expect((await parseText(gitleaks, junit())).findings).toEqual([]);
});
