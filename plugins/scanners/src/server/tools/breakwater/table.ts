import {
  type ParseOptions,
  ReportError,
  type ReportRecord,
  SEPARATORS,
  type Separator,
  type Severity,
  type TableMapping,
} from '@breakwater/sdk';
import { parse } from 'csv-parse/sync';
import { partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { readCells } from '../../lib/formats/csv.ts';
import { headText } from '../../lib/input/decode.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import { clean, defined } from '../../lib/values/read.ts';
import { type FieldName, isFieldName, REPORT_FIELDS, type ReportField } from './fields.ts';
import { type FlatRecord, type RecordOptions, readRecord } from './record.ts';

export const NAME = 'Breakwater';
/** Rows that are looked at to find the separator. */
const LOOKED_AT = 6;
const MAX_COLUMNS = 300;
const MAX_NAME = 200;

const isBlankRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** What spreadsheets put in front of a text so that it is no formula, or around it so that it stays as it is. */
const TEXT_MARK = /^'(?=[ "]*[=+\-@\t\r\n＝＋－＠])/u;
const EQUAL_TEXT = /^="((?:[^"]|"")*)"$/;
const SEPARATOR_LINE = /^sep=(.)\r?[\n\r]/;

/** A cell as the text that it shows: formulas are texts here. */
export const cellText = (cell: string): string =>
  cell.replace(TEXT_MARK, '').replace(EQUAL_TEXT, (_cell, inside: string) => inside.replaceAll('""', '"'));

