import {
  type ParseOptions,
  ReportError,
  type ReportInfo,
  type ReportParser,
  type ReportRecord,
  type ScanFailure,
} from '@breakwater/sdk';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { imageName } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { type Batch, type JsonFormat, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import {
  LATER,
  type LookupReader,
  type OpenReport,
  type ReadOptions,
  type RecordReader,
  readOpened,
  type StreamReader,
  streamJson,
} from '../../lib/json/stream-parser.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { coverageOf, SARIF_CONVENTIONS } from './coverage.ts';
import type { FileNames } from './file-address.ts';
import { type Result, resultCheck, resultFinding } from './result.ts';
import { SarifRun } from './run.ts';
import { type SarifWriter, toolOf, writerOf } from './writers.ts';

const RUN: JsonShape = {
  tool: 'value',
  results: 'records',
  artifacts: 'records',
  threadFlowLocations: 'records',
  taxonomies: 'value',
  automationDetails: 'value',
  originalUriBaseIds: 'value',
  invocations: {
    each: {
      workingDirectory: 'value',
      endTimeUtc: 'value',
      startTimeUtc: 'value',
      executionSuccessful: 'value',
      exitCodeDescription: 'value',
      exitSignalName: 'value',
      toolExecutionNotifications: 'value',
      toolConfigurationNotifications: 'value',
    },
  },
  properties: { object: { imageName: 'value' } },
};
const NAME = 'SARIF';
const FORMAT: JsonFormat = {
  name: NAME,
  shape: { version: 'value', $schema: 'value', runs: { each: RUN } },
  // Results are null where the rules were not run.
  writesNullLists: true,
};

/** SARIF of a tool that has a parser here is left to that one: its findings keep one tool, whatever the format. */
function recogniseSarif(head: Uint8Array): number {
  const score = shapeScore(head);
  return score > 0 && writerOf(head) !== undefined ? 0.4 : score;
}

function shapeScore(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (/^2\.\d/.test(sketch.texts.get('version') ?? '') && hasKeys(sketch, 'runs')) return 0.97;
  if (/sarif/i.test(sketch.texts.get('$schema') ?? '')) return 0.97;
  return hasKeys(sketch, 'runs') ? 0.7 : 0;
}

/** @throws ReportError */
const parseSarifReport = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readOpened(report, options, {}, (opened) => streamSarif(opened, options));

/** How sure a tool's parser is of a SARIF file: sure of what it wrote itself, else it may be told that it is its own. */
export function sarifScore(head: Uint8Array, writer: SarifWriter): number {
  if (shapeScore(head) === 0) return 0;
  return writerOf(head)?.name === writer.name ? 0.98 : 0.2;
}

export interface JsonOrSarif extends Omit<JsonFormat, 'name'>, ReadOptions {
  writer: SarifWriter;
}

/**
 * Reads the report of a tool that writes JSON of its own, and SARIF as well.
 * @throws ReportError
 */
export const readJsonOrSarif = (
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
  { writer, ...format }: JsonOrSarif,
  createReader: (tally: Tally) => StreamReader,
): AsyncIterable<ReportRecord> =>
  readOpened(report, options, format, (opened) =>
    shapeScore(opened.head) > 0
      ? streamSarif(opened, options, writer)
      : streamJson(opened, { name: writer.name, ...format }, options.signal, createReader),
  );

/**
 * Reads the SARIF of a tool whose own format is no JSON.
 * @throws ReportError
 */
export const parseSarifOf = (
  writer: SarifWriter,
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer, shape: {} }, () => {
    throw wrongTool(writer.name, 'it is no SARIF');
  });

const streamSarif = (opened: OpenReport, options: ParseOptions, writer?: SarifWriter): AsyncGenerator<Batch> =>
  streamJson(opened, FORMAT, options.signal, () => createSarifReader(options, writer));

function fileNamesOf(writer: SarifWriter | undefined): FileNames {
  if (writer === undefined) return 'below-common-folder';
  return writer.isBelowCheckout === true ? 'below-checkout' : 'absolute';
}

