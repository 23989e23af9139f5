import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { scanFailures, scannedFiles } from '../../lib/findings/coverage.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { failedTest, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { cutOff, yamlAsJson } from '../../lib/formats/yaml.ts';
import { piecesOf } from '../../lib/input/byte-window.ts';
import { headText, readReport } from '../../lib/input/decode.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, isRecord, label } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
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

const SHAPE: JsonShape = { errors: 'value', generated_at: 'value', metrics: 'value', results: 'records' };
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
    if (format === 'xml') return (whole) => readXmlReport(whole, XML, options.signal, issueFinding);
    if (format === 'yaml') return (whole) => parseYaml(whole, options);
    return (whole) => (isCsv(Buffer.from(start)) ? parseRows(whole, options) : parseJson(whole, options));
  });

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, createReader);

async function* parseYaml(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  yield* parseJson(piecesOf(yamlAsJson(await readReport(report, options.signal), withLines)), options);
}

const createReader = (): StreamReader => {
  const results = { check: issueCheck, read: issueFinding };
  return {
    lists: { results: () => results, report: () => results },
    *document(document) {
      if (!document.lists.has('results')) throw wrongTool(NAME, 'it has no “results”');
      yield defined({ kind: 'report' as const, toolName: NAME, date: isoDate(document.values.get('generated_at')) });
      yield* scannedFiles(Object.keys(fields(document.values.get('metrics'))).filter((name) => name !== '_totals'));
      yield* scanFailures(document.values.get('errors'), ({ filename, reason }) =>
        [label(filename), label(reason) ?? 'could not be scanned'].filter((words) => words !== undefined).join(': '),
      );
    },
  };
};

const parseRows = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readTableReport(report, options, { tool: NAME, check: issueCheck }, issueFinding);

export const bandit: ReportParser = {
  tool: 'bandit',
  formats: ['json', 'csv', 'yaml', 'xml', 'sarif'],
  reads: orSarif({
    part: {},
    files: 'names of `metrics`',
    failure: ['`errors[]`'],
    identity: 'rule, path and code',
  }),
  recognise: recogniseBandit,
  parse: advised(parseBandit, 'bandit -f json'),
};
