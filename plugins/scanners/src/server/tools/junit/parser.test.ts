import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { junit } from './parser.ts';

const suites = (tests: string, attributes = '') =>
  `<testsuites${attributes}><testsuite name="s">${tests}</testsuite></testsuites>`;

test('a failure at the file and line of its attributes', async () => {
  const { findings, coverage } = await parseBytes(junit, sampleBytes('junit/made_semgrep.xml'));
  expect(findings[0]).toEqual({
    kind: 'finding',
    ruleId: 'python.lang.security.audit.eval-detected',
    title: 'Detected the use of eval().',
    type: 'SAST',
    severity: 'high',
    nativeSeverity: 'ERROR',
    description: 'Detected the use of eval().\n\nresult = eval(request.args["q"])',
    locations: [{ path: 'src/app.py', startLine: 12 }],
  });
  expect(coverage).toEqual([{ kind: 'coverage', part: { suites: 'semgrep results' } }]);
});

test('a vulnerability named by its test, and the package by its class', async () => {
  const { findings } = await parseBytes(junit, sampleBytes('junit/made_trivy.xml'));
  expect(findings).toMatchObject([
    {
      ruleId: 'CVE-2021-36159',
      cve: 'CVE-2021-36159',
      type: 'SCA',
      severity: 'critical',
      resource: 'apk-tools-2.10.6-r0',
    },
    { ruleId: 'CVE-2021-42378', severity: 'high', resource: 'busybox-1.30.1-r5' },
  ]);
});

test('every failure and error of a test; passed and skipped ones are none', async () => {
  const tests =
    '<testcase name="a" classname="k"><failure message="one"/><error message="two" type="TypeError"/></testcase>' +
    '<testcase name="b"/><testcase name="c"><skipped message="later"/></testcase>';
  const { findings } = await parseText(junit, suites(tests));
  expect(findings.map(({ ruleId, title, severity, resource }) => [ruleId, title, severity, resource])).toEqual([
    ['a', 'one', 'informational', 'k'],
    ['a', 'two', 'informational', 'k'],
  ]);
});

test.each([
  ['classname="cmd/main.go:12:3"', { path: 'cmd/main.go', startLine: 12, startColumn: 3 }],
  ['file="cmd/main.go" line="12"', { path: 'cmd/main.go', startLine: 12 }],
  ['filename="cmd\\main.go:12"', { path: 'cmd/main.go', startLine: 12 }],
  ['file="cmd/main.go" line="0"', { path: 'cmd/main.go' }],
])('the place of %s', async (attributes, place) => {
  const { findings } = await parseText(junit, suites(`<testcase name="r" ${attributes}><failure/></testcase>`));
  expect(findings[0]?.locations).toEqual([place]);
});

test('suites in suites, a suite alone, and files below the checkout', async () => {
  const failed = (file: string) => `<testcase name="r" file="${file}"><failure>text</failure></testcase>`;
  const inner = `<testsuite>${failed('/builds/team/shop/a/x.py')}</testsuite>${failed('/builds/team/shop/b/y.py')}`;
  const nested = await parseText(junit, suites(inner));
  expect(nested.findings.map(({ locations }) => locations?.[0]?.path)).toEqual(['a/x.py', 'b/y.py']);
  const alone = `<?xml version="1.0"?>\n<!-- a comment -->\n<testsuite name="shop.CartTest">${failed('x.py')}</testsuite>`;
  expect(junit.recognise(Buffer.from(alone))).toBeGreaterThan(0.8);
  expect((await parseText(junit, alone)).findings).toHaveLength(1);
  expect((await parseText(junit, '<testsuites/>')).findings).toEqual([]);
});

test('a name of a checkout folder is no part, a test without a name is listed', async () => {
  const report = suites(
    '<testcase><failure/></testcase><testcase name="a"><failure/></testcase>',
    ' name="/builds/team/shop"',
  );
  const { findings, unreadable, coverage } = await parseText(junit, report);
  expect([findings.length, unreadable.length, coverage.length]).toEqual([1, 1, 0]);
});

test('leaves the reports of tools with a JUnit reader of their own to them', () => {
  for (const name of [
    'bandit/made_twenty.xml',
    'checkov/made_synthetic.junit.xml',
    'gitleaks/made_test-report.junit.xml',
    'terrascan/made_aws_db_instance.junit.xml',
    'tflint/made_issues.junit.xml',
  ])
    expect(junit.recognise(sampleBytes(name)), name).toBe(0);
});
