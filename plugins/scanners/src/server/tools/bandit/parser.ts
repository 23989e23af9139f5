import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { yamlAsJson } from '../../formats/block-yaml.ts';
import { readByStart, startText } from '../../formats/by-start.ts';
import { readXmlReport } from '../../formats/xml-report.ts';
import { csvColumns, readRows } from '../../lib/csv-rows.ts';
import { isoDate } from '../../lib/dates.ts';
import { headText, readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import type { JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { defined } from '../../lib/read.ts';
import { readRecords, Tally, wrongTool } from '../../lib/records.ts';
import { isSarif, parseSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { formatOf, withLines, XML } from './formats.ts';
import { issueFinding } from './issue.ts';
import { issueCheck } from './schema.ts';

const SHAPE: JsonShape = { results: 'records', generated_at: 'value' };
const SARIF = SARIF_WRITERS.bandit;
const NAME = SARIF.name;

export function recogniseBandit(head: Uint8Array): number {
  const sketch = sketchJson(head);
  // Keys are sorted and the results come last, after the metrics of every file.
  if (hasKeys(sketch, 'generated_at', 'metrics', 'errors')) return 0.98;
  if (innerHas(sketch, 'results', 'test_id', 'issue_text') || hasKeys(sketch, 'test_name', 'issue_text')) return 0.98;
  if (formatOf(startText(head)) !== undefined) return 0.98;
  return isCsv(headText(head)) ? 0.95 : sarifScore(head, SARIF);
}

function isCsv(bytes: Buffer): boolean {
  const columns = csvColumns(bytes);
  return ['filename', 'test_name', 'issue_text'].every((name) => columns.includes(name));
}

/** @throws ReportError */
export const parseBandit = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    const format = formatOf(start);
    return format === 'xml'
      ? (whole) => readXmlReport(whole, XML, options.signal, issueFinding)
      : (whole) => parseWhole(whole, options, format === 'yaml');
  });

async function* parseWhole(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
  isYaml: boolean,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  if (isCsv(bytes)) yield* parseRows(bytes, options.signal);
  else if (isSarif(bytes)) yield* parseSarif(bytes, options, SARIF);
  else {
    const json = isYaml ? yamlAsJson(bytes, withLines) : bytes;
    yield* readJsonReport(json, { name: NAME, shape: SHAPE }, (read, tally) =>
      readResults(read, tally, options.signal),
    );
  }
}

function* readResults(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const source = { report: json, check: issueCheck, tally, signal };
  for (const document of json.documents) {
    const results = document.records.get('results');
    if (results === undefined) throw wrongTool(NAME, undefined, 'it has no “results”');
    const date = isoDate(document.values.get('generated_at'));
    yield defined({ kind: 'report' as const, toolName: NAME, date });
    yield* readRecords({ ...source, ranges: results, list: 'results' }, issueFinding);
  }
  yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, issueFinding);
}

async function* parseRows(bytes: Buffer, signal: AbortSignal): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: NAME };
  yield* readRows({ bytes, check: issueCheck, tally, signal }, issueFinding);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}
