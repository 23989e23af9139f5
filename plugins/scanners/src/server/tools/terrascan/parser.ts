import type { NormalizedFinding, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { lastingName, partOf, scanFailure, scanFailures } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { advised, type FormatReader, readByStart, startText } from '../../lib/formats/by-start.ts';
import { failedTest, junitShape, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { cutOff, yamlAsJson } from '../../lib/formats/yaml.ts';
import { piecesOf } from '../../lib/input/byte-window.ts';
import { readReport } from '../../lib/input/decode.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const Text = Type.String({ minLength: 1 });

/** One element of `results.violations`. Source: terrascan pkg/results/types.go, versions 1.0 to 1.19. */
export const Violation = Type.Union([Type.Object({ rule_id: Text }), Type.Object({ rule_name: Text })]);
export type Violation = Static<typeof Violation>;
export const violationCheck = recordCheck(Violation);

/** Passed rules, skipped violations and errors of the scan are no findings. */
const SHAPE: JsonShape = {
  results: { object: { violations: 'records', scan_errors: 'value', scan_summary: 'value', count: 'value' } },
};
const SARIF = SARIF_WRITERS.terrascan;
const NAME = SARIF.name;

function recogniseTerrascan(head: Uint8Array): number {
  if (formatOf(startText(head)) !== undefined) return 0.98;
  const sketch = sketchJson(head);
  const marks = ['violations', 'skipped_violations', 'passed_rules', 'scan_summary'];
  return marks.some((mark) => innerHas(sketch, 'results', mark)) ? 0.98 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseTerrascan = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start): FormatReader => {
    const format = formatOf(start);
    if (format === undefined) return (whole) => parseJson(whole, options);
    if (format === 'yaml') return (whole) => parseYaml(whole, options);
    if (format === 'xml') return (whole) => parseXml(whole, options);
    return (whole) => readXmlReport(whole, JUNIT, options.signal, violationFinding);
  });

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, writesNullLists: true }, createReader);

async function* parseYaml(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  yield* parseJson(piecesOf(yamlAsJson(await readReport(report, options.signal), assertWhole)), options);
}

/** The summary stands behind the violations; the first versions wrote counts. */
function assertWhole(report: unknown): unknown {
  const results = fields(fields(report).results);
  if (results.scan_summary === undefined && results.count === undefined) throw cutOff('its “scan_summary”');
  return report;
}

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = repaired(await readReport(report, signal));
  yield* readXmlReport(piecesOf(bytes), XML, signal, violationFinding);
}

const createReader = (): StreamReader => {
  const violations = { check: violationCheck, read: violationFinding };
  return {
    lists: { violations: () => violations, report: () => violations },
    *document(document) {
      const results = document.child('results');
      if (results?.isKnown !== true) throw wrongTool(NAME, 'its “results” have no “violations”');
      yield reportInfo(results);
      yield* coverageOf(results);
    },
  };
};

function* coverageOf(results: JsonNode): Generator<ReportRecord> {
  const summary = fields(results.values.get('scan_summary'));
  const type = label(summary.iac_type);
  // Where all types are tried, that there is nothing of a type is an error of it.
  const isTyped = type !== undefined && type !== 'all';
  yield* partOf({ type: isTyped ? type : undefined, folder: lastingName(summary['file/folder']) });
  if (isTyped)
    yield* scanFailures(
      results.values.get('scan_errors'),
      ({ errMsg, directory }) => label(errMsg) ?? label(directory),
    );
  const violated = number(summary.violated_policies) ?? 0;
  if (violated > 0 && !results.isListed('violations'))
    yield scanFailure(`The summary counts ${violated} violated policies, but none is listed.`);
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

export const terrascan: ReportParser = {
  tool: 'terrascan',
  formats: ['json', 'yaml', 'xml', 'junit-xml', 'sarif'],
  reads: orSarif({
    part: {
      type: '`scan_summary.iac_type`, unless all were tried',
      folder: '`scan_summary.file/folder`, unless a checkout folder',
    },
    failure: ['`scan_errors[]` of a chosen type', '`violated_policies` above 0 without `violations`'],
    identity: 'rule, path and resource',
  }),
  recognise: recogniseTerrascan,
  parse: advised(parseTerrascan, 'terrascan scan -o json'),
};

/** Attributes of a violation are named as the fields of the JSON. Source: terrascan pkg/results/types.go. */
export const XML: XmlFormat<Violation> = {
  shape: { root: 'results', namespace: '', records: ['violations/violation'], tool: NAME },
  check: violationCheck,
  record: ({ element }) => Object.fromEntries(element.attributes),
};

/** Labels of a failure's message, in order. Source: terrascan pkg/writer/junit_xml.go. */
const LABELS = [
  ['Description', 'description'],
  ['File', 'file'],
  ['Line', 'line'],
  ['Severity', 'severity'],
  ['Rule Name', 'rule_name'],
  ['Rule ID', 'rule_id'],
  ['Resource Name', 'resource_name'],
  ['Resource Type', 'resource_type'],
  ['Category', 'category'],
] as const;

/** Tests are rules that passed, violations, and skipped violations. */
export const JUNIT: XmlFormat<Violation> = {
  shape: junitShape(NAME),
  check: violationCheck,
  record(element) {
    const test = failedTest(element);
    return test === undefined ? undefined : labelled(test.failure.get('message') ?? '');
  },
};

/** `Description: a, b, File: main.tf, Line: 3 …`: read from the end, as a description may hold any of the labels. */
function labelled(message: string): Record<string, string> {
  const found: Record<string, string> = {};
  let rest = message;
  for (const [label, field] of LABELS.toReversed()) {
    const mark = `${label}: `;
    const at = field === 'description' ? rest.indexOf(mark) : rest.lastIndexOf(`, ${mark}`);
    if (at < 0) continue;
    const value = rest.slice(at + mark.length + (field === 'description' ? 0 : 2)).trim();
    if (value !== '' && value !== '""') found[field] = value;
    rest = rest.slice(0, at);
  }
  return found;
}

export type TerrascanFormat = 'xml' | 'junit' | 'yaml';

/** The format of a report that is not JSON; undefined for another tool's. */
export function formatOf(start: string): TerrascanFormat | undefined {
  if (JUNIT_START.test(start)) return 'junit';
  if (XML_START.test(start)) return 'xml';
  return YAML_START.test(start) ? 'yaml' : undefined;
}

const JUNIT_START = /^(?:<\?xml[^>]*\?>\s*)?<testsuites[^<>]*\sname="TERRASCAN_POLICY_SUITES"/;
const XML_START =
  /^(?:<\?xml[^>]*\?>\s*)?<results>\s*<(?:violations|scan_errors|passed_rules|skipped_violations|scan_summary)\b/;
const YAML_START =
  /^(?:---[ \t]*\n)?results:[ \t]*\r?\n(?:.*\n)*? +(?:violations|skipped_violations|passed_rules|scan_summary):/;

const WRONG_NAME = Buffer.from(' file/folder="');

/**
 * The summary's attribute `file/folder` is no name that XML allows. In texts its quote would be written `&#34;`, so the one that is
 * found is the attribute.
 */
export function repaired(bytes: Buffer): Buffer {
  const at = bytes.indexOf(WRONG_NAME);
  if (at >= 0) bytes[at + ' file'.length] = '_'.charCodeAt(0);
  return bytes;
}
