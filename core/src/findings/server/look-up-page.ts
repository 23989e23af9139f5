import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { cellConditions, cellsWhere, inCells, joinCells } from './cells.ts';
import type { Condition } from './filter-conditions.ts';
import { type Page, sumOf } from './page-segments.ts';
import { countDefinitionReach } from './queries/count-definition-reach.ts';
import { estimateRows } from './queries/estimate-rows.ts';
import { gatherFindingIds } from './queries/gather-finding-ids.ts';
import { setPlannerHints } from './queries/set-planner-hints.ts';
import { needsRows, rowConditionsOf } from './resolve-filter.ts';
import { SORT_ORDERS } from './sort-orders.ts';

/** A way to find the rows without walking: conditions that an index serves, and the rows it leads to. */
export interface Lookup {
  rows: number;
  conditions: Condition[];
}

/** The lookup that leads to the fewest rows: by cell, by definition, or by what the planner knows about files and ranges. */
export const bestLookup = async (db: Db, page: Page): Promise<Lookup | undefined> => {
  const { filter } = page;
  const { clientId } = filter.viewer;
  const cells = cellConditions(filter);
  const hidden = inCells('f.cell', cells.length === 0 ? undefined : joinCells(page.segments.map((of) => of.cells)));
  const lookups: Lookup[] = [];
  if (cells.length > 0) {
    const found = sql<boolean>`f.cell = any(array(${cellsWhere(clientId, cells)}))`;
    lookups.push({ rows: sumOf(page.segments), conditions: [found, ...rowConditionsOf(filter)] });
  }
  if (filter.definitions.length > 0) {
    const rows = await countDefinitionReach(db, { clientId, definitions: filter.definitions });
    const found = filter.definitions.map((set) => sql<boolean>`f.definition_id = any(${set.array})`);
    lookups.push({ rows, conditions: [...found, ...hidden, ...rowConditionsOf({ ...filter, definitions: [] })] });
  }
  if (needsRows(filter)) {
    const rows = await estimateRows(db, { conditions: rowConditionsOf({ ...filter, definitions: [] }) });
    lookups.push({ rows, conditions: [...hidden, ...rowConditionsOf(filter)] });
  }
  return lookups.sort((a, b) => a.rows - b.rows)[0];
};

/** Ids of a page and the total: all rows of the lookup, sorted. */
export const lookUpPage = async (db: Db, page: Page, lookup: Lookup): Promise<{ ids: string[]; total: number }> => {
  const { request } = page;
  const order = SORT_ORDERS[request.sortField];
  await setPlannerHints(db, 'gathered');
  return gatherFindingIds(db, {
    clientId: request.viewer.clientId,
    conditions: lookup.conditions,
    columns: order.columns,
    direction: request.direction,
    isKnown: order.isKnown,
    rank: order.rank,
    offset: request.offset,
    limit: request.limit,
  });
};
