import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { type CellList, cellConditions, countedCells } from '../cells.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import type { NarrowedFilter } from '../resolve-filter.ts';
import { SEGMENT_VALUES, type SegmentKey } from '../sort-orders.ts';

/** Findings of one run of the list. */
export interface Segment {
  value: number;
  count: number;
  /** Bounds of the priorities in it. */
  priorityLow: number;
  priorityHigh: number;
  cells: CellList;
  /** The part of the order's index that has them, where it is known better than by those bounds. */
  within?: Condition;
}

/**
 * Findings in each segment that meet the cell conditions of a filter, exact, and nothing else of it. Reads aggregate_cells
 * and its dictionaries by primary key.
 */
export const countCells = async (db: Db, filter: NarrowedFilter, key: SegmentKey): Promise<Segment[]> => {
  const { clientId } = filter.viewer;
  const conditions = cellConditions(filter);
  const isWhole = key === 'all' && conditions.length === 0;
  const counted = await sql<Omit<Segment, 'cells'> & { cells: string | null }>`
    select ${SEGMENT_VALUES[key]} as value, sum(c.count)::bigint as count,
      min(k.priority_low) as "priorityLow", max(k.priority_high) as "priorityHigh",
      ${isWhole ? sql`null` : sql`array_agg(c.cell)::text`} as cells
    from ${countedCells(clientId)}
    where c.client_id = ${clientId} and c.count > 0 and ${allOf(conditions)}
    group by 1`.execute(db);
  return counted.rows.map(({ cells, ...segment }) => ({ ...segment, cells: cells ?? undefined }));
};
