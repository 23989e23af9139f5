import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { csvColumns, readRows } from '../../lib/csv-rows.ts';
import { headText, readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import { readRecords, Tally, wrongTool } from '../../lib/records.ts';
import { resultFinding } from './result.ts';
import { resultCheck } from './schema.ts';

const NAME = 'CloudSploit';

export function recogniseCloudsploit(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'plugin', 'category', 'title', 'status')) return 0.98;
  return isCsv(headText(head)) ? 0.95 : 0;
}

function isCsv(bytes: Buffer): boolean {
  const columns = csvColumns(bytes);
  return ['category', 'title', 'region', 'statusWord'].every((name) => columns.includes(name));
}

/** @throws ReportError */
export async function* parseCloudsploit(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, signal);
  if (isCsv(bytes)) yield* parseRows(bytes, signal);
  else {
    yield* readJsonReport(bytes, { name: NAME, shape: {} }, function* (json, tally) {
      yield { kind: 'report', toolName: NAME };
      const source = { report: json, ranges: json.loose, list: 'report', check: resultCheck, tally, signal };
      yield* readRecords(source, resultFinding);
    });
  }
}

async function* parseRows(bytes: Buffer, signal: AbortSignal): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: NAME };
  yield* readRows({ bytes, check: resultCheck, tally, signal }, resultFinding);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}
