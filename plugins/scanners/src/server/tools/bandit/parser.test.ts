import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { bandit } from './parser.ts';

const issue = {
  code: '41     return x\n42 subprocess.call(cmd,\n43     shell=True)\n',
  col_offset: 0,
  end_col_offset: 16,
  filename: '.\\src\\run.py',
  issue_confidence: 'HIGH',
  issue_cwe: { id: 78, link: 'https://cwe.mitre.org/data/definitions/78.html' },
  issue_severity: 'HIGH',
  issue_text: 'subprocess call with shell=True identified, security issue.',
  line_number: 42,
  line_range: [42, 43],
  more_info: 'https://bandit.readthedocs.io/b602.html',
  test_id: 'B602',
  test_name: 'subprocess_popen_with_shell_equals_true',
};
const report = (...results: object[]) =>
  JSON.stringify({ errors: [], generated_at: '2024-05-01T10:00:00Z', metrics: { _totals: {} }, results });

async function only(change: object) {
  const { findings } = await parseText(bandit, report({ ...issue, ...change }));
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('bandit', () => {
  test('an issue with the flagged lines alone', async () => {
    expect(await only({})).toEqual({
      kind: 'finding',
      ruleId: 'B602',
      title: issue.issue_text,
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'HIGH',
      description: issue.issue_text,
      cwe: [78],
      references: [issue.more_info, issue.issue_cwe.link],
      locations: [
        {
          path: 'src/run.py',
          startLine: 42,
          endLine: 43,
          startColumn: 1,
          endColumn: 17,
          snippet: 'subprocess.call(cmd,\n    shell=True)',
        },
      ],
      policy: { name: 'subprocess_popen_with_shell_equals_true' },
      tags: ['confidence: high'],
      language: 'python',
    });
  });

  test('the same code further down is the same code', async () => {
    const moved = await only({
      code: '51     return x\n52 subprocess.call(cmd,\n53     shell=True)\n',
      line_range: [52, 53],
    });
    expect(moved?.locations?.[0]?.snippet).toBe('subprocess.call(cmd,\n    shell=True)');
  });

  test('the first versions have no test id, no weakness and no columns', async () => {
    const { test_id, issue_cwe, col_offset, end_col_offset, ...old } = issue;
    const { findings } = await parseText(bandit, report(old));
    expect(findings[0]).toMatchObject({ ruleId: issue.test_name, severity: 'high' });
    expect(findings[0]?.cwe).toBeUndefined();
    expect([test_id, issue_cwe, col_offset, end_col_offset]).not.toContain(undefined);
  });

  test.each([
    ['LOW', 'low'],
    ['MEDIUM', 'medium'],
    ['UNDEFINED', 'informational'],
  ])('severity %s', async (word, severity) => {
    expect(await only({ issue_severity: word })).toMatchObject({ severity, nativeSeverity: word });
  });

  test('a password that the test quotes is blanked out', async () => {
    const change = {
      test_id: 'B105',
      issue_text: "Possible hardcoded password: 'hunter2'",
      code: '42 password = "hunter2"\n',
      line_range: [42],
    };
    const finding = await only(change);
    expect(JSON.stringify(finding)).not.toContain('hunter2');
    expect(finding).toMatchObject({ title: "Possible hardcoded password: '********'" });
    expect(finding?.locations?.[0]?.snippet).toBe('password = "********"');
    expect((await only({ ...change, issue_text: "Possible hardcoded password: ''" }))?.locations?.[0]?.snippet).toBe(
      'password = "hunter2"',
    );
  });

  test('CSV', async () => {
    const csv = [
      'filename,test_name,test_id,issue_severity,issue_confidence,issue_cwe,issue_text,line_number,col_offset,end_col_offset,line_range,more_info',
      'src/run.py,blacklist,B404,LOW,HIGH,https://cwe.mitre.org/data/definitions/78.html,"Consider, possibly.",1,0,17,"[1, 2]",https://x.example/b404',
    ].join('\r\n');
    const { findings } = await parseText(bandit, csv);
    expect(findings[0]).toMatchObject({
      ruleId: 'B404',
      title: 'Consider, possibly.',
      cwe: [78],
      locations: [{ path: 'src/run.py', startLine: 1, endLine: 2, startColumn: 1, endColumn: 18 }],
    });
    expect(bandit.recognise(Buffer.from(csv))).toBeGreaterThan(0.9);
    expect((await parseText(bandit, csv.split('\r\n')[0] ?? '')).findings).toEqual([]);
  });

  test('SARIF of its own', async () => {
    const sarif = JSON.stringify({
      runs: [{ tool: { driver: { name: 'Bandit', version: '1.7.9' } }, results: [{ ruleId: 'B101' }] }],
      version: '2.1.0',
    });
    expect((await parseText(bandit, sarif)).findings[0]).toMatchObject({ ruleId: 'B101', type: 'SAST' });
    expect(bandit.recognise(Buffer.from(sarif))).toBeGreaterThan(0.9);
  });
});
