import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { codechecker } from './parser.ts';

const report = {
  file: { path: 'src/a.c' },
  line: 3,
  column: 2,
  message: 'Division by zero',
  checker_name: 'core.DivideZero',
  severity: 'HIGH',
  report_hash: 'd5e8',
  analyzer_name: 'clangsa',
  review_status: 'unreviewed',
  bug_path_events: [
    { file: { path: 'src/a.c' }, line: 1, column: 1, message: 'Assuming b is 0' },
    { file: { path: 'src/a.c' }, line: 3, column: 2, message: 'Division by zero' },
  ],
};
const only = async (change: object) =>
  (await parseText(codechecker, JSON.stringify({ version: 1, reports: [{ ...report, ...change }] }))).findings[0];

test('a report with its path', async () => {
  expect(await only({})).toEqual({
    kind: 'finding',
    ruleId: 'core.DivideZero',
    title: 'Division by zero',
    type: 'SAST',
    severity: 'high',
    nativeSeverity: 'HIGH',
    description: 'Division by zero',
    locations: [{ path: 'src/a.c', startLine: 3, startColumn: 2 }],
    codeFlows: [
      [
        { path: 'src/a.c', startLine: 1, startColumn: 1, message: 'Assuming b is 0' },
        { path: 'src/a.c', startLine: 3, startColumn: 2, message: 'Division by zero' },
      ],
    ],
    fingerprint: 'd5e8',
    policy: { name: 'clangsa' },
  });
});

test.each([
  ['false_positive', 'false_positive'],
  ['intentional', 'accepted_risk'],
  ['confirmed', undefined],
])('the review status %s', async (review_status, verdict) => {
  expect((await only({ review_status }))?.suppressed?.verdict).toBe(verdict);
});
