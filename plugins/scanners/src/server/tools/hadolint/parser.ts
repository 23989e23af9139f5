import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { advised, type FormatReader, readByStart, startText } from '../../lib/formats/by-start.ts';
import { readTextReport, type TextFormat } from '../../lib/formats/text-report.ts';
import { checkstyleError, checkstyleShape, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { piecesOf } from '../../lib/input/byte-window.ts';
import { readReport } from '../../lib/input/decode.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, recordsAlone } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

/** An element of the list. Source: hadolint Formatter/Json.hs, versions 1.0 to 2.14; the level came with 1.17. */
export const Failure = Type.Object({ code: Type.String({ minLength: 1 }), message: Type.Optional(Type.Unknown()) });
export type Failure = Static<typeof Failure>;
const failureCheck = recordCheck(Failure);

const SARIF = SARIF_WRITERS.hadolint;
const NAME = SARIF.name;
const CODE = /"code"\s*:\s*"(?:DL|SC)\d{4}"/;
const CHECKSTYLE_CODE = /\ssource=['"](?:DL|SC)\d{4}['"]/;
const LINE_CODE = /^[^\n]{1,4200}:\d+:? (?:DL|SC)\d{4} /;
const ANY_LINE = new RegExp(LINE_CODE.source, 'm');
const CODECLIMATE_CODE = /"check_name"\s*:\s*"(?:DL|SC)\d{4}"/;
const SONAR_ENGINE = /"engineId"\s*:\s*"[Hh]adolint"/;

function recogniseHadolint(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return start.includes('<checkstyle') && CHECKSTYLE_CODE.test(start) ? 0.98 : 0;
  if (isIssues(start)) return 0.98;
  if (!/^[[{]/.test(start)) return LINE_CODE.test(start) ? 0.95 : 0;
  const sketch = sketchJson(head);
  if (sketch.root === 'array' && CODE.test(start)) return 0.98;
  // ShellCheck's codes are numbers.
  const isFailure = hasKeys(sketch, 'code', 'message', 'line', 'file') && sketch.texts.has('code');
  return isFailure ? 0.85 : sarifScore(head, SARIF);
}

const isIssues = (start: string): boolean =>
  /^[[{]/.test(start) && (CODECLIMATE_CODE.test(start) || SONAR_ENGINE.test(start));

/** @throws ReportError */
const parseHadolint = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start): FormatReader => {
    if (start.startsWith('<')) return (whole) => readXmlReport(whole, CHECKSTYLE, options.signal, failureFinding);
    if (!/^[[{]/.test(start) && ANY_LINE.test(start)) return (whole) => parseLines(whole, options);
    return (whole) => (isIssues(start) ? parseIssues(whole, options) : parseJson(whole, options));
  });

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: {}, emptyForms: ['[]'] }, () =>
    recordsAlone(NAME, failureCheck, failureFinding),
  );

async function* parseLines(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  yield* readTextReport(await readReport(report, signal), LINES, signal, failureFinding);
}

/** Code Climate's issues are a list, or stand one after the other with a NUL between them; SonarQube's are below a name. */
async function* parseIssues(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at)) bytes[at] = 0x0a;
  const alone = recordsAlone(NAME, issueCheck, finding);
  const reader = { ...alone, lists: { ...alone.lists, issues: () => ({ check: issueCheck, read: finding }) } };
  yield* readJson(piecesOf(bytes), options, { name: NAME, shape: { issues: 'records' } }, () => reader);
}

const finding = (issue: object): NormalizedFinding => failureFinding(failureOf(issue));

function failureFinding(failure: Failure): NormalizedFinding {
  const record = fields(failure);
  const ruleId = label(failure.code) ?? 'unnamed rule';
  const message = text(record.message);
  const nativeSeverity = label(record.level);
  const path = normalisePath(record.file);
  const place = { startLine: position(record.line), startColumn: position(record.column) };
  const link = referenceOf(ruleId);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? ruleId),
    type: 'IaC' as const,
    severity: severityOf(nativeSeverity),
    nativeSeverity,
    description: message,
    references: link === undefined ? undefined : [link],
    locations: path === undefined ? undefined : [defined({ path, ...place })],
    language: 'dockerfile',
  });
}

/** Levels are error, warning, info, style and ignore: info is the third of four, style is no risk. */
function severityOf(level: string | undefined): Severity {
  if (level?.toLowerCase() === 'info') return 'low';
  return severityFromWord(level) ?? 'informational';
}

