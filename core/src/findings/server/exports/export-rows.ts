import type { ColumnKey } from '../../model/column-catalogue.ts';
import { isoTime, type RowAttribute, type StoredAttributes, toWire } from '../row-attributes.ts';

/** Part of a finding that an export has read. */
export type ExportRow = { _id: string } & Partial<StoredAttributes>;

type Cell = string | number | boolean | null;

const signalsOf = ({ kev, estimated_epss: epss }: ExportRow): string =>
  [kev ? 'KEV' : '', typeof epss === 'number' ? `EPSS ${(epss * 100).toFixed(1)}%` : '']
    .filter((part) => part !== '')
    .join(', ');

const timeOf = (time: string | undefined): string | null => (time === undefined ? null : isoTime(time));

/** What stands in one cell of a table: the attribute, lists joined. */
export const cellOf = (key: ColumnKey, row: ExportRow): Cell => {
  switch (key) {
    case 'signals':
      return signalsOf(row);
    case 'cwe':
      return (row.cwe ?? []).map((number) => `CWE-${number}`).join(', ');
    case 'tags':
    case 'slsa_threats':
    case 'owasp_cicd':
      return (row[key] ?? []).join(', ');
    case 'issue_owner':
      return row.issue_owner_name ?? null;
    case 'date':
    case 'first_seen':
    case 'last_seen':
      return timeOf(row[key]);
    default:
      return row[key] ?? null;
  }
};

/** Attributes behind a column, where they are others than the one of its name. */
const namesOf = (key: ColumnKey): RowAttribute[] => {
  if (key === '_id') return [];
  if (key === 'signals') return ['kev', 'kev_date_added', 'estimated_epss', 'epss_percentile', 'epss_date'];
  return key === 'issue_owner' ? [key, 'issue_owner_name'] : [key];
};

/** All that the columns show, each once. */
export const attributesOf = (columns: readonly ColumnKey[]): RowAttribute[] => [...new Set(columns.flatMap(namesOf))];

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
