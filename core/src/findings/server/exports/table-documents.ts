import { type ColumnKey, columnInfo } from '../../model/column-catalogue.ts';
import { csvCell } from '../../model/export-cells.ts';
import { ROW_ATTRIBUTES, type RowAttribute } from '../row-attributes.ts';
import type { ExportDocument } from './export-document.ts';
import { attributesOf, cellOf, lineOf } from './export-rows.ts';

/** CSV of RFC 4180 in UTF-8, marked as such for spreadsheets: one column for each column shown. */
export const csvDocument = (columns: readonly ColumnKey[]): ExportDocument<RowAttribute> => ({
  attributes: attributesOf(columns),
  head: `\ufeff${columns.map((key) => csvCell(columnInfo(key).label)).join(',')}\r\n`,
  separator: '',
  textOf: (rows) => rows.map((row) => `${columns.map((key) => csvCell(cellOf(key, row))).join(',')}\r\n`).join(''),
  foot: () => '',
});

/** `{"data": [...]}` as of `GET /findings`, one finding a line. Without columns the whole rows. */
export const jsonDocument = (columns: readonly ColumnKey[] | undefined): ExportDocument<RowAttribute> => {
  return {
    attributes: columns === undefined ? ROW_ATTRIBUTES : attributesOf(columns),
    head: '{"data":[\n',
    separator: ',\n',
    textOf: (rows) => rows.map(lineOf).join(',\n'),
    foot: (rows) => `${rows === 0 ? '' : '\n'}],"meta":{"total":${rows}}}\n`,
  };
};
