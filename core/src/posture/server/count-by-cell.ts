import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  filteredCounts,
  isNarrowed,
  type ResolvedFilter,
} from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';

/** One count a severity. */
export const BY_SEVERITY_ALONE = sql<string>`''`;

export interface CellCount {
  value: string;
  /** 4 critical to 0 informational. */
  severity: number;
  count: number;
}

/**
 * Findings of a filter by severity and one more value of a source `k` or a disposition `s`. Reads aggregate_cells and its dictionaries by
 * primary key; rows only for ranges, files and free text.
 */
export const countByCell = async (
  db: Db,
  request: { filter: ResolvedFilter; by: RawBuilder<string> },
): Promise<CellCount[]> => {
  const { filter, by } = request;
  const { clientId } = filter.viewer;
  const isPlain = !isNarrowed(filter);
  const counted = await sql<CellCount>`
    select ${by} as value, k.severity, sum(${isPlain ? sql`c.count` : sql`n.count`})::bigint as count
    from ${countedCells(clientId)}
    ${isPlain ? sql`` : sql`join (${filteredCounts(filter, undefined)}) n on n.cell = c.cell`}
    where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))}
    group by 1, 2`.execute(db);
  return counted.rows;
};