/** Excel's first line that names the separator. */
function separatorLine(start: string): { separator: Separator; length: number } | undefined {
  const found = SEPARATOR_LINE.exec(start);
  const separator = SEPARATORS.find((sign) => sign === found?.[1]);
  return found === null || separator === undefined ? undefined : { separator, length: found[0].length };
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The rows of a table, without a line that only names the separator. Rows of old spreadsheets end in a carriage return alone. */
export function tableBody(bytes: Buffer): Buffer {
  const named = separatorLine(bytes.toString('latin1', 0, 8));
  const body = named === undefined ? bytes : bytes.subarray(named.length);
  if (body.includes(NEWLINE) || !body.includes(RETURN)) return body;
  return Buffer.from(body.map((byte) => (byte === RETURN ? NEWLINE : byte)));
}

function firstRows(text: string, delimiter: Separator, to: number): string[][] {
  try {
    const rows: unknown = parse(text, {
      ...{ delimiter, to, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
      record_delimiter: ['\n', '\r\n', '\r'],
    });
    return Array.isArray(rows) ? rows.filter((row): row is string[] => Array.isArray(row) && !isBlankRow(row)) : [];
  } catch {
    // the beginning of a report may end inside a quoted cell: fewer rows may do
    return to > 1 ? firstRows(text, delimiter, to - 1) : [];
  }
}

export interface TableStart {
  separator: Separator;
  columns: readonly string[];
}

/** Names of columns as a person sees them: each once, and one for those without. */
export function columnNames(cells: readonly string[]): string[] {
  const seen = new Set<string>();
  return cells.slice(0, MAX_COLUMNS).map((cell, index) => {
    const name = clean(cellText(cell), MAX_NAME).replace(/\s+/g, ' ').trim() || `Column ${index + 1}`;
    const own = seen.has(name) ? `${name.slice(0, MAX_NAME - 8)} (${index + 1})` : name;
    seen.add(own);
    return own;
  });
}

/** How many of the rows are as long as the first. */
const evenness = (rows: readonly (readonly string[])[]): number =>
  rows.filter((row) => row.length === rows[0]?.length).length;

/** Separator and columns of a table by its beginning; undefined for what is none. */
export function tableStart(head: Uint8Array): TableStart | undefined {
  const text = headText(head).toString('utf8');
  if (/^\s*[[{<]/.test(text)) return undefined;
  const named = separatorLine(text);
  const body = named === undefined ? text : text.slice(named.length);
  let best: { separator: Separator; rows: string[][]; score: number } | undefined;
  for (const separator of named === undefined ? SEPARATORS : [named.separator]) {
    const rows = firstRows(body, separator, LOOKED_AT);
    const width = rows[0]?.length ?? 0;
    const score = width < 2 ? 0 : evenness(rows) * 1_000 + Math.min(width, 999);
    if (score > (best?.score ?? 0)) best = { separator, rows, score };
  }
  const names = best?.rows[0];
  if (best === undefined || names === undefined || names.some((name) => name.length > MAX_NAME)) return undefined;
  if (names.filter((name) => name.trim() !== '').length < 2) return undefined;
  return { separator: best.separator, columns: columnNames(names) };
}

/** The mapping of a table whose columns have the names of our fields. Others, such as those of the scan, are left to themselves. */
export const ownMapping = (columns: readonly string[]): TableMapping['fields'] =>
  columns.flatMap((column) => {
    const field = column.toLowerCase().replace(/[ -]/g, '_');
    return isFieldName(field) ? [{ field, column }] : [];
  });

/** What a cell or a constant gives for one field. */
interface Source {
  field: FieldName;
  index: number;
  value: string;
  column: string;
}

function sourcesOf(columns: readonly string[], mapping: TableMapping['fields']): Source[] {
  return mapping.map((entry) => {
    const { field } = entry;
    if (!isFieldName(field))
      throw new ReportError('report_malformed', `The mapping names a field “${field}”, which findings do not have.`);
    if ('value' in entry) return { field, index: -1, value: entry.value, column: '' };
    const index = columns.indexOf(entry.column);
    if (index < 0)
      throw wrongTable(`it has no column “${entry.column}”, which the mapping names for “${field}”`, columns);
    return { field, index, value: '', column: entry.column };
  });
}

const wrongTable = (reason: string, columns: readonly string[]): ReportError =>
  new ReportError(
    'report_wrong_tool',
    `The table cannot be read: ${reason}. Its columns are ${columns.slice(0, 30).join(', ')}. Map its columns, or use the template.`,
  );

export interface TableOptions {
  separator: Separator;
  mapping: TableMapping['fields'];
  severities?: ReadonlyMap<string, Severity>;
  family: string | undefined;
  /** Name of the scanner, where no column says it. */
  tool?: string;
  tally: Tally;
  signal: AbortSignal;
}

/** What the rows say of their scan, which has to be the same in all. */
class ScanColumns {
  private readonly indexes: readonly (readonly [ReportField, number])[];
  readonly values = new Map<ReportField, string>();

  constructor(columns: readonly string[]) {
    this.indexes = REPORT_FIELDS.flatMap((field) => {
      const index = columns.findIndex((column) => column.toLowerCase() === field);
      return index < 0 ? [] : [[field, index] as const];
    });
  }

  /** What is wrong with the row, if anything. */
  add(cells: readonly string[]): string | undefined {
    for (const [field, index] of this.indexes) {
      const value = cellText(cells[index] ?? '').trim();
      if (value === '') continue;
      const known = this.values.get(field);
      if (known === undefined) this.values.set(field, clean(value, MAX_NAME));
      else if (known !== clean(value, MAX_NAME))
        return `column “${field}” must be the same in all rows: it is “${clean(value, 60)}”, and “${clean(known, 60)}” above`;
    }
    const status = this.values.get('scan_status');
    if (status !== undefined && status !== 'complete' && status !== 'incomplete')
      return `column “scan_status” must be complete or incomplete: it is “${clean(status, 60)}”`;
    return undefined;
  }
}

/**
 * Reads a table with a row of names, row by row; what cannot be read is listed with row and column and left out.
 * @throws ReportError
 */
export async function* readTable(bytes: Buffer, options: TableOptions): AsyncGenerator<ReportRecord> {
  const { separator, tally, signal, family, severities } = options;
  const body = tableBody(bytes);
  let columns: string[] | undefined;
  let sources: Source[] = [];
  let scan = new ScanColumns([]);
  let read: RecordOptions | undefined;
  let row = 0;
  const isOpenEnded = !/[\r\n]/.test(body.toString('latin1', body.length - 1));
  for await (const { cells, isLast } of withLast(readCells(body, separator))) {
    row += 1;
    if (row % 256 === 0) signal.throwIfAborted();
    if (isBlankRow(cells)) continue;
    if (columns === undefined || read === undefined) {
      columns = columnNames(cells);
      sources = sourcesOf(columns, options.mapping);
      scan = new ScanColumns(columns);
      read = {
        family,
        nameOf: (field) => placeName(sources, field),
        ...(severities === undefined ? {} : { severities }),
      };
      continue;
    }
    const isCut = isLast && isOpenEnded && cells.length < columns.length;
    const cut = isCut ? `has ${cells.length} of ${columns.length} cells: the file is cut off` : undefined;
    const wrong = cut ?? scan.add(cells);
    const tool = options.tool ?? scan.values.get('tool');
    const found = wrong ?? readRecord(recordOf(cells, sources, tool), read);
    if (typeof found === 'string') yield* tally.addUnreadable(`row ${row}`, found);
    else if ('issue' in found) yield* tally.addUnreadable(`row ${row}`, found.issue);
    else {
      tally.readable += 1;
      yield found;
    }
  }
  yield* scanRecords(scan.values);
}

async function* withLast(rows: AsyncIterable<string[]>): AsyncGenerator<{ cells: string[]; isLast: boolean }> {
  let held: string[] | undefined;
  for await (const cells of rows) {
    if (held !== undefined) yield { cells: held, isLast: false };
    held = cells;
  }
  if (held !== undefined) yield { cells: held, isLast: true };
}

const placeName = (sources: readonly Source[], field: FieldName): string => {
  const source = sources.find((one) => one.field === field);
  return source === undefined || source.index < 0 ? `“${field}”` : `column “${source.column}”`;
};

function recordOf(cells: readonly string[], sources: readonly Source[], tool: string | undefined): FlatRecord {
  const record: Record<string, string> = tool === undefined ? {} : { tool };
  for (const { field, index, value } of sources) {
    const found = index < 0 ? value : cellText(cells[index] ?? '');
    if (found !== '') record[field] = found;
  }
  return record;
}

function* scanRecords(values: ReadonlyMap<ReportField, string>): Generator<ReportRecord> {
  yield* partOf({ part: values.get('part') });
  if (values.get('scan_status') === 'incomplete') yield scanFailure('The report says that its scan is incomplete.');
  yield defined({ kind: 'report' as const, toolName: values.get('tool') ?? NAME, target: values.get('target') });
}

const severitiesOf = ({ severities }: TableMapping): ReadonlyMap<string, Severity> =>
  new Map(severities.map(({ word, severity }) => [word.trim().toLowerCase(), severity]));

/** Reads a table as a person mapped its columns. @throws ReportError */
export async function* readMapped(
  bytes: Buffer,
  mapping: TableMapping,
  { family, signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const separator = mapping.separator ?? tableStart(bytes.subarray(0, 64 * 1024))?.separator;
  if (separator === undefined) throw wrongTool(mapping.tool, 'it is no table');
  const tally = new Tally();
  const tool = mapping.tool.trim() || NAME;
  const severities = severitiesOf(mapping);
  const options = { separator, mapping: mapping.fields, severities, family, tool, tally, signal };
  for await (const record of readTable(bytes, options))
    yield record.kind === 'report' ? { ...record, toolName: tool } : record;
  tally.assertReadable((reason) => new ReportError('report_wrong_tool', `No row of the table can be read: ${reason}.`));
}
