import {
  type FindingType,
  ReportError,
  type ReportRecord,
  type TableMapping,
  type TablePreview,
  type TableReader,
} from '@breakwater/sdk';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { readCells } from '../../lib/formats/csv.ts';
import { headText } from '../../lib/input/decode.ts';
import { FIELDS, type FieldKind, type FieldName, plainName, proposeColumns, TABLE_FIELDS } from './fields.ts';
import { readRecord } from './record.ts';
import { cellText, readMapped, type TableStart, tableBody, tableStart } from './table.ts';

const SHOWN_ROWS = 5;
const SHOWN_RECORDS = 20;
/** Rows that a proposal is made from. */
const JUDGED_ROWS = 50;
const MAX_WORDS = 40;
const CELL_CHARS = 200;

/** Values of these have to have a form; a column whose values have another is not proposed. */
const FORMED: readonly FieldKind[] = [
  ...(['position', 'score', 'date', 'digest', 'purl', 'cve', 'weaknesses', 'links', 'type', 'verdict'] as const),
];

/** The whole rows at the beginning of a table, without the names. */
async function firstRows(bytes: Buffer, start: TableStart): Promise<string[][]> {
  const rows: string[][] = [];
  try {
    for await (const cells of readCells(tableBody(bytes), start.separator)) {
      if (cells.some((cell) => cell.trim() !== '')) rows.push(cells.map(cellText));
      if (rows.length > JUDGED_ROWS) break;
    }
  } catch (error) {
    // a row beyond the ones that were read may be broken; the import says where
    if (!(error instanceof ReportError)) throw error;
  }
  return rows.slice(1);
}

/** Whether most values of the column can be read as the field. */
function isReadable(field: FieldName, values: readonly string[]): boolean {
  if (!FORMED.includes(FIELDS[field].kind)) return true;
  const said = values.filter((value) => value.trim() !== '');
  const sound = said.filter(
    (value) =>
      !('issue' in readRecord({ title: 'x', severity: 'low', type: 'SAST', [field]: value }, { nameOf: () => field })),
  );
  return sound.length * 2 > said.length;
}

/** What a table without a column of types most likely holds. A person sees it and can change it. */
function likelyType(fields: ReadonlyMap<FieldName, string>): FindingType {
  if (fields.has('file_path') && fields.has('start_line')) return 'SAST';
  if (fields.has('component') || fields.has('purl')) return 'SCA';
  return fields.has('resource') ? 'Configuration' : 'SAST';
}

const columnOf = (columns: readonly string[], rows: readonly (readonly string[])[], column: string): string[] => {
  const index = columns.indexOf(column);
  return rows.map((row) => row[index] ?? '');
};

/** Words of the severity column, each once, as they are written. */
function severityWords(
  { fields, severities }: TableMapping,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): TablePreview['words'] {
  const source = fields.find(({ field }) => field === 'severity');
  if (source === undefined || !('column' in source)) return [];
  const own = new Map(severities.map(({ word, severity }) => [word.trim().toLowerCase(), severity]));
  const words = new Map<string, string>();
  for (const value of columnOf(columns, rows, source.column)) {
    const word = value.trim().slice(0, CELL_CHARS);
    if (word !== '' && words.size < MAX_WORDS && !words.has(word.toLowerCase())) words.set(word.toLowerCase(), word);
  }
  return [...words].map(([key, word]) => ({ word, severity: own.get(key) ?? severityFromWord(word) ?? null }));
}

/** A mapping by the names of the columns. */
export function proposeMapping(start: TableStart, rows: readonly (readonly string[])[]): TableMapping {
  const { columns, separator } = start;
  const found = new Map(
    [...proposeColumns(columns)].filter(([field, column]) => isReadable(field, columnOf(columns, rows, column))),
  );
  // a list of vulnerabilities may have no other name for them
  const title = found.get('rule_id') ?? found.get('cve') ?? found.get('description');
  if (!found.has('title') && title !== undefined) found.set('title', title);
  const mapped = [...found].map(([field, column]) => ({ field, column }));
  const constants = found.has('type') ? [] : [{ field: 'type', value: likelyType(found) }];
  const tools = columns.find((column) => ['tool', 'toolname', 'scanner', 'scannername'].includes(plainName(column)));
  const tool = tools === undefined ? '' : (columnOf(columns, rows, tools).find((name) => name.trim() !== '') ?? '');
  const mapping = { tool: tool.trim().slice(0, 100), separator, fields: [...mapped, ...constants], severities: [] };
  const severities = severityWords(mapping, columns, rows).flatMap(({ word, severity }) =>
    severity === null ? [] : [{ word, severity }],
  );
  return { ...mapping, severities };
}

/** The beginning without a row that it cuts off. */
function wholeRows(text: string, isWhole: boolean): string {
  if (isWhole) return text;
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return end < 0 ? text : text.slice(0, end + 1);
}

/** What the first rows become. A refusal of the whole is the first of what is wrong. */
async function firstRecords(bytes: Buffer, mapping: TableMapping): Promise<ReportRecord[]> {
  const records: ReportRecord[] = [];
  try {
    for await (const record of readMapped(bytes, mapping, { signal: new AbortController().signal })) {
      if (record.kind === 'finding' || record.kind === 'unreadable') records.push(record);
      if (records.length >= SHOWN_RECORDS) break;
    }
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    if (records.length === 0) records.push({ kind: 'unreadable', where: 'table', why: error.message });
  }
  return records;
}

async function previewTable(
  head: Uint8Array,
  { isWhole, mapping }: { isWhole: boolean; mapping?: TableMapping },
): Promise<TablePreview> {
  const start = tableStart(head);
  if (start === undefined)
    throw new ReportError(
      'report_wrong_tool',
      'This is no table whose columns could be mapped: the first row has to name the columns, separated by comma, semicolon, tab or bar.',
    );
  const separator = mapping?.separator ?? start.separator;
  const bytes = Buffer.from(wholeRows(headText(head).toString('utf8'), isWhole));
  const rows = await firstRows(bytes, { ...start, separator });
  const used = mapping ?? proposeMapping(start, rows);
  return {
    ...{ separator, columns: start.columns },
    rows: rows.slice(0, SHOWN_ROWS).map((row) => row.map((cell) => cell.slice(0, CELL_CHARS))),
    proposal: mapping === undefined ? used : proposeMapping(start, rows),
    words: severityWords(used, start.columns, rows),
    records: await firstRecords(bytes, used),
  };
}

/** Tables of tools that are not known here. */
export const tables: TableReader = {
  fields: TABLE_FIELDS,
  isTable: (head) => {
    const start = tableStart(head);
    return start?.columns.every((column) => !/[{}<>]/.test(column)) ?? false;
  },
  preview: previewTable,
};
