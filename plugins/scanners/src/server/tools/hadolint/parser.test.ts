import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { hadolint } from './parser.ts';

const failure = {
  line: 15,
  code: 'DL3008',
  message: 'Pin versions.',
  column: 1,
  file: './Dockerfile',
  level: 'warning',
};

async function only(change: object) {
  const { findings } = await parseText(hadolint, JSON.stringify([{ ...failure, ...change }]));
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('hadolint', () => {
  test('a failure', async () => {
    expect(await only({})).toEqual({
      kind: 'finding',
      ruleId: 'DL3008',
      title: 'Pin versions.',
      type: 'IaC',
      severity: 'medium',
      nativeSeverity: 'warning',
      description: 'Pin versions.',
      references: ['https://github.com/hadolint/hadolint/wiki/DL3008'],
      locations: [{ path: 'Dockerfile', startLine: 15, startColumn: 1 }],
      language: 'dockerfile',
    });
  });

  test("ShellCheck's rules", async () => {
    expect((await only({ code: 'SC2002' }))?.references).toEqual(['https://www.shellcheck.net/wiki/SC2002']);
    expect((await only({ code: 'custom' }))?.references).toBeUndefined();
  });

  test.each([
    ['error', 'high'],
    ['info', 'low'],
    ['style', 'informational'],
    [undefined, 'informational'],
  ])('level %s is %s', async (level, severity) => {
    expect((await only({ level }))?.severity).toBe(severity);
  });

  test('entries without a rule are listed, the others are imported', async () => {
    const bytes = sampleBytes('hadolint/am_hadolint-unsual.json');
    const { findings, unreadable } = await parseBytes(hadolint, bytes);
    expect(findings.map((finding) => finding.ruleId)).toEqual(['DL3008', 'DL3015']);
    expect(unreadable.map((record) => record.where)).toEqual(['report[0]', 'report[1]']);
    expect(hadolint.recognise(bytes)).toBeGreaterThan(0.8);
  });

  test('SARIF of its own', async () => {
    const sarif =
      '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Hadolint"}},"results":[{"ruleId":"DL3006"}]}]}';
    expect((await parseText(hadolint, sarif)).findings[0]).toMatchObject({ ruleId: 'DL3006', type: 'IaC' });
    expect(hadolint.recognise(Buffer.from(sarif))).toBeGreaterThan(0.9);
  });
});
