import type { StoredRow } from '../queries/read-finding-rows.ts';
import type { RowAttribute } from '../row-attributes.ts';

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
