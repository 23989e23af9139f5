import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { scanFailures } from '../../lib/findings/coverage.ts';
import { advised, type FormatReader, readByStart, startText } from '../../lib/formats/by-start.ts';
import { readTextReport, type TextFormat } from '../../lib/formats/text-report.ts';
import {
  checkstyleError,
  checkstyleShape,
  failedTest,
  junitShape,
  readXmlReport,
  type XmlFormat,
} from '../../lib/formats/xml-report.ts';
import { readReport } from '../../lib/input/decode.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { label } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { issueCheck, issueFinding, type TflintIssue } from './issue.ts';

/** `errors` are those of the scan, not of the code. */
const SHAPE: JsonShape = { issues: 'records', errors: 'value' };
const SARIF = SARIF_WRITERS.tflint;
const NAME = SARIF.name;

function recogniseTflint(head: Uint8Array): number {
  const start = startText(head);
  if (formatOf(start) !== undefined) return showsRule(start) ? 0.98 : 0.4;
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'issues', 'rule', 'range') || innerHas(sketch, 'issues', 'rule', 'callers')) return 0.98;
  if (hasKeys(sketch, 'issues', 'errors') && sketch.keys.size === 2) return 0.9;
  return hasKeys(sketch, 'detector', 'type', 'file') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseTflint = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start): FormatReader => {
    const format = formatOf(start);
    if (format === 'compact') return (whole) => parseCompact(whole, options);
    if (format === undefined) return (whole) => parseJson(whole, options);
    const xml = format === 'junit' ? JUNIT : CHECKSTYLE;
    return (whole) => readXmlReport(whole, xml, options.signal, issueFinding);
  });

/** Before 0.8 a report was the bare list. */
const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(
    report,
    options,
    { writer: SARIF, shape: SHAPE, writesNullLists: true, emptyForms: ['[]'] },
    createReader,
  );

async function* parseCompact(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  yield* readTextReport(await readReport(report, signal), COMPACT, signal, issueFinding);
}

const createReader = (): StreamReader => {
  const issues = { check: issueCheck, read: issueFinding };
  return {
    lists: { issues: () => issues, report: () => issues },
    *document(document) {
      if (!document.lists.has('issues')) throw wrongTool(NAME, 'it has no “issues”');
      yield* scanFailures(
        document.values.get('errors'),
        ({ message, summary }) => label(message) ?? label(summary) ?? 'The tool reports an error.',
      );
    },
    end: () => [{ kind: 'report', toolName: NAME }],
  };
};

export const tflint: ReportParser = {
  tool: 'tflint',
  formats: ['json', 'sarif', 'checkstyle', 'junit', 'compact'],
  reads: orSarif({
    part: {},
    failure: ['`errors[]`', 'SARIF: results of the run `tflint-errors`'],
    identity: 'rule, path and code',
  }),
  recognise: recogniseTflint,
  parse: advised(parseTflint, 'tflint --format json'),
};

/** Other linters write the same formats; names of TFLint's rules are in snake case. */
const RULE = '^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$';
const ruleCheck = recordCheck(Type.Object({ rule: Type.Object({ name: Type.String({ pattern: RULE }) }) }));

/** Source: tflint formatter/checkstyle.go, versions 0.8 to 0.59. Errors of the scan stand below “(application)” or have no rule. */
export const CHECKSTYLE: XmlFormat<TflintIssue> = {
  shape: checkstyleShape(NAME),
  check: ruleCheck,
  record(element) {
    const { file, error } = checkstyleError(element);
    if (file === '(application)' || error.rule === '') return undefined;
    const start = { line: error.line, column: error.column };
    const rule = { name: error.rule ?? error.source, severity: error.severity, link: error.link };
    return { rule, message: error.message, range: { filename: file, start } };
  },
};

const FAILURE = /^(\w+): ([\s\S]*)\nRule: (\S+)\nRange: (.+)$/;

/** Source: tflint formatter/junit.go. Errors of the scan have no rule in their text. */
export const JUNIT: XmlFormat<TflintIssue> = {
  shape: junitShape(NAME),
  check: ruleCheck,
  record(element) {
    const test = failedTest(element);
    if (test === undefined || /^error$/.test(test.failure.get('type') ?? '')) return undefined;
    const [, severity, message, name, range] = FAILURE.exec(test.text.trim()) ?? [];
    return { rule: { name, severity: severity?.toLowerCase() }, message, range: rangeOf(range) };
  },
};

/** Go's `hcl.Range`: `main.tf:1,2-4` on one line, `main.tf:1,2-3,4` over several. */
function rangeOf(range: string | undefined): unknown {
  const [, filename, line, column, last, end] = /^(.*):(\d+),(\d+)-(?:(\d+),)?(\d+)$/.exec(range ?? '') ?? [];
  return { filename, start: { line, column }, end: { line: last ?? line, column: end } };
}

const LINE = /^(.+?):(\d+):(\d+): (Error|Warning|Notice) - /;
const RULE_NAME = /^\w+\)$/;
/** What stands around the issues: how many there are, and errors of the scan, whose level is in lower case. */
const AROUND = /^\d+ issue\(s\) found:$|^.+:\d+:\d+: (?:error|warning) - /;

/** Source: tflint formatter/compact.go. */
export const COMPACT: TextFormat<TflintIssue> = {
  tool: NAME,
  check: ruleCheck,
  record(text) {
    const [start = '', filename, line, column, severity] = LINE.exec(text) ?? [];
    const open = text.lastIndexOf(' (');
    if (severity === undefined || open < start.length || !RULE_NAME.test(text.slice(open + 2)))
      return AROUND.test(text) ? undefined : null;
    const name = text.slice(open + 2, -1);
    const message = text.slice(start.length, open);
    return { rule: { name, severity: severity?.toLowerCase() }, message, range: { filename, start: { line, column } } };
  },
};

const CHECKSTYLE_START = /^<\?xml[^>]*\?>\s*<checkstyle\s*>/;
const CHECKSTYLE_RULE = /<error\s[^<>]*\slink="[^"]*"\s+rule="/;
const JUNIT_START = /^<\?xml[^>]*\?>\s*<testsuites>\s*<testsuite tests="\d+" failures="\d+" time="0" name="">/;

/** The format of XML or text that a report begins as; undefined for another tool's. */
export function formatOf(start: string): 'checkstyle' | 'junit' | 'compact' | undefined {
  if (/^\d{1,9} issue\(s\) found:\s/.test(start)) return 'compact';
  if (JUNIT_START.test(start)) return 'junit';
  const isCheckstyle = CHECKSTYLE_START.test(start);
  return isCheckstyle && (!start.includes('<error') || CHECKSTYLE_RULE.test(start)) ? 'checkstyle' : undefined;
}

/** True when the report shows a rule of TFLint's: one without results could be of several tools. */
export const showsRule = (start: string): boolean =>
  CHECKSTYLE_RULE.test(start) || /(?:\n|&#xA;)Rule: \w+(?:\n|&#xA;)Range: /.test(start) || / \(\w+\)\s*$/m.test(start);
