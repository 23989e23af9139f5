import type { Db } from '../../../platform/server/database.ts';
import { type ColumnKey, LONG_FIELDS, type LongField } from '../../model/column-catalogue.ts';
import { type FindingItem, readFindingRows } from '../queries/read-finding-rows.ts';
import { type LongTexts, noTexts, readLongTexts } from '../queries/read-long-texts.ts';

/** A row of the list with the long texts that were asked for. */
export interface FullRow extends FindingItem {
  attributes: FindingItem['attributes'] & LongTexts;
}

/** Those of the columns that rows hold only on demand. */
export const longFieldsOf = (columns: readonly string[]): LongField[] =>
  LONG_FIELDS.filter((field) => columns.includes(field));

/** Rows of at most 10,000 ids in the order of the ids, with long texts. */
export const readFullRows = async (
  db: Db,
  request: { clientId: string; ids: readonly string[]; fields: readonly LongField[] },
): Promise<FullRow[]> => {
  const rows: FullRow[] = await readFindingRows(db, request);
  if (request.fields.length === 0) return rows;
  const texts = await readLongTexts(db, request);
  const none = noTexts(request.fields);
  // the rows are ours: a copy of fifty attributes for each of a million would be felt
  for (const row of rows) Object.assign(row.attributes, texts.get(row._id) ?? none);
  return rows;
};

type Cell = string | number | boolean | null;

const codeOf = (base64: string | null | undefined): string | null =>
  typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString('utf8') : null;

const signalsOf = ({ kev, estimated_epss: epss }: FullRow['attributes']): string =>
  [kev ? 'KEV' : '', epss === null ? '' : `EPSS ${(epss * 100).toFixed(1)}%`].filter((part) => part !== '').join(', ');

/** What stands in one cell of a table: the attribute, lists joined, code decoded. */
export const cellOf = (key: ColumnKey, { _id, attributes }: FullRow): Cell => {
  if (key === '_id') return _id;
  if (key === 'signals') return signalsOf(attributes);
  if (key === 'cwe') return attributes.cwe.map((number) => `CWE-${number}`).join(', ');
  if (key === 'tags') return attributes.tags.join(', ');
  if (key === 'scanner_report_code') return codeOf(attributes.scanner_report_code);
  if (key === 'issue_owner') return attributes.issue_owner_name;
  return attributes[key] ?? null;
};

/** Attributes behind a column, where they are others than the one of its name. */
const namesOf = (key: ColumnKey): (keyof FullRow['attributes'])[] => {
  if (key === '_id') return [];
  if (key === 'signals') return ['kev', 'kev_date_added', 'estimated_epss', 'epss_percentile', 'epss_date'];
  return key === 'issue_owner' ? [key, 'issue_owner_name'] : [key];
};

/** The row with the attributes of the columns only; without columns the whole of it. */
export const pickColumns = (row: FullRow, columns: readonly ColumnKey[] | undefined): Record<string, unknown> => {
  if (columns === undefined) return { _id: row._id, attributes: row.attributes };
  const names = columns.flatMap(namesOf);
  return { _id: row._id, attributes: Object.fromEntries(names.map((name) => [name, row.attributes[name] ?? null])) };
};
