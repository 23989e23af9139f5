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

/** What cells tell apart besides the severity. */
const VALUES = {
  nothing: sql<string>`''`,
  kev: sql<string>`k.kev::text`,
  status: sql<string>`s.status`,
  repository: sql<string>`k.repository_id::text`,
} satisfies Record<string, RawBuilder<string>>;

export interface CellCount {
  value: string;
  /** 4 critical to 0 informational. */
  severity: number;
  count: number;
}

/** Findings of a filter by severity and one more fact. Reads aggregate_cells and its dictionaries by primary key; rows only for ranges, files and free text. */
export const countByCell = async (
  db: Db,
  request: { filter: ResolvedFilter; by: keyof typeof VALUES },
): Promise<CellCount[]> => {
  const { filter, by } = request;
  const { clientId } = filter.viewer;
  const isPlain = !isNarrowed(filter);
  const counted = await sql<CellCount>`
    select ${VALUES[by]} as value, k.severity, sum(${isPlain ? sql`c.count` : sql`n.count`})::bigint as count
    from ${countedCells(clientId)}
    ${isPlain ? sql`` : sql`join (${filteredCounts(filter, undefined)}) n on n.cell = c.cell`}
    where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))}
    group by 1, 2`.execute(db);
  return counted.rows;
};
