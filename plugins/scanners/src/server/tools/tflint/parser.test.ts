import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { tflint } from './parser.ts';

const range = (filename: string, line: number) => ({
  filename,
  start: { line, column: 5 },
  end: { line, column: 25 },
});
const issue = {
  rule: { name: 'aws_instance_invalid_type', severity: 'error', link: 'https://docs.example/rule.md' },
  message: '"t9.micro" is an invalid value as instance_type\n',
  range: range('main.tf', 6),
  callers: [range('main.tf', 6), range('module/instance.tf', 9)],
};
const report = (...issues: object[]) => JSON.stringify({ issues, errors: [{ message: 'a', severity: 'error' }] });

async function only(change: object) {
  const { findings } = await parseText(tflint, report({ ...issue, ...change }));
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('tflint', () => {
  test('an issue, and the calls that lead to it; errors of the scan are no findings', async () => {
    expect(await only({ fixable: true })).toEqual({
      kind: 'finding',
      ruleId: 'aws_instance_invalid_type',
      title: '"t9.micro" is an invalid value as instance_type',
      type: 'IaC',
      severity: 'high',
      nativeSeverity: 'error',
      description: '"t9.micro" is an invalid value as instance_type',
      references: ['https://docs.example/rule.md'],
      locations: [
        { path: 'main.tf', startLine: 6, endLine: 6, startColumn: 5, endColumn: 25 },
        {
          path: 'module/instance.tf',
          startLine: 9,
          endLine: 9,
          startColumn: 5,
          endColumn: 25,
          message: 'In the chain of module calls',
        },
      ],
      tags: ['fixable'],
      language: 'terraform',
    });
  });

  test.each([
    ['warning', 'medium'],
    ['notice', 'low'],
    ['info', 'low'],
  ])('severity %s is %s', async (word, severity) => {
    expect(await only({ rule: { ...issue.rule, severity: word } })).toMatchObject({ severity, nativeSeverity: word });
  });

  test('an empty place is none', async () => {
    expect((await only({ range: { filename: '' }, callers: null }))?.locations).toBeUndefined();
  });

  test('the list that versions before 0.8 wrote', async () => {
    const early = [
      {
        detector: 'aws_instance_invalid_type',
        type: 'ERROR',
        message: 'invalid',
        line: 3,
        file: 'main.tf',
        link: 'https://docs.example/r',
      },
    ];
    const text = JSON.stringify(early);
    expect((await parseText(tflint, text)).findings[0]).toMatchObject({
      ruleId: 'aws_instance_invalid_type',
      severity: 'high',
      locations: [{ path: 'main.tf', startLine: 3 }],
      references: ['https://docs.example/r'],
    });
    expect(tflint.recognise(Buffer.from(text))).toBeGreaterThan(0.8);
  });

  test("SARIF of its own, without the run of the scan's errors", async () => {
    const run = (name: string, ruleId: string) => ({ tool: { driver: { name } }, results: [{ ruleId }] });
    const sarif = JSON.stringify({ version: '2.1.0', runs: [run('tflint', 'a'), run('tflint-errors', 'b')] });
    expect((await parseText(tflint, sarif)).findings.map((finding) => finding.ruleId)).toEqual(['a']);
    expect(tflint.recognise(Buffer.from(sarif))).toBeGreaterThan(0.9);
  });

  test('nothing found', async () => {
    expect((await parseText(tflint, '{"issues":[],"errors":[]}')).findings).toEqual([]);
    expect((await parseText(tflint, '{"issues":null,"errors":[]}')).findings).toEqual([]);
  });
});
