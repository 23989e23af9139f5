import { expect, test } from 'vitest';
import { parseText, sampleBytes } from '../../testing/samples.ts';
import { codeclimate } from '../codeclimate/parser.ts';
import { checkstyle } from './parser.ts';

test('a violation, below the checkout', async () => {
  const { findings } = await parseText(checkstyle, sampleBytes('checkstyle/made_two.xml').toString());
  expect(findings[0]).toEqual({
    kind: 'finding',
    ruleId: 'com.puppycrawl.tools.checkstyle.checks.javadoc.MissingJavadocMethodCheck',
    title: 'Missing a Javadoc comment.',
    type: 'SAST',
    severity: 'high',
    nativeSeverity: 'error',
    description: 'Missing a Javadoc comment.',
    locations: [{ path: 'src/main/java/shop/Cart.java', startLine: 12, startColumn: 5 }],
  });
});

test('leaves Hadolint, ShellCheck and TFLint to their own importers', () => {
  for (const name of ['hadolint/made_many_files', 'shellcheck/recorded_v0.9', 'tflint/made_issues'])
    expect(checkstyle.recognise(sampleBytes(`${name}.checkstyle.xml`)), name).toBe(0);
});

test('no violation', async () => {
  const none = '<?xml version="1.0"?><checkstyle version="8"><file name="a"/></checkstyle>';
  expect((await parseText(checkstyle, none)).findings).toEqual([]);
});

test('Code Climate: places by lines and by positions', async () => {
  const { findings } = await parseText(codeclimate, sampleBytes('codeclimate/made_two.json').toString());
  expect(findings.map(({ severity, locations }) => [severity, locations])).toEqual([
    ['high', [{ path: 'lib/cart.rb', startLine: 13, endLine: 14 }]],
    ['critical', [{ path: 'lib/run.js', startLine: 3, endLine: 3, startColumn: 2, endColumn: 9 }]],
  ]);
  expect(findings[0]).toMatchObject({
    fingerprint: 'abcd1234',
    tags: ['rubocop', 'Complexity'],
    mitigation: 'Remove it.',
  });
});

test("Code Climate: GitLab's subset is known, Hadolint's is left to its importer", () => {
  const gitlab = [
    { description: 'x', fingerprint: 'f', severity: 'minor', location: { path: 'a.rb', lines: { begin: 1 } } },
  ];
  expect(codeclimate.recognise(Buffer.from(JSON.stringify(gitlab)))).toBeGreaterThan(0.8);
  expect(codeclimate.recognise(sampleBytes('hadolint/made_many_files.codeclimate.json'))).toBe(0);
});

test('Code Climate: a blank description leaves the name of the check', async () => {
  const blank = [{ check_name: 'no-eval', description: ' ', location: { path: 'a.js' } }];
  expect((await parseText(codeclimate, JSON.stringify(blank))).findings[0]?.title).toBe('no-eval');
});

const linterOf = async (...sources: (string | undefined)[]): Promise<unknown> => {
  const errors = sources.map(
    (source) => `<error line="1" message="m"${source === undefined ? '' : ` source="${source}"`}/>`,
  );
  const { coverage } = await parseText(checkstyle, `<checkstyle><file name="a">${errors.join('')}</file></checkstyle>`);
  return coverage;
};

test.each([
  [['eslint.rules.no-eval', 'eslint.rules.semi', undefined], 'eslint'],
  [['com.puppycrawl.tools.checkstyle.checks.sizes.LineLengthCheck', 'com.example.OwnCheck'], 'checkstyle'],
  [['PSR2.Classes.PropertyDeclaration.Underscore'], 'php_codesniffer'],
  [['eslint.rules.no-eval', 'stylelint.rules.color-no-hex'], undefined],
  [['no-wildcard-imports'], undefined],
  [['constructor.rules.x', '__proto__'], undefined],
])('the linter of rules %j is %s', async (sources, linter) => {
  expect(await linterOf(...sources)).toEqual(linter === undefined ? [] : [{ kind: 'coverage', part: { linter } }]);
});
