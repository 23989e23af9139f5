import type { NormalizedFinding, ParseOptions, ReportRecord, Severity } from '@breakwater/sdk';
import { type FormatReader, readByStart, startText } from '../../formats/by-start.ts';
import { readTextReport } from '../../formats/text-report.ts';
import { readXmlReport } from '../../formats/xml-report.ts';
import { readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, position, text } from '../../lib/read.ts';
import { readRecords } from '../../lib/records.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine } from '../../lib/text.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { CHECKSTYLE, failureOf, issueCheck, LINES } from './formats.ts';
import { type Failure, failureCheck } from './schema.ts';

const SARIF = SARIF_WRITERS.hadolint;
const NAME = SARIF.name;
const CODE = /"code"\s*:\s*"(?:DL|SC)\d{4}"/;
const CHECKSTYLE_CODE = /\ssource=['"](?:DL|SC)\d{4}['"]/;
const LINE_CODE = /^[^\n]{1,4200}:\d+:? (?:DL|SC)\d{4} /;
const ANY_LINE = new RegExp(LINE_CODE.source, 'm');
const CODECLIMATE_CODE = /"check_name"\s*:\s*"(?:DL|SC)\d{4}"/;
const SONAR_ENGINE = /"engineId"\s*:\s*"[Hh]adolint"/;

export function recogniseHadolint(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return start.includes('<checkstyle') && CHECKSTYLE_CODE.test(start) ? 0.98 : 0;
  if (isIssues(start)) return 0.98;
  if (!/^[[{]/.test(start)) return LINE_CODE.test(start) ? 0.95 : 0;
  const sketch = sketchJson(head);
  if (sketch.root === 'array' && CODE.test(start)) return 0.98;
  return hasKeys(sketch, 'code', 'message', 'line', 'file') ? 0.85 : sarifScore(head, SARIF);
}

const isIssues = (start: string): boolean =>
  /^[[{]/.test(start) && (CODECLIMATE_CODE.test(start) || SONAR_ENGINE.test(start));

/** @throws ReportError */
export const parseHadolint = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start): FormatReader => {
    if (start.startsWith('<')) return (whole) => readXmlReport(whole, CHECKSTYLE, options.signal, failureFinding);
    if (!/^[[{]/.test(start) && ANY_LINE.test(start)) return (whole) => parseLines(whole, options);
    return (whole) => (isIssues(start) ? parseIssues(whole, options) : parseJson(whole, options));
  });

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: {} }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, ranges: json.loose, list: 'report', check: failureCheck, tally };
    yield* readRecords({ ...source, signal: options.signal }, failureFinding);
  });

async function* parseLines(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  yield* readTextReport(await readReport(report, signal), LINES, signal, failureFinding);
}

/** Code Climate's issues are a list, or stand one after the other with a NUL between them; SonarQube's are below a name. */
async function* parseIssues(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, signal);
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at)) bytes[at] = 0x0a;
  yield* readJsonReport(bytes, { name: NAME, shape: { issues: 'records' } }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, check: issueCheck, tally, signal };
    for (const { records } of json.documents) {
      const ranges = records.get('issues');
      if (ranges !== undefined) yield* readRecords({ ...source, ranges, list: 'issues' }, (issue) => finding(issue));
    }
    yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, (issue) => finding(issue));
  });
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
