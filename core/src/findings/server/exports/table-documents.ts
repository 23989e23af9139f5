import { type ColumnKey, columnInfo } from '../../model/column-catalogue.ts';
import { csvCell } from '../../model/export-cells.ts';
import { cellOf, type FullRow, pickColumns } from './export-rows.ts';

type Batches = AsyncIterable<readonly FullRow[]>;

/** CSV of RFC 4180 in UTF-8, marked as such for spreadsheets: one column for each column shown. */
export async function* csvDocument(batches: Batches, columns: readonly ColumnKey[]): AsyncGenerator<string> {
  yield `\ufeff${columns.map((key) => csvCell(columnInfo(key).label)).join(',')}\r\n`;
  for await (const rows of batches) {
    yield rows.map((row) => `${columns.map((key) => csvCell(cellOf(key, row))).join(',')}\r\n`).join('');
  }
}

/** `{"data": [...]}` as of `GET /findings`, one finding a line. */
export async function* jsonDocument(
  batches: Batches,
  columns: readonly ColumnKey[] | undefined,
): AsyncGenerator<string> {
  let total = 0;
  yield '{"data":[';
  for await (const rows of batches) {
    const lines = rows.map((row) => JSON.stringify(pickColumns(row, columns)));
    yield `${total === 0 ? '\n' : ',\n'}${lines.join(',\n')}`;
    total += rows.length;
  }
  yield `\n],"meta":{"total":${total}}}\n`;
}
