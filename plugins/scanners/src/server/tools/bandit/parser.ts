import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readRows } from '../../lib/formats/csv.ts';
import { failedTest, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { cutOff, yamlAsJson } from '../../lib/formats/yaml.ts';
import { headText, readReport } from '../../lib/input/decode.ts';
import { readJsonReport, readRecords, Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonReport, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { defined, fields, isRecord } from '../../lib/values/read.ts';
import { isSarif, parseSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { type Issue, issueCheck, issueFinding } from './issue.ts';

const TEXT = /Test ID: (\w+) Severity: (\w+) Confidence: (\w+)/;
const WEAKNESS = /\nCWE: (?:CWE-(\d{1,5}) )?\(?(https?:\/\/[^\s)]+)?/;
const PLACE = /\nLocation [^\n]*?:(\d+)\s*$/;

/** Source: bandit/formatters/xml.py, versions 0.12 to 1.8; the weakness came with 1.7.3. */
export const XML: XmlFormat<Issue> = {
  shape: { root: 'testsuite', namespace: '', records: ['testcase'], tool: 'Bandit' },
  check: issueCheck,
  record(element) {
    const test = failedTest(element);
    if (test === undefined) return undefined;
    const [, id, severity, confidence] = TEXT.exec(test.text) ?? [];
    const [, cwe, link] = WEAKNESS.exec(test.text) ?? [];
    return {
      filename: test.classname,
      test_name: test.name,
      test_id: id,
      issue_severity: severity ?? test.failure.get('type'),
      issue_confidence: confidence,
      issue_cwe: { id: cwe, link },
      issue_text: test.failure.get('message'),
      line_number: PLACE.exec(test.text)?.[1],
      more_info: test.failure.get('more_info'),
    };
  },
};

/**
 * The code of an issue in YAML has `\n` in the place of its line ends: those before the number of a line are meant.
 * @throws ReportError report_malformed for a report that is cut off
 */
export function withLines(report: unknown): unknown {
  const { results } = fields(report);
  const last = Array.isArray(results) ? results.at(-1) : undefined;
  // Names are sorted: that of the test is the last one of a result, and the results are the last part of the report.
  if (
    !Array.isArray(results) ||
    (last !== undefined && !isRecord(last)) ||
    (isRecord(last) && typeof last.test_name !== 'string')
  ) {
    throw cutOff('the “test_name” of its last result');
  }
  for (const result of results) {
    if (!isRecord(result) || typeof result.code !== 'string') continue;
    result.code = result.code.replace(/\\n(?=\s*\d+[ \t]|\s*$)/g, '\n');
  }
  return report;
}

/** The format of a report that is neither JSON nor CSV; undefined for another tool's. */
export function formatOf(start: string): 'xml' | 'yaml' | undefined {
  if (/^(?:<\?xml[^>]*\?>\s*)?<testsuite name="bandit"/.test(start)) return 'xml';
  const isYaml =
    /^(?:---\s+)?errors:/.test(start) && start.includes('\ngenerated_at: ') && start.includes('\nmetrics:');
  return isYaml ? 'yaml' : undefined;
}

const SHAPE: JsonShape = { results: 'records', generated_at: 'value' };
const SARIF = SARIF_WRITERS.bandit;
const NAME = SARIF.name;

function recogniseBandit(head: Uint8Array): number {
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
const parseBandit = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
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

export const bandit: ReportParser = {
  tool: 'bandit',
  formats: ['json', 'csv', 'yaml', 'xml', 'sarif'],
  recognise: recogniseBandit,
  parse: advised(parseBandit, 'bandit -f json'),
};
