import type { ReportRecord } from '@breakwater/sdk';
import { linesOf } from '../input/decode.ts';
import { Tally, wrongTool } from '../json/records.ts';
import type { RecordCheck } from '../values/schema.ts';

export interface TextFormat<T> {
  /** Name of the tool. */
  tool: string;
  check: RecordCheck<T>;
  /** A line as the tool's JSON would say it; undefined for lines between the results. */
  record(line: string): unknown;
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/**
 * Reads a report with one result a line. Lines that are no result are listed as unreadable.
 * @throws ReportError
 */
export function* readTextReport<T>(
  bytes: Buffer,
  { tool, check, record }: TextFormat<T>,
  signal: AbortSignal,
  normalise: (value: T) => ReportRecord,
): Generator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: tool };
  for (const { number, text } of linesOf(bytes, signal)) {
    const line = text.replace(COLOURS, '').trim();
    const value = line === '' ? undefined : record(line);
    if (value === undefined) continue;
    if (check.accepts(value)) {
      tally.readable += 1;
      yield normalise(value);
    } else yield* tally.addUnreadable(`line ${number}`, 'is no result');
  }
  tally.assertReadable((reason) => wrongTool(tool, reason));
}
