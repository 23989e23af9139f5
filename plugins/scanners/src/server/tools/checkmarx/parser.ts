import type { ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { readXml, type XmlShape } from '../../lib/formats/xml.ts';
import { headText, peek, readReport } from '../../lib/input/decode.ts';
import { isCheckmarxJson } from '../../lib/json/known-tools.ts';
import { readJsonReport, readRecords, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape, Ranges } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { vulnerabilityFinding } from '../gitlab/vulnerability.ts';
import { isSarif, parseSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { oneFinding } from './one-result.ts';
import { osaFindings, riskReportFindings } from './osa.ts';
import { REPORT_SHAPE, reportFindings } from './report.ts';
import { issueFindings, resultFinding } from './sast.ts';
import {
  dateOf,
  flowIssueCheck,
  gitlabVulnerabilityCheck,
  longDate,
  looseResultCheck,
  oneResultCheck,
} from './schema.ts';

const SHAPE: JsonShape = {
  ...REPORT_SHAPE,
  results: 'records',
  totalCount: 'value',
  scanID: 'value',
  xissues: 'records',
  version: 'value',
  vulnerabilities: 'records',
  scan: 'value',
  RiskReportSummary: 'value',
  Packages: 'records',
  Vulnerabilities: 'records',
};
const NAME = 'Checkmarx';
const XML: XmlShape = { root: 'CxXMLResults', namespace: '', records: ['Query/Result'], tool: NAME };
const OSA = /^\s*\[\s*\[(?:\s*\]\s*,\s*\[)?\s*\{/;

function recogniseCheckmarx(head: Uint8Array): number {
  const start = headText(head).toString('utf8');
  if (/^\s*</.test(start)) return /<CxXMLResults[\s>]/.test(start.slice(0, 4_096)) ? 0.98 : 0;
  if (isCheckmarxJson(head)) return 0.97;
  if (OSA.test(start) && /"(?:libraryId|highUniqueVulnerabilityCount)"/.test(start)) return 0.95;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'similarityId', 'vulnerabilityDetails')) return 0.9;
  return sarifScore(head, SARIF_WRITERS.checkmarx);
}

/** @throws ReportError */
export async function* parseCheckmarx(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 1_024);
  if (headText(start.head).toString('utf8').trimStart().startsWith('<')) yield* parseXml(start.report, options);
  else {
    const bytes = await readReport(start.report, options.signal);
    if (isSarif(bytes)) yield* parseSarif(bytes, options, SARIF_WRITERS.checkmarx);
    else
      yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readAll(json, tally, options.signal));
  }
}

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  let isFirst = true;
  for await (const { element, above } of readXml(report, XML, signal)) {
    const [root, query] = above;
    const date = longDate(root?.get('ScanStart'));
    if (isFirst) yield reportInfo(root?.get('CheckmarxVersion'), date);
    isFirst = false;
    yield resultFinding(element, query ?? new Map(), date);
  }
  if (isFirst) yield reportInfo(undefined, undefined);
}

function* readAll(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  for (const document of json.documents) yield* readDocument(json, document, tally, signal);
  if (json.documents.length === 0) yield reportInfo(undefined, undefined);
  if (isOsa(json)) yield* osaFindings(json, tally, signal);
  else {
    const loose = { report: json, ranges: json.loose, list: 'report', check: looseResultCheck, tally, signal };
    yield* readRecords(loose, oneFinding);
  }
}

/** Two lists in a list. */
function isOsa({ bytes, loose }: JsonReport): boolean {
  return loose.length > 0 && bytes[loose.start(0)] === 0x5b;
}

function* readDocument(json: JsonReport, node: JsonNode, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const { records, values } = node;
  const source = { report: json, tally, signal };
  const header = fields(values.get('reportHeader'));
  // In GitLab's format the version is that of the format.
  const version = values.has('scan') ? fields(fields(values.get('scan')).scanner).version : values.get('version');
  yield reportInfo(version, dateOf(header.createdDate) ?? dateOf(header.scanDate));
  const results = records.get('results');
  const issues = records.get('xissues');
  const vulnerabilities = records.get('vulnerabilities');
  const isReport = ['scanResults', 'iacScanResults', 'scaScanResults'].some((key) => node.children.has(key));
  if (isReport) yield* reportFindings(json, node, tally, signal);
  else if (results !== undefined)
    yield* readRecords({ ...source, ranges: results, list: 'results', check: oneResultCheck }, oneFinding);
  else if (issues !== undefined)
    yield* readRecords({ ...source, ranges: issues, list: 'xissues', check: flowIssueCheck }, (issue) =>
      issueFindings(fields(issue)),
    );
  else if (records.has('Vulnerabilities') || values.has('RiskReportSummary'))
    yield* riskReportFindings(json, node, tally, signal);
  else if (vulnerabilities !== undefined)
    yield* gitlabFindings(json, { ranges: vulnerabilities, scan: fields(values.get('scan')) }, tally, signal);
  else if (!values.has('reportHeader')) throw wrongTool(NAME, undefined, 'it has no “results” or “scanResults”');
}

/** GitLab's format says less than Checkmarx knows: the query is the name, the only identifier is the path's. */
function* gitlabFindings(
  json: JsonReport,
  { ranges, scan }: { ranges: Ranges; scan: Record<string, unknown> },
  tally: Tally,
  signal: AbortSignal,
): Generator<ReportRecord> {
  const source = { report: json, ranges, list: 'vulnerabilities', check: gitlabVulnerabilityCheck, tally, signal };
  yield* readRecords(source, (record) => {
    const made = vulnerabilityFinding(record, { scan, ecosystems: new Map() });
    const fingerprint = label(fields(record.identifiers[0]).value);
    return defined({ ...made, ruleId: label(record.name) ?? made.ruleId, fingerprint });
  });
}

function reportInfo(version: unknown, date: string | undefined): ReportInfo {
  return defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version), date });
}

export const checkmarx: ReportParser = {
  tool: 'checkmarx',
  formats: ['xml', 'json', 'sarif'],
  recognise: recogniseCheckmarx,
  parse: parseCheckmarx,
};