/** Its own rules are described in its wiki, those of ShellCheck in that tool's. */
function referenceOf(code: string): string | undefined {
  if (/^DL\d{4}$/.test(code)) return `https://github.com/hadolint/hadolint/wiki/${code}`;
  return /^SC\d{4}$/.test(code) ? `https://www.shellcheck.net/wiki/${code}` : undefined;
}

export const hadolint: ReportParser = {
  tool: 'hadolint',
  formats: ['json', 'sarif', 'checkstyle', 'codeclimate', 'gitlab_codeclimate', 'sonarqube', 'tty', 'gnu'],
  reads: orSarif({ part: {}, failure: [], identity: 'rule, path and code' }),
  recognise: recogniseHadolint,
  parse: advised(parseHadolint, 'hadolint --format json'),
};

/** Other linters write the same formats; the codes of its rules are Hadolint's alone. */
const codeCheck = recordCheck(Type.Object({ code: Type.String({ pattern: '^(?:DL|SC)\\d{4}$' }) }));

/** Source: hadolint src/Hadolint/Formatter/Checkstyle.hs, versions 1.0 to 2.14. */
export const CHECKSTYLE: XmlFormat<Failure> = {
  shape: checkstyleShape(NAME),
  check: codeCheck,
  record(element) {
    const { file, error } = checkstyleError(element);
    return {
      code: error.source,
      message: error.message,
      line: error.line,
      column: error.column,
      file,
      level: error.severity,
    };
  },
};

const FAILURE = /^(?:hadolint:)?(.+?):(\d+):? ((?:DL|SC)\d{4}) (?:(error|warning|info|style|ignore): )?/;

/** Lines of `--format tty` and `gnu`. Source: hadolint src/Hadolint/Formatter/TTY.hs and Gnu.hs; the level came with 1.19. */
export const LINES: TextFormat<Failure> = {
  tool: NAME,
  check: codeCheck,
  record(line) {
    const [start = '', file, place, code, level] = FAILURE.exec(line) ?? [];
    return code === undefined ? null : { code, message: line.slice(start.length), line: place, column: 1, file, level };
  },
};

/** An issue of Code Climate's format. Source: hadolint src/Hadolint/Formatter/Codeclimate.hs. */
const CodeclimateIssue = Type.Object({
  check_name: Type.String({ pattern: '^(?:DL|SC)\\d{4}$' }),
  location: Type.Object({ path: Type.String() }),
});
/** An issue of SonarQube's generic format. Source: hadolint src/Hadolint/Formatter/SonarQube.hs. */
const SonarIssue = Type.Object({
  engineId: Type.String({ pattern: '^[Hh]adolint$' }),
  ruleId: Type.String({ minLength: 1 }),
  primaryLocation: Type.Object({}),
});
const Issue = Type.Union([CodeclimateIssue, SonarIssue]);
export const issueCheck = recordCheck(Issue);

/** The tool's own levels, by the words that it translates them to. */
const CODECLIMATE: ReadonlyMap<unknown, string> = new Map([
  ['blocker', 'error'],
  ['major', 'warning'],
  ['info', 'info'],
  ['minor', 'style'],
]);
const SONAR: ReadonlyMap<unknown, string> = new Map([
  ['BLOCKER', 'error'],
  ['CRITICAL', 'error'],
  ['MAJOR', 'warning'],
  ['MINOR', 'info'],
  ['INFO', 'style'],
]);

/** An issue of either format as Hadolint's JSON would say it. */
export function failureOf(value: object): Failure {
  const issue = fields(value);
  return issue.check_name === undefined ? sonarFailure(issue) : codeclimateFailure(issue);
}

function codeclimateFailure(issue: Record<string, unknown>): Failure {
  const { path, lines, positions } = fields(issue.location);
  const begin = fields(fields(positions).begin);
  return failure(issue.check_name, {
    message: issue.description,
    line: fields(lines).begin ?? begin.line,
    column: begin.column ?? 1,
    file: path,
    level: CODECLIMATE.get(issue.severity),
  });
}

function sonarFailure(issue: Record<string, unknown>): Failure {
  const { message, filePath, textRange } = fields(issue.primaryLocation);
  const { startLine } = fields(textRange);
  return failure(issue.ruleId, {
    message,
    line: startLine,
    column: 1,
    file: filePath,
    level: SONAR.get(issue.severity),
  });
}

const failure = (code: unknown, rest: object): Failure => ({ code: String(code), ...rest });
