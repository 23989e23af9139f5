import { type RawBuilder, sql } from 'kysely';
import { allOf, type Condition, without } from './conditions.ts';
import type { ResolvedFilter } from './resolve-filter.ts';

/** Cells as the text of a PostgreSQL array. JavaScript's numbers cannot hold them. Undefined: all cells. */
export type CellList = string | undefined;

/** Conditions of a filter on sources `k` and dispositions `s`, with what the viewer may see. */
export const cellConditions = (filter: ResolvedFilter): Condition[] => [
  ...without(filter.conditions.sources),
  ...without(filter.conditions.dispositions),
  ...filter.conditions.scope,
];

/** `aggregate_cells c` with its source `k` and disposition `s`. */
export const countedCells = (clientId: string): RawBuilder<unknown> => sql`aggregate_cells c
  join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
  join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = c.disposition`;

/** The cells that meet all conditions. Reads the client's counts by primary key. */
export const cellsWhere = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select c.cell from ${countedCells(clientId)} where c.client_id = ${clientId} and c.count > 0 and ${allOf(conditions)}`;

/**
 * Tests a column while an index in another order is scanned. The sum hides the column from the planner, which would spend
 * longer on estimating thousands of values than on the scan; the list is hashed once.
 */
export const inCells = (column: string, cells: CellList): Condition[] =>
  cells === undefined ? [] : [sql<boolean>`${sql.ref(column)} + 0 = any(${cells}::bigint[])`];

/** Joins lists of cells. */
export const joinCells = (lists: readonly CellList[]): CellList => {
  const texts = lists.filter((list) => list !== undefined);
  return texts.length < lists.length ? undefined : `{${texts.map((text) => text.slice(1, -1)).join(',')}}`;
};
