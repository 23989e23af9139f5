import { Readable } from 'node:stream';
import { type ParseOptions, ReportError, type ReportRecord, type Separator } from '@breakwater/sdk';
import { CsvError, parse } from 'csv-parse';
import { readReport } from '../input/decode.ts';
import { Tally, wrongTool } from '../json/records.ts';
import { LIMITS } from '../limits.ts';
import type { RecordCheck } from '../values/schema.ts';

const MAX_ROW_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22];

/** How rows end, by the first of them: `\r` alone, as old spreadsheets of the Mac write, only where it ends that one. */
function lineEndsOf(bytes: Buffer): string[] {
  let isQuoted = false;
  for (let at = 0; at < bytes.length && at < MAX_ROW_BYTES; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && byte === LF) break;
    else if (!isQuoted && byte === CR && bytes[at + 1] !== LF) return ['\r'];
  }
  return ['\n', '\r\n'];
}

/**
 * Cells of a table, row by row; empty lines are left out. A quote inside a cell that has none of its own is part of the text: Prowler 2
 * writes `the "root" account` so.
 * @throws ReportError report_malformed
 */
export async function* readCells(bytes: Buffer, delimiter: Separator): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    record_delimiter: lineEndsOf(bytes),
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(piecesOf(bytes));
  source.pipe(parser);
  try {
    for await (const cells of parser) yield cells;
  } catch (error) {
    throw error instanceof CsvError ? malformed(error) : error;
  } finally {
    source.destroy();
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function malformed({ code, lines, message }: CsvError): ReportError {
  const reasons: Readonly<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: `a quote is opened and never closed (line ${lines}): it is cut off`,
    CSV_MAX_RECORD_SIZE: `a row is larger than 1 MB (line ${lines})`,
  };
  const reason = reasons[code] ?? message;
  return new ReportError('report_malformed', `The file is not valid CSV: ${reason}. Nothing was imported.`);
}

const tooWide = (columns: number): ReportError =>
  new ReportError(
    'report_too_complex',
    `The table has ${columns.toLocaleString('en')} columns, which no scanner writes. Nothing was imported.`,
  );

interface TableFormat<T> {
  delimiter?: ',' | ';' | undefined;
  /** Turns the names of columns into those the check knows. */
  column?: (name: string) => string;
  check: RecordCheck<T>;
}

interface CsvSource<T> extends TableFormat<T> {
  bytes: Buffer;
  tally: Tally;
  signal: AbortSignal;
}

type RowReader<T> = (row: T) => Iterable<ReportRecord> | ReportRecord | undefined;

interface TableReport<T> extends TableFormat<T> {
  /** Name of the tool for people. */
  tool: string;
  /** Why the file is none of the tool's tables; undefined where it is one. */
  refuse?: (bytes: Buffer) => string | undefined;
  /** What follows from all rows together. */
  end?: () => Iterable<ReportRecord>;
}

/**
 * Reads a report that is one table from its first line on.
 * @throws ReportError report_malformed; report_wrong_tool where it is refused, or no row of it can be read
 */
export async function* readTableReport<T>(
  report: AsyncIterable<Uint8Array>,
  { signal }: Pick<ParseOptions, 'signal'>,
  { tool, refuse, end, ...format }: TableReport<T>,
  normalise: RowReader<T>,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, signal);
  const refusal = refuse?.(bytes);
  if (refusal !== undefined) throw wrongTool(tool, refusal);
  const tally = new Tally();
  yield { kind: 'report', toolName: tool };
  yield* readRows({ ...format, bytes, tally, signal }, normalise);
  if (end !== undefined) yield* end();
  tally.assertReadable((reason) => wrongTool(tool, reason));
}

/**
 * Reads a table with a line of names, row by row; what cannot be read is listed and left out.
 * @throws ReportError report_malformed
 */
export async function* readRows<T>(
  { bytes, delimiter = ',', column = same, check, tally, signal }: CsvSource<T>,
  normalise: RowReader<T>,
): AsyncGenerator<ReportRecord> {
  let line = 1;
  for await (const { row, missing } of rowsOf(bytes, delimiter, column)) {
    line += 1;
    if (line % 256 === 0) signal.throwIfAborted();
    if (row === undefined) continue;
    if (missing > 0) {
      yield* tally.addUnreadable(`row ${line}`, `is cut off: ${missing} of its columns are missing`);
      continue;
    }
    if (!check.accepts(row)) {
      yield* tally.addUnreadable(`row ${line}`, check.issue());
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

interface TableRow {
  /** Undefined for a row of blank cells only. */
  row: Record<string, string> | undefined;
  /** Columns that it ends before. */
  missing: number;
}

const isBlank = (cell: string): boolean => cell.trim() === '';

/** Rows as they are read: a table of millions is never held as a whole. Cells beyond the named columns are left out. */
async function* rowsOf(
  bytes: Buffer,
  delimiter: ',' | ';',
  column: (name: string) => string,
): AsyncGenerator<TableRow> {
  let names: string[] | undefined;
  let columns = 0;
  for await (const cells of readCells(bytes, delimiter)) {
    if (names === undefined) {
      if (cells.every(isBlank)) continue;
      if (cells.length > LIMITS.listItems) throw tooWide(cells.length);
      names = cells.map((name) => column(name));
      columns = cells.findLastIndex((name) => !isBlank(name)) + 1;
    } else if (cells.every(isBlank)) yield { row: undefined, missing: 0 };
    else yield { row: rowOf(names, cells), missing: columns - cells.length };
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
  const line =
    head
      .toString('utf8', 0, 4_096)
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? '';
  return line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}
