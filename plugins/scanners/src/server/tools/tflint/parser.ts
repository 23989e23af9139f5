import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { type FormatReader, readByStart, startText } from '../../formats/by-start.ts';
import { readTextReport } from '../../formats/text-report.ts';
import { readXmlReport } from '../../formats/xml-report.ts';
import { readReport } from '../../lib/decode.ts';
import type { JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { CHECKSTYLE, COMPACT, formatOf, JUNIT, showsRule } from './formats.ts';
import { issueFinding } from './issue.ts';
import { issueCheck } from './schema.ts';

/** `errors` are faults of the scan, not of the code. */
const SHAPE: JsonShape = { issues: 'records', errors: 'records' };
const SARIF = SARIF_WRITERS.tflint;
const NAME = SARIF.name;

export function recogniseTflint(head: Uint8Array): number {
  const start = startText(head);
  if (formatOf(start) !== undefined) return showsRule(start) ? 0.98 : 0.4;
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'issues', 'rule', 'range') || innerHas(sketch, 'issues', 'rule', 'callers')) return 0.98;
  if (hasKeys(sketch, 'issues', 'errors') && sketch.keys.size === 2) return 0.9;
  return hasKeys(sketch, 'detector', 'type', 'file') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
export const parseTflint = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start): FormatReader => {
    const format = formatOf(start);
    if (format === 'compact') return (whole) => parseCompact(whole, options);
    if (format === undefined) return (whole) => parseJson(whole, options);
    const xml = format === 'junit' ? JUNIT : CHECKSTYLE;
    return (whole) => readXmlReport(whole, xml, options.signal, issueFinding);
  });

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, (json, tally) =>
    readIssues(json, tally, options.signal),
  );

async function* parseCompact(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  yield* readTextReport(await readReport(report, signal), COMPACT, signal, issueFinding);
}

function* readIssues(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const source = { report: json, check: issueCheck, tally, signal };
  yield { kind: 'report', toolName: NAME };
  for (const document of json.documents) {
    const issues = document.records.get('issues');
    if (issues === undefined) throw wrongTool(NAME, undefined, 'it has no “issues”');
    yield* readRecords({ ...source, ranges: issues, list: 'issues' }, issueFinding);
  }
  yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, issueFinding);
}
