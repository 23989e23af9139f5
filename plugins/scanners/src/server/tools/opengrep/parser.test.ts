import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { opengrep } from './parser.ts';

function report(...results: object[]): string {
  return JSON.stringify({ results, errors: [], version: '1.10.0' });
}
const result = {
  check_id: 'python.lang.security.eval',
  path: '.\\src\\app.py',
  start: { line: 3, col: 1 },
  end: { line: 4, col: 9 },
};

async function only(extra: object, base: object = result) {
  const { findings } = await parseText(opengrep, report({ ...base, extra }));
  expect(findings).toHaveLength(1);
  const [finding] = findings;
  if (finding === undefined) throw new Error('no finding');
  return finding;
}

describe('opengrep', () => {
  test('rule, place and code of a result', async () => {
    const finding = await only({ message: 'Do not eval.', severity: 'ERROR', lines: 'eval(x)', fingerprint: 'abc_0' });
    expect(finding).toEqual({
      kind: 'finding',
      ruleId: 'python.lang.security.eval',
      title: 'python.lang.security.eval',
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'ERROR',
      description: 'Do not eval.',
      locations: [{ path: 'src/app.py', startLine: 3, endLine: 4, startColumn: 1, endColumn: 9, snippet: 'eval(x)' }],
      fingerprint: 'abc_0',
    });
  });

  test.each([
    ['CRITICAL', 'critical'],
    ['HIGH', 'high'],
    ['ERROR', 'high'],
    ['WARNING', 'medium'],
    ['MEDIUM', 'medium'],
    ['INFO', 'low'],
    ['LOW', 'low'],
    ['INVENTORY', 'informational'],
    [undefined, 'informational'],
  ])('severity %s is %s and kept as written', async (word, severity) => {
    expect(await only({ severity: word })).toMatchObject({
      severity,
      ...(word === undefined ? {} : { nativeSeverity: word }),
    });
  });

  test('code and fingerprint withheld from people who are not signed in are not taken for real', async () => {
    const finding = await only({ lines: 'requires login', fingerprint: 'requires login' });
    expect(finding.fingerprint).toBeUndefined();
    expect(finding.locations?.[0]?.snippet).toBeUndefined();
  });

  test('several weaknesses, in either notation', async () => {
    const metadata = {
      cwe: ['CWE-79: Cross-site Scripting', 'CWE-89'],
      references: ['https://a.example/x', 'javascript:alert(1)'],
    };
    expect(await only({ metadata })).toMatchObject({ cwe: [79, 89], references: ['https://a.example/x'] });
    expect((await only({ metadata: { cwe: 'CWE-78: OS Command Injection' } })).cwe).toEqual([78]);
  });

  test('results ignored in the code come in as suppressed', async () => {
    expect((await only({ is_ignored: true })).suppressed).toMatchObject({ verdict: 'accepted_risk' });
    expect((await only({ is_ignored: false })).suppressed).toBeUndefined();
  });

  test('dataflow traces become code flows, also through calls', async () => {
    const at = (line: number) => ({ path: 'a.py', start: { line, col: 1 }, end: { line, col: 5 } });
    const trace = {
      taint_source: [
        'CliCall',
        [[at(1), 'get()'], [{ location: at(2), content: 'inner' }], ['CliLoc', [at(3), 'request']]],
      ],
      intermediate_vars: [{ location: at(4), content: 'value' }],
      taint_sink: ['CliLoc', [at(5), 'run(value)']],
    };
    const flow = (await only({ dataflow_trace: trace })).codeFlows?.[0];
    expect(flow?.map((step) => [step.startLine, step.message])).toEqual([
      [3, 'Source'],
      [2, 'Passes through'],
      [1, 'Call'],
      [4, 'Passes through'],
      [5, 'Sink'],
    ]);
  });

  test('a vulnerable dependency is SCA with its package', async () => {
    const extra = {
      severity: 'ERROR',
      metadata: { 'sca-vuln-database-identifier': 'CVE-2021-23337', 'sca-fix-versions': [{ lodash: '4.17.21' }] },
      sca_info: { dependency_match: { found_dependency: { package: 'lodash', version: '4.17.20', ecosystem: 'npm' } } },
    };
    expect(await only(extra)).toMatchObject({
      type: 'SCA',
      cve: 'CVE-2021-23337',
      component: { name: 'lodash', version: '4.17.20', ecosystem: 'npm', fixedVersion: '4.17.21' },
    });
  });

  test('a secret shown in the code line is blanked out', async () => {
    const token = 'ghp_1234567890abcdefghij1234567890abcdef';
    const rule = { ...result, check_id: 'generic.secrets.security.detected-github-token' };
    const finding = await only({ lines: `token = "${token}"`, message: `Found ${token}` }, rule);
    expect(JSON.stringify(finding)).not.toContain(token);
    expect(finding.locations?.[0]?.snippet).toBe('token = "********"');
  });

  test('the same result after a move of lines keeps fingerprint and code', async () => {
    const read = async (name: string) => (await parseBytes(opengrep, sampleBytes(`opengrep/${name}.json`))).findings[0];
    const before = await read('close_old_findings_report_line31');
    const after = await read('close_old_findings_report_second_run_line24');
    expect(after?.locations?.[0]?.startLine).not.toBe(before?.locations?.[0]?.startLine);
    expect(after?.fingerprint).toBe(before?.fingerprint);
    expect(after?.locations?.[0]?.snippet).toBe(before?.locations?.[0]?.snippet);
  });

  test('the report names its version', async () => {
    expect((await parseText(opengrep, report())).info).toEqual([
      { kind: 'report', toolName: 'OpenGrep', toolVersion: '1.10.0' },
    ]);
  });

  test('SARIF of the same tool is read too', async () => {
    const { findings } = await parseBytes(opengrep, sampleBytes('sarif/issue_10191.json'));
    expect(findings).toHaveLength(77);
  });
});
