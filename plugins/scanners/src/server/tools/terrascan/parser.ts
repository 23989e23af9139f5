import type { NormalizedFinding, ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { cutOff, yamlAsJson } from '../../formats/block-yaml.ts';
import { type FormatReader, readByStart, startText } from '../../formats/by-start.ts';
import { readXmlReport } from '../../formats/xml-report.ts';
import { isoDate } from '../../lib/dates.ts';
import { readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json-report.ts';
import { innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, position, text } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine } from '../../lib/text.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { formatOf, JUNIT, repaired, XML } from './formats.ts';
import { type Violation, violationCheck } from './schema.ts';

/** Passed rules, skipped violations and faults of the scan are no findings. */
const SHAPE: JsonShape = { results: { object: { violations: 'records', scan_summary: 'value', count: 'value' } } };
const SARIF = SARIF_WRITERS.terrascan;
const NAME = SARIF.name;

export function recogniseTerrascan(head: Uint8Array): number {
  if (formatOf(startText(head)) !== undefined) return 0.98;
  const sketch = sketchJson(head);
  const marks = ['violations', 'skipped_violations', 'passed_rules', 'scan_summary'];
  return marks.some((mark) => innerHas(sketch, 'results', mark)) ? 0.98 : sarifScore(head, SARIF);
}

/** @throws ReportError */
export const parseTerrascan = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start): FormatReader => {
    const format = formatOf(start);
    if (format === undefined) return (whole) => parseJson(whole, options);
    if (format === 'yaml') return (whole) => parseYaml(whole, options);
    if (format === 'xml') return (whole) => parseXml(whole, options);
    return (whole) => readXmlReport(whole, JUNIT, options.signal, violationFinding);
  });

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, (json, tally) =>
    readViolations(json, tally, options.signal),
  );

async function* parseYaml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = yamlAsJson(await readReport(report, signal), assertWhole);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readViolations(json, tally, signal));
}

/** The summary stands behind the violations; the first versions wrote counts. */
function assertWhole(report: unknown): unknown {
  const results = fields(fields(report).results);
  if (results.scan_summary === undefined && results.count === undefined) throw cutOff('its “scan_summary”');
  return report;
}

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = repaired(await readReport(report, signal));
  yield* readXmlReport(inOne(bytes), XML, signal, violationFinding);
}

async function* inOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function* readViolations(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const source = { report: json, list: 'violations', check: violationCheck, tally, signal };
  for (const document of json.documents) {
    const results = document.children.get('results')?.[0];
    if (results?.isKnown !== true) throw wrongTool(NAME, undefined, 'its “results” have no “violations”');
    yield reportInfo(results);
    const ranges = results.records.get('violations');
    if (ranges !== undefined) yield* readRecords({ ...source, ranges }, violationFinding);
  }
  yield* readRecords({ ...source, ranges: json.loose }, violationFinding);
}

/** Go writes times as `2021-05-19 13:17:04.067888 +0000 UTC`. */
function reportInfo(results: JsonNode): ReportInfo {
  const { scanned_at: time } = fields(results.values.get('scan_summary'));
  const date = isoDate(label(time)?.replace(/ UTC$/, ''));
  return defined({ kind: 'report' as const, toolName: NAME, date });
}

function violationFinding(violation: Violation): NormalizedFinding {
  const record = fields(violation);
  const name = label(record.rule_name);
  const ruleId = label(record.rule_id) ?? name ?? 'unnamed rule';
  const description = text(record.description);
  const nativeSeverity = label(record.severity);
  const path = normalisePath(record.file);
  const type = label(record.resource_type);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(description ?? name ?? ruleId),
    type: 'IaC' as const,
    severity: severityFromWord(nativeSeverity) ?? 'medium',
    nativeSeverity,
    description,
    locations: path === undefined ? undefined : [defined({ path, startLine: position(record.line) })],
    resource: label(record.resource_name) ?? type,
    policy: defined({ name, category: label(record.category), control: ruleId }),
    tags: type === undefined ? undefined : [type],
  });
}
