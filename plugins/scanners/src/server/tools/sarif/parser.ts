import type { ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { ReportError } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { readOrNothing, readReport } from '../../lib/decode.ts';
import { type JsonReader, readJsonReport } from '../../lib/json-parser.ts';
import { indexJson, type JsonNode, type JsonReport, type JsonShape } from '../../lib/json-report.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import { imageName } from '../../lib/paths.ts';
import { defined, fields, label } from '../../lib/read.ts';
import { readRecords, refuseForeign, Tally, wrongTool } from '../../lib/records.ts';
import { resultFinding } from './result.ts';
import { RunRules } from './rules.ts';
import { SarifRun } from './run.ts';
import { resultCheck } from './schema.ts';
import { type SarifWriter, writerOf } from './writers.ts';

const RUN: JsonShape = {
  tool: 'value',
  results: 'records',
  artifacts: 'records',
  threadFlowLocations: 'records',
  taxonomies: 'value',
  invocations: { each: { endTimeUtc: 'value', startTimeUtc: 'value' } },
  properties: { object: { imageName: 'value' } },
};
const SHAPE: JsonShape = { version: 'value', $schema: 'value', runs: { each: RUN } };
const NAME = 'SARIF';

/** SARIF of a tool that has a parser here is left to that one: its findings keep one tool, whatever the format. */
export function recogniseSarif(head: Uint8Array): number {
  const score = shapeScore(head);
  return score > 0 && writerOf(head) !== undefined ? 0.4 : score;
}

function shapeScore(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (/^2\.\d/.test(sketch.texts.get('version') ?? '') && hasKeys(sketch, 'runs')) return 0.97;
  if (/sarif/i.test(sketch.texts.get('$schema') ?? '')) return 0.97;
  return hasKeys(sketch, 'runs') ? 0.7 : 0;
}

/** True when the bytes are SARIF, which many tools write beside their own format. */
export function isSarif(bytes: Uint8Array): boolean {
  return shapeScore(bytes.subarray(0, 64 * 1024)) > 0;
}

/** @throws ReportError */
export async function* parseSarifReport(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  yield* parseSarif(await readReport(report, options.signal), options);
}

/** How sure a tool's parser is of a SARIF file: sure of what it wrote itself, else it may be told that it is its own. */
export function sarifScore(head: Uint8Array, writer: SarifWriter): number {
  if (shapeScore(head) === 0) return 0;
  return writerOf(head)?.name === writer.name ? 0.98 : 0.2;
}

/**
 * Reads SARIF that is in memory already; with `writer`, only that tool's.
 * @throws ReportError
 */
export function* parseSarif(bytes: Buffer, options: ParseOptions, writer?: SarifWriter): Generator<ReportRecord> {
  const json = indexJson(bytes, SHAPE);
  refuseForeign(bytes, NAME);
  const tally = new Tally();
  const isWhole = json.documents.length > 0 && json.documents.every((document) => document.children.has('runs'));
  if (!isWhole || json.loose.length > 0) throw wrongTool(NAME, undefined, 'it has no “runs”');
  const written = json.documents.flatMap((document) => document.children.get('runs') ?? []);
  if (writer !== undefined) assertWrittenBy(written, writer);
  const runs = written.filter((run) => writer?.faults?.test(driverOf(run)) !== true);
  if (runs[0] !== undefined) yield reportInfo(runs[0]);
  for (const run of runs) yield* runFindings(json, run, tally, options, writer);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}

/**
 * Reads the report of a tool that writes JSON of its own, and SARIF as well.
 * @throws ReportError
 */
export async function* parseJsonOrSarif(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
  { writer, shape, emptyMeansNone }: { writer: SarifWriter; shape: JsonShape; emptyMeansNone?: boolean },
  read: JsonReader,
): AsyncGenerator<ReportRecord> {
  const bytes = await (emptyMeansNone === true ? readOrNothing : readReport)(report, options.signal);
  if (bytes.length === 0) return;
  if (isSarif(bytes)) yield* parseSarif(bytes, options, writer);
  else yield* readJsonReport(bytes, { name: writer.name, shape }, read);
}

/** @throws ReportError report_wrong_tool for SARIF of another tool */
function assertWrittenBy(runs: readonly JsonNode[], { name, driver }: SarifWriter): void {
  for (const run of runs) {
    const found = driverOf(run);
    if (driver.test(found)) continue;
    throw new ReportError(
      'report_wrong_tool',
      `This is SARIF written by ${found}, not by ${name}. Upload it as sarif.`,
    );
  }
}

function driverOf(run: JsonNode): string {
  return label(fields(fields(run.values.get('tool')).driver).name) ?? 'an unnamed tool';
}

function* runFindings(
  report: JsonReport,
  node: JsonNode,
  tally: Tally,
  options: ParseOptions,
  writer: SarifWriter | undefined,
): Generator<ReportRecord> {
  const ranges = node.records.get('results');
  if (ranges === undefined) return;
  const rules = new RunRules(node.values.get('tool'), node.values.get('taxonomies'));
  const chosen = defined({ type: writer?.type, families: writer?.families, family: options.family });
  const run = new SarifRun(report.bytes, node, rules, chosen);
  const source = { report, ranges, list: 'results', check: resultCheck, tally, signal: options.signal };
  yield* readRecords(source, (result) => resultFinding(result, run));
}

function reportInfo(run: JsonNode): ReportInfo {
  const driver = fields(fields(run.values.get('tool')).driver);
  const invocation = run.children.get('invocations')?.[0]?.values;
  return defined({
    kind: 'report' as const,
    toolName: label(driver.name),
    toolVersion: label(driver.semanticVersion) ?? label(driver.version),
    target: targetImage(label(run.children.get('properties')?.[0]?.values.get('imageName'))),
    date: isoDate(invocation?.get('endTimeUtc')) ?? isoDate(invocation?.get('startTimeUtc')),
  });
}

/** Trivy names an image, an archive or a folder here; only an image's name lasts. */
function targetImage(name: string | undefined): string | undefined {
  return name === undefined || /\.(?:tar|tar\.gz|tgz)$|^[./]/.test(name) ? undefined : imageName(name);
}
