import { ReportError, type ReportRecord } from '@breakwater/sdk';
import type { Tally } from '../json/records.ts';
import type { RecordCheck } from '../values/schema.ts';

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const MAX_ROW_BYTES = 1024 * 1024;

/**
 * Cells of a table, row by row, straight from its bytes; empty lines are left out. A quote inside a cell that has none of its own
 * is part of the text: Prowler 2 writes `the "root" account` so. Source: RFC 4180.
 * @throws ReportError report_malformed
 */
export function* readCells(bytes: Buffer, delimiter: ',' | ';'): Generator<string[]> {
  let quote = quoteFrom(bytes, 0);
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline;
    if (quote < at) quote = quoteFrom(bytes, at);
    if (quote >= end) {
      const line = lineText(bytes, at, end);
      if (line !== '') yield line.split(delimiter);
      at = end + 1;
    } else {
      const row = new QuotedRow(bytes, delimiter, at);
      yield row.cells();
      at = row.next;
    }
  }
}

/** The next quote, or the end: looked for once, not from every row. */
function quoteFrom(bytes: Buffer, from: number): number {
  const quote = bytes.indexOf(QUOTE, from);
  return quote < 0 ? bytes.length : quote;
}

function lineText(bytes: Buffer, from: number, end: number): string {
  if (end - from > MAX_ROW_BYTES) throw tooLong(bytes, from);
  return bytes.toString('utf8', from, end > from && bytes[end - 1] === RETURN ? end - 1 : end);
}

/** A row of which at least one cell holds a quote; it may go over several lines. */
class QuotedRow {
  /** Where the next row begins. */
  next: number;
  private readonly bytes: Buffer;
  private readonly separator: number;
  private readonly start: number;

  constructor(bytes: Buffer, delimiter: string, start: number) {
    this.bytes = bytes;
    this.separator = delimiter.charCodeAt(0);
    this.start = start;
    this.next = start;
  }

  cells(): string[] {
    const cells: string[] = [];
    let at = this.start;
    for (;;) {
      const end = this.bytes[at] === QUOTE ? this.closing(at) : this.plainEnd(at);
      cells.push(this.text(at, end));
      if (this.bytes[end] !== this.separator) {
        this.next = this.bytes[end] === RETURN ? end + 2 : end + 1;
        return cells;
      }
      at = end + 1;
    }
  }

  /** Position after the quote that ends the cell: the first that is not doubled and stands before an end. */
  private closing(from: number): number {
    const { bytes } = this;
    let at = from + 1;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at);
      if (quote < 0) throw unclosed(bytes, from);
      if (quote - this.start > MAX_ROW_BYTES) throw tooLong(bytes, this.start);
      if (bytes[quote + 1] === QUOTE) at = quote + 2;
      else if (this.isEnd(quote + 1)) return quote + 1;
      else at = quote + 1;
    }
  }

  private plainEnd(from: number): number {
    let at = from;
    while (!this.isEnd(at)) at += 1;
    if (at - this.start > MAX_ROW_BYTES) throw tooLong(this.bytes, this.start);
    return at;
  }

  private isEnd(at: number): boolean {
    const byte = this.bytes[at];
    if (byte === undefined || byte === this.separator || byte === NEWLINE) return true;
    return byte === RETURN && (this.bytes[at + 1] === NEWLINE || at + 1 === this.bytes.length);
  }

  private text(from: number, end: number): string {
    if (this.bytes[from] !== QUOTE) return this.bytes.toString('utf8', from, end);
    return this.bytes.toString('utf8', from + 1, end - 1).replaceAll('""', '"');
  }
}

function unclosed(bytes: Buffer, at: number): ReportError {
  return malformed(`a quote is opened and never closed (line ${lineOf(bytes, at)}): it is cut off`);
}

function tooLong(bytes: Buffer, at: number): ReportError {
  return malformed(`a row is larger than 1 MB (line ${lineOf(bytes, at)})`);
}

function malformed(reason: string): ReportError {
  return new ReportError('report_malformed', `The file is not valid CSV: ${reason}. Nothing was imported.`);
}

function lineOf(bytes: Buffer, end: number): number {
  let line = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) line += 1;
  return line;
}

interface CsvSource<T> {
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
