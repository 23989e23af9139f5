import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { terrascan } from './parser.ts';

const violation = {
  rule_name: 'rdsPubliclyAccessible',
  description: 'RDS Instance publicly_accessible flag is true',
  rule_id: 'AC_AWS_0002',
  severity: 'HIGH',
  category: 'Network Security',
  resource_name: 'PtShGgAdi3',
  resource_type: 'aws_db_instance',
  module_name: 'root',
  file: 'main.tf',
  root_path: './',
  line: 39,
};
const report = (violations: unknown) =>
  JSON.stringify({
    results: {
      violations,
      skipped_violations: [violation],
      passed_rules: [violation],
      scan_summary: { scanned_at: '2021-05-19 13:17:04.067888 +0000 UTC' },
    },
  });

describe('terrascan', () => {
  test('a violation; skipped ones and passed rules are no findings', async () => {
    const { findings, info } = await parseText(terrascan, report([violation]));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'AC_AWS_0002',
        title: 'RDS Instance publicly_accessible flag is true',
        type: 'IaC',
        severity: 'high',
        nativeSeverity: 'HIGH',
        description: 'RDS Instance publicly_accessible flag is true',
        locations: [{ path: 'main.tf', startLine: 39 }],
        resource: 'PtShGgAdi3',
        policy: { name: 'rdsPubliclyAccessible', category: 'Network Security', control: 'AC_AWS_0002' },
        tags: ['aws_db_instance'],
      },
    ]);
    expect(info).toEqual([{ kind: 'report', toolName: 'Terrascan', date: '2021-05-19T13:17:04.067Z' }]);
  });

  test.each([[null], [[]]])('violations %j are none', async (violations) => {
    expect((await parseText(terrascan, report(violations))).findings).toEqual([]);
  });

  test('the first versions count instead of summing up', async () => {
    const text = JSON.stringify({ results: { violations: [{ ...violation, line: 0 }], count: { high: 1 } } });
    const { findings } = await parseText(terrascan, text);
    expect(findings[0]?.locations).toEqual([{ path: 'main.tf' }]);
    expect(terrascan.recognise(Buffer.from(text))).toBeGreaterThan(0.9);
  });

  test('a violation without id or name is listed', async () => {
    const { findings, unreadable } = await parseText(terrascan, report([{ severity: 'LOW' }, violation]));
    expect([findings.length, unreadable[0]?.where]).toEqual([1, 'results.violations[0]']);
  });

  test('results of another tool are refused', async () => {
    await expect(parseText(terrascan, '{"results":{"items":[]}}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
    await expect(parseText(terrascan, '{"results":[]}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });

  test('SARIF of its own', async () => {
    const sarif = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"terrascan"}},"results":[{"ruleId":"x"}]}]}';
    expect((await parseText(terrascan, sarif)).findings[0]).toMatchObject({ ruleId: 'x', type: 'IaC' });
    expect(terrascan.recognise(Buffer.from(sarif))).toBeGreaterThan(0.9);
  });
});
