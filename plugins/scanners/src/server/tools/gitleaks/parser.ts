import { Readable } from 'node:stream';
import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { ReportError } from '@breakwater/sdk';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { headText, readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import { readRecords, Tally, wrongTool } from '../../lib/records.ts';
import { isSarif, parseSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { leakFinding } from './finding.ts';
import { gitleaksCheck } from './schema.ts';

const NAME = 'Gitleaks';
const SARIF = SARIF_WRITERS.gitleaks;
const CSV_HEAD = /^\s*"?RuleID"?\s*,/;

export function recogniseGitleaks(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'RuleID', 'File') && (hasKeys(sketch, 'Secret') || hasKeys(sketch, 'Match'))) return 0.98;
  if (hasKeys(sketch, 'rule', 'file', 'offender') || hasKeys(sketch, 'rule', 'file', 'commitMessage')) return 0.95;
  return isCsv(headText(head)) ? 0.95 : sarifScore(head, SARIF);
}

function isCsv(bytes: Buffer): boolean {
  const line = bytes.toString('utf8', 0, 500).split('\n', 1)[0] ?? '';
  return CSV_HEAD.test(line) && /\bFile\b/.test(line);
}

/** @throws ReportError */
export async function* parseGitleaks(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  if (isCsv(bytes)) yield* parseRows(bytes, options);
  else if (isSarif(bytes)) yield* parseSarif(bytes, options, SARIF);
  else yield* parseJson(bytes, options);
}

const parseJson = (bytes: Buffer, { signal }: ParseOptions): Generator<ReportRecord> =>
  readJsonReport(bytes, { name: NAME, shape: {} }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, ranges: json.loose, list: 'report', check: gitleaksCheck, tally, signal };
    yield* readRecords(source, leakFinding);
  });

async function* parseRows(bytes: Buffer, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: NAME };
  let line = 1;
  for await (const row of rowsOf(bytes)) {
    line += 1;
    if (line % 256 === 0) options.signal.throwIfAborted();
    if (gitleaksCheck.accepts(row)) {
      tally.readable += 1;
      yield leakFinding(row);
    } else {
      yield* tally.fault(`row ${line}`, gitleaksCheck.fault());
    }
  }
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}

/** Rows as they are read: a table of millions is never held as a whole. */
async function* rowsOf(bytes: Buffer): AsyncGenerator<unknown> {
  const rows = Readable.from(slices(bytes)).pipe(
    parseCsv({ columns: true, skip_empty_lines: true, relax_column_count: true, max_record_size: 1024 * 1024 }),
  );
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const why = `The file is not valid CSV: ${error.message}. Nothing was imported.`;
    throw new ReportError('report_malformed', why, { cause: error });
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
}
