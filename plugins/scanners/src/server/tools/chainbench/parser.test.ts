import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { chainbench } from './parser.ts';

const result = {
  id: '2.4.2',
  name: 'Ensure all external dependencies used in the build process are locked',
  description: 'External dependencies might be public packages.',
  remediation: 'Lock them.',
  severity: 'Critical',
  result: 'Failed',
  reason: '16 task(s) are not pinned',
  url: 'https://avd.aquasec.com/compliance/2.4.2',
};
const report = (...results: object[]) =>
  JSON.stringify({
    metadata: { date: '2022-06-13T15:22:31+03:00', url: 'https://github.com/example/app', statistics: {} },
    results,
  });

describe('chain-bench', () => {
  test('a failed check of a repository', async () => {
    const { findings, info } = await parseText(chainbench, report(result));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: '2.4.2',
        title: 'Ensure all external dependencies used in the build process are locked',
        type: 'Supply chain',
        severity: 'critical',
        nativeSeverity: 'Critical',
        description: '16 task(s) are not pinned\n\nExternal dependencies might be public packages.',
        mitigation: 'Lock them.',
        references: ['https://avd.aquasec.com/compliance/2.4.2'],
        resource: 'https://github.com/example/app',
        policy: { name: 'CIS Software Supply Chain Security Guide', control: '2.4.2' },
      },
    ]);
    expect(info).toEqual([
      {
        kind: 'report',
        toolName: 'chain-bench',
        target: 'https://github.com/example/app',
        date: '2022-06-13T12:22:31.000Z',
      },
    ]);
  });

  test('checks that passed or could not be decided are no findings', async () => {
    const { findings, unreadable } = await parseText(
      chainbench,
      report({ ...result, result: 'Passed' }, { ...result, result: 'Unknown' }),
    );
    expect([...findings, ...unreadable]).toEqual([]);
  });

  test('results without id are listed', async () => {
    const { findings, unreadable } = await parseText(chainbench, report({ result: 'Failed' }, result));
    expect([findings.length, unreadable[0]?.where]).toEqual([1, 'results[0]']);
  });

  test('results of another tool are refused', async () => {
    await expect(parseText(chainbench, '{"results":[{"check_id":"a"}]}')).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });
});
