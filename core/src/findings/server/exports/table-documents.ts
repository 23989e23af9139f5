import { csvCell } from '../../../platform/model/csv-cell.ts';
import {
  attributesOf,
  COLUMN_KEYS,
  type ColumnKey,
  columnInfo,
  ROW_KEYS,
  valueKind,
} from '../../model/column-catalogue.ts';
import { cellText, neededFor } from '../../model/finding-text.ts';
import { PACKAGE_USE_LABELS, SEVERITY_LABELS, STATUS_LABELS, VERDICT_LABELS } from '../../model/labels.ts';
import type { StoredRow } from '../list/read-finding-rows.ts';
import { isoTime, type RowAttribute, type StoredAttributes, toWire } from '../list/row-attributes.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, between tags and in quoted attributes. Control characters, which HTML forbids, become a sign for them. */
export const htmlText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd');

/** How a file of findings is written while they are read. */
export interface ExportDocument<Name extends RowAttribute> {
  /** What is read of each finding. */
  attributes: readonly Name[];
  head: string;
  /** The text of the next rows. May be asked for the same rows again. */
  textOf(rows: readonly StoredRow<Name>[]): string;
  /** Stands between two such texts. */
  separator: string;
  /** The most rows that it takes; without it all. */
  limit?: number;
  foot(rows: number): string;
}

/** Part of a finding that an export has read. */
export type ExportRow = { _id: string } & Partial<StoredAttributes>;

type Cell = string | number | boolean | null;

const signalsOf = ({ kev, estimated_epss: epss, package_use: use }: ExportRow): string =>
  [
    kev ? 'KEV' : '',
    typeof epss === 'number' ? `EPSS ${(epss * 100).toFixed(1)}%` : '',
    use === undefined || use === null || use === 'unknown' ? '' : PACKAGE_USE_LABELS[use],
  ]
    .filter((part) => part !== '')
    .join(', ');

/** What stands in one cell of a table: what the list shows, times in full. */
export const cellOf = (key: ColumnKey, row: ExportRow): Cell => {
  if (key === '_id') return row._id;
  if (key === 'signals') return signalsOf(row);
  const text = cellText(key, row);
  return valueKind(key) === 'time' && text !== '' ? isoTime(String(text)) : text;
};

/** What is read for the cells of the columns. */
export const attributesOfCells = (columns: readonly ColumnKey[]): RowAttribute[] => [
  ...new Set([...attributesOf(columns), ...neededFor(columns)]),
];

/** `{"_id":"` with 36 signs of an id and the quote behind it. */
const ID_LENGTH = 45;

/**
 * The row as on the wire, `{"_id":…,"attributes":{…}}`, with its attributes in the order in which they were read. Written from the row as it
 * came, which `toWire` changes.
 */
export const lineOf = (row: ExportRow): string => {
  const text = JSON.stringify(toWire(row));
  return `${text.slice(0, ID_LENGTH)},"attributes":{${text.slice(ID_LENGTH + 1)}${text.length > ID_LENGTH + 1 ? '}' : '}}'}`;
};

/** How people read the stored values of a format for machines. */
export const VALUE_LABELS = { status: STATUS_LABELS, verdict: VERDICT_LABELS, severity: SEVERITY_LABELS } as const;

/** CSV of RFC 4180 in UTF-8, marked as such for spreadsheets: one column for each column shown. */
export const csvDocument = (columns: readonly ColumnKey[]): ExportDocument<RowAttribute> => ({
  attributes: attributesOfCells(columns),
  head: `\ufeff${columns.map((key) => csvCell(columnInfo(key).label)).join(',')}\r\n`,
  separator: '',
  textOf: (rows) => rows.map((row) => `${columns.map((key) => csvCell(cellOf(key, row))).join(',')}\r\n`).join(''),
  foot: () => '',
});

/**
 * `{"data": [...]}` as of `GET /findings`, values as stored, one finding a line; without columns the whole rows. `meta` says how the list
 * calls values and columns.
 */
export const jsonDocument = (columns: readonly ColumnKey[] | undefined): ExportDocument<RowAttribute> => {
  const named = (columns ?? COLUMN_KEYS).map((key) => [key, columnInfo(key).label]);
  const labels = JSON.stringify({ columns: Object.fromEntries(named), ...VALUE_LABELS });
  return {
    attributes: columns === undefined ? ROW_KEYS : attributesOf(columns),
    head: '{"data":[\n',
    separator: ',\n',
    textOf: (rows) => rows.map(lineOf).join(',\n'),
    foot: (rows) => `${rows === 0 ? '' : '\n'}],"meta":{"total":${rows},"labels":${labels}}}\n`,
  };
};
