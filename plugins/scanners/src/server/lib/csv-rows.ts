import { Readable } from 'node:stream';
import { ReportError, type ReportRecord } from '@breakwater/sdk';
import { CsvError, parse } from 'csv-parse';
import type { Tally } from './records.ts';
import type { RecordCheck } from './schema.ts';

const MAX_ROW_BYTES = 1024 * 1024;

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
export async function* readRows<T>(
  { bytes, delimiter = ',', column = same, check, tally, signal }: CsvSource<T>,
  normalise: (row: T) => Iterable<ReportRecord> | ReportRecord | undefined,
): AsyncGenerator<ReportRecord> {
  let line = 1;
  for await (const row of rowsOf(bytes, delimiter, column)) {
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

/** Rows as they are read: a table of millions is never held as a whole. */
async function* rowsOf(bytes: Buffer, delimiter: string, column: (name: string) => string): AsyncGenerator<unknown> {
  const rows = Readable.from(slices(bytes)).pipe(
    parse({
      columns: (names: string[]) => names.map((name) => column(name)),
      delimiter,
      skip_empty_lines: true,
      relax_column_count: true,
      // Prowler 2 writes `the "root" account` into fields without quotes of their own.
      relax_quotes: true,
      max_record_size: MAX_ROW_BYTES,
    }),
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

/** Names of a table's columns, from its first line. */
export function csvColumns(head: Buffer, delimiter: ',' | ';' = ','): string[] {
  const line = head.toString('utf8', 0, 4_096).trimStart().split('\n', 1)[0] ?? '';
  return line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}
