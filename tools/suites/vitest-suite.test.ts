import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, settle, summary, totals } from './run.ts';
import { countReport, failedTests, fileDurations, reachOf, unhandledErrors } from './vitest-suite.ts';

const report = (numbers: Record<string, number>, testResults: unknown[] = []) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
  ...numbers,
});

test('passed and failed tests are counted', () => {
  expect(countReport(report({ numPassedTests: 3, numFailedTests: 2 }), 1)).toEqual({ passed: 3, failed: 2 });
});

test('a file that could not be loaded counts as one failure', () => {
  const broken = { status: 'failed', assertionResults: [] };
  const ordinary = { status: 'failed', assertionResults: [{ status: 'failed' }] };
  expect(countReport(report({ numPassedTests: 3, numFailedTests: 1 }, [broken, ordinary]), 1)).toEqual({
    passed: 3,
    failed: 2,
  });
});

test('a skipped test counts as failed', () => {
  expect(countReport(report({ numPassedTests: 3, numPendingTests: 1 }), 0)).toEqual({
    passed: 3,
    failed: 1,
    note: '1 skipped',
  });
});

test('a crash after the last test is not green', () => {
  expect(countReport(report({ numPassedTests: 3 }), 1)).toEqual({
    passed: 3,
    failed: 1,
    note: 'ended with exit code 1',
  });
});

test('an error that no test caught is named with the file that ran', () => {
  const found = [
    { file: path.join(ROOT, 'core/src/a.test.tsx'), message: 'TypeError: no context\n    at draw' },
    { file: '', message: 'Error: later' },
  ];
  expect(unhandledErrors(found)).toEqual([
    {
      file: 'core/src/a.test.tsx',
      name: 'an error that no test caught',
      message: 'TypeError: no context\n    at draw',
    },
    { file: 'no file known', name: 'an error that no test caught', message: 'Error: later' },
  ]);
  expect(unhandledErrors(null)).toEqual([]);
});

test('no report is a failure', () => {
  expect(countReport(null, 0)).toMatchObject({ passed: 0, failed: 1 });
});

test('a suite without a test has failed', () => {
  expect(settle({ name: 'empty', passed: 0, failed: 0, seconds: 0 })).toMatchObject({
    failed: 1,
    note: 'no test was run',
  });
});

test('the last line sums all suites and stands alone', () => {
  const outcomes = [
    { name: 'types', passed: 1, failed: 0, seconds: 1 },
    { name: 'unit', passed: 40, failed: 2, seconds: 2 },
  ];
  expect(summary(outcomes).split('\n').at(-1)).toBe('41 passed, 2 failed');
  expect(totals(outcomes)).toEqual({ passed: 41, failed: 2 });
});

test('the fifteen slowest files stand before the last line', () => {
  const results = Array.from({ length: 20 }, (_, index) => ({
    name: path.join(ROOT, `core/src/file-${index}.test.ts`),
    startTime: 1000,
    endTime: 1000 + index * 1500,
  }));
  const files = fileDurations(report({}, results));
  const lines = summary([{ name: 'tests', passed: 1, failed: 0, seconds: 2, files }]).split('\n');
  const start = lines.indexOf('Slowest files');
  expect(lines[start + 1]).toBe('   28.5 s  core/src/file-19.test.ts');
  expect(lines.slice(start + 1, -2)).toHaveLength(15);
  expect(lines.at(-1)).toBe('1 passed, 0 failed');
});

test('tests that failed are named with their message before the last line', () => {
  const results = [
    {
      name: path.join(ROOT, 'core/src/a.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'counts' },
        {
          status: 'failed',
          fullName: 'a row is kept',
          failureMessages: ['\u001b[31mexpected 2 to be 1\u001b[39m\n    at a.ts:3'],
        },
      ],
    },
    { name: path.join(ROOT, 'core/src/b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
    { name: path.join(ROOT, 'core/src/c.test.ts'), status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  const outcome = { name: 'tests', passed: 2, failed: 2, seconds: 2, failures: failedTests(report({}, results)) };
  const lines = summary([outcome]).split('\n');
  expect(lines.slice(lines.indexOf('Failed tests'))).toEqual([
    'Failed tests',
    '✗ core/src/a.test.ts > a row is kept',
    '    expected 2 to be 1',
    '        at a.ts:3',
    '✗ core/src/b.test.ts',
    '    no such module',
    '',
    '2 passed, 2 failed',
  ]);
});

test.each([
  [['core/src/findings/server/list/list-findings.ts'], { product: true, plugins: false }],
  [['core/src/findings/server/list/list-findings.db.test.ts'], { product: false, plugins: false }],
  [['plugins/scanners/src/plugin.ts'], { product: true, plugins: true }],
  [['e2e/journeys/main.test.ts', 'docs/errors.md', 'core/README.md'], { product: false, plugins: false }],
  [['package-lock.json'], { product: true, plugins: true }],
])('the reach of %j', (files, reach) => {
  expect(reachOf(files)).toEqual(reach);
});