function createSarifReader(options: ParseOptions, writer: SarifWriter | undefined): StreamReader {
  const chosen = defined({
    fileNames: fileNamesOf(writer),
    type: writer?.type,
    families: writer?.families,
    family: options.family,
  });
  const runs = new WeakMap<JsonNode, SarifRun>();
  const runOf = (node: JsonNode): SarifRun => {
    const run = runs.get(node) ?? new SarifRun(node, chosen);
    runs.set(node, run);
    return run;
  };
  const resultsOf = (node: JsonNode | undefined): RecordReader<Result> | typeof LATER => {
    if (node === undefined) throw noRuns();
    const run = runOf(node);
    if (!run.hasTool) return LATER;
    const isFailure = writer?.scanErrors?.test(run.toolName) === true;
    const tool = writer === undefined ? toolOf(run.toolName) : undefined;
    return {
      check: resultCheck,
      read: (result) => (isFailure ? failureOf(result) : run.whenKnown(() => resultFinding(result, run, tool))),
    };
  };
  const lookup =
    (keep: (run: SarifRun, value: unknown) => void) =>
    (node: JsonNode | undefined): LookupReader => {
      if (node === undefined) throw noRuns();
      const run = runOf(node);
      return { keep: (value) => keep(run, value) };
    };
  let isInformed = false;
  let documents = 0;
  return {
    lists: {
      results: resultsOf,
      report: resultsOf,
      artifacts: lookup((run, value) => run.addArtifact(value)),
      threadFlowLocations: lookup((run, value) => run.addFlowLocation(value)),
    },
    survey: {
      results: (node, elements) => {
        if (node !== undefined) runOf(node).survey(elements);
      },
    },
    *document(document) {
      documents += 1;
      const written = document.children.get('runs');
      if (written === undefined) throw noRuns();
      if (writer !== undefined) assertWrittenBy(written, writer);
      const first = written.find((run) => writer?.scanErrors?.test(driverOf(run)) !== true);
      if (first !== undefined && !isInformed) yield reportInfo(first);
      isInformed ||= first !== undefined;
      yield* coverageOf(written, driverOf);
    },
    end() {
      if (documents === 0) throw noRuns();
      return [];
    },
  };
}

/** What a tool writes as a run of its own that is about the scan, not about the code. */
const failureOf = (result: Result): ScanFailure =>
  scanFailure(label(fields(fields(result).message).text) ?? 'The tool reports an error.');

function driverOf(run: JsonNode): string {
  return label(fields(fields(run.values.get('tool')).driver).name) ?? 'an unnamed tool';
}

function noRuns(): ReportError {
  return wrongTool(NAME, 'it has no “runs”');
}

/** @throws ReportError report_wrong_tool for SARIF of another tool */
function assertWrittenBy(runs: readonly JsonNode[], writer: SarifWriter): void {
  for (const run of runs) {
    const found = driverOf(run);
    if (!writer.driver.test(found)) throw writtenBy(found, writer);
  }
}

function writtenBy(found: string, { name }: SarifWriter): ReportError {
  return new ReportError('report_wrong_tool', `This is SARIF written by ${found}, not by ${name}. Upload it as sarif.`);
}

function reportInfo(run: JsonNode): ReportInfo {
  const driver = fields(fields(run.values.get('tool')).driver);
  const invocation = run.child('invocations')?.values;
  return defined({
    kind: 'report' as const,
    toolName: label(driver.name),
    toolVersion: label(driver.semanticVersion) ?? label(driver.version),
    target: targetImage(label(run.child('properties')?.values.get('imageName'))),
    date: isoDate(invocation?.get('endTimeUtc')) ?? isoDate(invocation?.get('startTimeUtc')),
  });
}

/** Trivy names an image, an archive or a folder here; only an image's name lasts. */
function targetImage(name: string | undefined): string | undefined {
  return name === undefined || /\.(?:tar|tar\.gz|tgz)$|^[./]/.test(name) ? undefined : imageName(name);
}

export const sarif: ReportParser = {
  tool: 'sarif',
  formats: ['sarif', 'json'],
  reads: SARIF_CONVENTIONS,
  recognise: recogniseSarif,
  parse: parseSarifReport,
};
