import type { ReportRecord } from '@breakwater/sdk';
import { readCells } from './csv-reader.ts';
import type { Tally } from './records.ts';
import type { RecordCheck } from './schema.ts';

export interface CsvSource<T> {
  bytes: Buffer;
  delimiter?: ',' | ';';
  /** Turns the names of columns into those the check knows. */
  column?: (name: string) => string;
  check: RecordCheck<T>;
  tally: Tally;
  signal: AbortSignal;
}

/**
 * Reads a table with a line of names, row by row; what cannot be read is listed and left out.
 * @throws ReportError report_malformed
 */
export function* readRows<T>(
  { bytes, delimiter = ',', column = same, check, tally, signal }: CsvSource<T>,
  normalise: (row: T) => Iterable<ReportRecord> | ReportRecord | undefined,
): Generator<ReportRecord> {
  let line = 1;
  for (const row of rowsOf(bytes, delimiter, column)) {
    line += 1;
    if (line % 256 === 0) signal.throwIfAborted();
    if (!check.accepts(row)) {
      yield* tally.fault(`row ${line}`, check.fault());
      continue;
    }
    tally.readable += 1;
    const made = normalise(row);
    if (made === undefined) continue;
    if (Symbol.iterator in made) yield* made;
    else yield made;
  }
}

const same = (name: string): string => name;

/** Rows as they are read: a table of millions is never held as a whole. Cells beyond the named columns are left out. */
function* rowsOf(bytes: Buffer, delimiter: ',' | ';', column: (name: string) => string): Generator<unknown> {
  let names: string[] | undefined;
  for (const cells of readCells(bytes, delimiter)) {
    if (names === undefined) names = cells.map((name) => column(name));
    else yield rowOf(names, cells);
  }
}

function rowOf(names: readonly string[], cells: readonly string[]): Record<string, string> {
  const row: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const cell = cells[index];
    if (cell !== undefined) row[name] = cell;
  }
  return row;
}

/** Names of a table's columns, from its first line. */
export function csvColumns(head: Buffer, delimiter: ',' | ';' = ','): string[] {
  const line = head.toString('utf8', 0, 4_096).trimStart().split('\n', 1)[0] ?? '';
  return line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}
