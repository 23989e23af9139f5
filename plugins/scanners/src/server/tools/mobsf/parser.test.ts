import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { mobsf } from './parser.ts';

const metadata = {
  cwe: 'cwe-798',
  description: 'Files may hold secrets. Move them.',
  severity: 'WARNING',
  masvs: 'MSTG-STORAGE-14',
};

test('places of mobsfscan, and what an app lacks', async () => {
  const place = { file_path: 'app/A.kt', match_lines: [2, 10], match_string: 'key = "4f9a8b7c6d5e4f3a2b1c"' };
  const report = {
    mobsfscan_version: '0.2.0',
    errors: [{ message: 'B.kt was not parsed' }],
    results: { hardcoded: { files: [place, { ...place, file_path: 'app/B.kt' }], metadata }, pinning: { metadata } },
  };
  const { findings, failures } = await parseText(mobsf, JSON.stringify(report));
  expect(findings).toMatchObject([
    {
      ruleId: 'hardcoded',
      title: 'Files may hold secrets',
      severity: 'medium',
      cwe: [798],
      locations: [{ path: 'app/A.kt', startLine: 2, endLine: 10, snippet: 'key = "********"' }],
    },
    { locations: [{ path: 'app/B.kt' }] },
    { ruleId: 'pinning' },
  ]);
  expect(findings[2]?.locations).toBeUndefined();
  expect(failures).toEqual(['B.kt was not parsed']);
});

test('an app: code with all lines of a file, manifest and certificate; what is good is no finding', async () => {
  const report = {
    app_type: 'apk',
    package_name: 'com.shop',
    manifest_analysis: {
      manifest_findings: [
        {
          rule: 'exported',
          title: 'Activity <strong>A</strong> is exported',
          severity: 'warning',
          description: 'x',
          component: ['A'],
        },
        {
          rule: 'exported',
          title: 'Activity <strong>B</strong> is exported',
          severity: 'warning',
          description: 'x',
          component: ['B'],
        },
      ],
    },
    certificate_analysis: {
      certificate_findings: [
        ['high', 'Debug certificate.', 'Signed for debugging'],
        ['good', 'v3', 'v3'],
      ],
    },
    code_analysis: {
      findings: {
        logging: { files: { 'com/A.java': '9,3,3' }, metadata: { severity: 'info', description: 'Logs.' } },
        pinning: { files: { 'com/A.java': '1' }, metadata: { severity: 'secure', description: 'Good.' } },
      },
    },
  };
  const { findings, coverage } = await parseText(mobsf, JSON.stringify(report));
  expect(findings).toMatchObject([
    { ruleId: 'exported', title: 'Activity A is exported', resource: 'com.shop', fingerprint: 'exported A' },
    { ruleId: 'exported', fingerprint: 'exported B' },
    { ruleId: 'Signed for debugging', severity: 'high' },
    {
      ruleId: 'logging',
      locations: [
        { path: 'com/A.java', startLine: 3 },
        { path: 'com/A.java', startLine: 9 },
      ],
    },
  ]);
  expect(findings).toHaveLength(4);
  expect(coverage).toEqual([{ kind: 'coverage', part: { app: 'com.shop' } }]);
});

test('results of another tool are refused', async () => {
  await expect(parseText(mobsf, '{"results":[]}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
});
