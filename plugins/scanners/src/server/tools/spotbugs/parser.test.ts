import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { spotbugs } from './parser.ts';

const report = (...inner: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<BugCollection version="4.8.6">${inner.join('')}</BugCollection>`;
const line = (start: number) =>
  `<SourceLine classname="a.B" start="${start}" end="${start}" sourcefile="B.java" sourcepath="a/B.java"/>`;
const bug = (inner: string, type = 'COMMAND_INJECTION') =>
  `<BugInstance type="${type}" priority="1" rank="5" category="SECURITY" instanceHash="abc">${inner}</BugInstance>`;

test('a bug at its own line, with what stands behind it of its pattern', async () => {
  const pattern =
    '<BugPattern type="COMMAND_INJECTION" cweid="78"><ShortDescription>Command injection</ShortDescription><Details>&lt;p&gt;Do not.&lt;/p&gt;</Details></BugPattern>';
  const { findings, info } = await parseText(
    spotbugs,
    report(bug(`<Class classname="a.B">${line(1)}</Class>${line(12)}`), pattern),
  );
  expect(info).toEqual([{ kind: 'report', toolName: 'SpotBugs', toolVersion: '4.8.6' }]);
  expect(findings).toEqual([
    {
      kind: 'finding',
      ruleId: 'COMMAND_INJECTION',
      title: 'Command injection',
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'High',
      cwe: [78],
      mitigation: 'Do not.',
      locations: [{ path: 'a/B.java', startLine: 12, endLine: 12 }],
      fingerprint: 'abc',
      policy: { category: 'SECURITY' },
      tags: ['security'],
      language: 'java',
    },
  ]);
});

test('a bug without a line of its own stands where its method or class does', async () => {
  const { findings } = await parseText(
    spotbugs,
    report(bug(`<Class classname="a.B">${line(1)}</Class><Method name="m">${line(7)}</Method>`)),
  );
  expect(findings[0]?.locations).toEqual([{ path: 'a/B.java', startLine: 7, endLine: 7 }]);
});

test('a class that could not be analysed makes the scan incomplete, missing classes do not', async () => {
  const errors =
    '<Errors errors="1" missingClasses="1"><MissingClass>x.Y</MissingClass><Error><ErrorMessage>Unable to scan a.B</ErrorMessage></Error></Errors>';
  expect((await parseText(spotbugs, report(errors))).failures).toEqual(['Unable to scan a.B']);
  const missing = '<Errors errors="0" missingClasses="1"><MissingClass>x.Y</MissingClass></Errors>';
  expect((await parseText(spotbugs, report(missing))).failures).toEqual([]);
});

test('every bug of a recorded report has its place', async () => {
  const { findings } = await parseBytes(spotbugs, sampleBytes('spotbugs/many_findings.xml'));
  expect(findings.filter(({ locations }) => locations === undefined)).toEqual([]);
  expect(findings[0]?.mitigation).not.toContain('<');
});

test('a priority that is none of SpotBugs', async () => {
  const odd = bug(line(3)).replace('priority="1"', 'priority="constructor"');
  expect((await parseText(spotbugs, report(odd))).findings).toMatchObject([
    { severity: 'informational', nativeSeverity: 'Ignored' },
  ]);
});
