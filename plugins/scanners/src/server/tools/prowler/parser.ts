import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { csvColumns, readRows } from '../../lib/csv-rows.ts';
import { headText, readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import type { JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson, textsUnder } from '../../lib/json-sketch.ts';
import { readRecords, Tally, wrongTool } from '../../lib/records.ts';
import { checkFinding } from './check.ts';
import { checkOfJson, checkOfRow } from './layouts.ts';
import { type JsonCheck, jsonCheck, rowCheck } from './schema.ts';

const NAME = 'Prowler';
/** AWS's format as Security Hub hands it out: the list in an object. */
const SHAPE: JsonShape = { Findings: 'records' };

export function recogniseProwler(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'CheckID', 'Status') || hasKeys(sketch, 'Control', 'Status', 'Account Number')) return 0.98;
  if (hasKeys(sketch, 'GeneratorId', 'ProductArn') || innerHas(sketch, 'Findings', 'GeneratorId', 'ProductArn'))
    return isProwlers(head, 'ProductFields', 'ProviderName') ? 0.98 : 0.2;
  // OCSF is written by other tools as well.
  if (hasKeys(sketch, 'finding_info', 'metadata') || hasKeys(sketch, 'finding', 'metadata', 'cloud')) {
    return isProwlers(head, 'product', 'name') ? 0.98 : 0.3;
  }
  return delimiterOf(headText(head)) === undefined ? 0 : 0.98;
}

function isProwlers(head: Uint8Array, holder: string, name: string): boolean {
  return textsUnder(head, holder, name).some((product) => /prowler/i.test(product));
}

/** Version 2 separates by commas, later ones by semicolons; people save either as the other. */
function delimiterOf(bytes: Buffer): ',' | ';' | undefined {
  return ([',', ';'] as const).find((delimiter) => {
    const columns = csvColumns(bytes, delimiter).map(columnName);
    const has = (...names: string[]) => names.every((name) => columns.includes(name));
    return has('TITLE_ID', 'TITLE_TEXT', 'REGION') || has('CHECK_ID', 'STATUS', 'STATUS_EXTENDED');
  });
}

/** Columns of the first versions are words with spaces. */
function columnName(name: string): string {
  return name.trim().toUpperCase().replaceAll(' ', '_');
}

/** @throws ReportError */
export async function* parseProwler(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, signal);
  const delimiter = delimiterOf(bytes);
  if (delimiter === undefined) yield* parseJson(bytes, signal);
  else yield* parseRows(bytes, delimiter, signal);
}

const parseJson = (bytes: Buffer, signal: AbortSignal): Generator<ReportRecord> =>
  readJsonReport(bytes, { name: NAME, shape: SHAPE }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, check: jsonCheck, tally, signal };
    const normalise = (record: JsonCheck) => checkFinding(checkOfJson(record));
    for (const document of json.documents) {
      const ranges = document.records.get('Findings');
      if (ranges === undefined) throw wrongTool(NAME, undefined, 'its “Findings” are no list');
      yield* readRecords({ ...source, ranges, list: 'Findings' }, normalise);
    }
    yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, normalise);
  });

async function* parseRows(bytes: Buffer, delimiter: ',' | ';', signal: AbortSignal): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: NAME };
  const source = { bytes, delimiter, column: columnName, check: rowCheck, tally, signal };
  yield* readRows(source, (row) => checkFinding(checkOfRow(row)));
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}
