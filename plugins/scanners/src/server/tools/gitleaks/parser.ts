import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { readByStart, startText } from '../../formats/by-start.ts';
import { readXmlReport } from '../../formats/xml-report.ts';
import { readRows } from '../../lib/csv-rows.ts';
import { headText, readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import { readRecords, Tally, wrongTool } from '../../lib/records.ts';
import { isSarif, parseSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { leakFinding } from './finding.ts';
import { isJunit, JUNIT } from './junit.ts';
import { gitleaksCheck } from './schema.ts';

const NAME = 'Gitleaks';
const SARIF = SARIF_WRITERS.gitleaks;
const CSV_HEAD = /^\s*"?RuleID"?\s*,/;

export function recogniseGitleaks(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'RuleID', 'File') && (hasKeys(sketch, 'Secret') || hasKeys(sketch, 'Match'))) return 0.98;
  if (hasKeys(sketch, 'rule', 'file', 'offender') || hasKeys(sketch, 'rule', 'file', 'commitMessage')) return 0.95;
  if (isJunit(startText(head))) return 0.98;
  return isCsv(headText(head)) ? 0.95 : sarifScore(head, SARIF);
}

function isCsv(bytes: Buffer): boolean {
  const line = bytes.toString('utf8', 0, 500).split('\n', 1)[0] ?? '';
  return CSV_HEAD.test(line) && /\bFile\b/.test(line);
}

/** @throws ReportError */
export const parseGitleaks = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) =>
    isJunit(start)
      ? (whole) => readXmlReport(whole, JUNIT, options.signal, leakFinding)
      : (whole) => parseWhole(whole, options),
  );

async function* parseWhole(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
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

async function* parseRows(bytes: Buffer, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: NAME };
  yield* readRows({ bytes, check: gitleaksCheck, tally, signal }, leakFinding);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}
