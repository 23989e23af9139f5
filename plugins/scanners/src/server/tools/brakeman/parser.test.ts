import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { brakeman } from './parser.ts';

const report = (change: object) =>
  JSON.stringify({
    scan_info: { brakeman_version: '6.1.2' },
    warnings: [],
    ignored_warnings: [],
    errors: [],
    ...change,
  });
const warning = {
  warning_type: 'SQL Injection',
  warning_code: 0,
  message: 'Possible SQL injection',
  confidence: 'High',
};

test('a warning', async () => {
  const { findings } = await parseBytes(brakeman, sampleBytes('brakeman/two_findings.json'));
  expect(findings[0]).toEqual({
    kind: 'finding',
    ruleId: 'BRAKE0015',
    title: 'Dynamic Render Path: Render path contains parameter value',
    type: 'SAST',
    severity: 'low',
    nativeSeverity: 'Weak',
    description: 'Render path contains parameter value\n\nUser input: params[:page]',
    references: ['https://brakemanscanner.org/docs/warning_types/dynamic_render_path/'],
    locations: [
      {
        path: 'app/views/users/show_follow.html.erb',
        startLine: 25,
        snippet: 'render(action => User.find(params[:id]).followers.paginate(:page => params[:page]), {})',
      },
    ],
    fingerprint: '518c8b9dc22e0e30a72f5e39e79c33ec6c3640f86bf95c5ce2472e6399072f71',
    policy: { name: 'Render' },
    language: 'ruby',
  });
});

test('code 0 is a rule, an ignored warning is suppressed with its note, a weakness is read', async () => {
  const ignored = [{ ...warning, note: 'constant input', cwe_id: [89] }];
  const { findings } = await parseText(brakeman, report({ warnings: [warning], ignored_warnings: ignored }));
  expect(findings.map(({ ruleId, severity }) => [ruleId, severity])).toEqual([
    ['BRAKE0000', 'high'],
    ['BRAKE0000', 'high'],
  ]);
  expect(findings[1]).toMatchObject({ cwe: [89], suppressed: { verdict: 'accepted_risk', reason: 'constant input' } });
});

test('a file that could not be scanned makes the scan incomplete', async () => {
  const errors = [{ error: 'parse error', location: 'app/a.rb:3' }];
  expect((await parseText(brakeman, report({ errors }))).failures).toEqual(['app/a.rb:3: parse error']);
});
