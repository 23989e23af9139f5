import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { countDefinitionReach, estimateRows } from '../counts/count-segments.ts';
import { type Direction, orderBy, SORT_ORDERS } from '../counts/sort-orders.ts';
import { cellConditions, cellsWhere, inCells, joinCells } from '../filter/cells.ts';
import { allOf, type Condition } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { needsRows, rowConditionsOf } from '../filter/resolve-filter.ts';
import { type Page, sumOf } from './page.ts';

export interface FetchSortedRequest {
  clientId: string;
  /** On findings `f`; at least one is served by findings_by_cell, findings_by_definition, findings_by_file or findings_by_date. */
  conditions: readonly Condition[];
  columns: readonly string[];
  direction: Direction;
  /** Rows for which this is false come last. */
  isKnown: Condition | undefined;
  /** Comes before the columns. */
  rank: RawBuilder<number> | undefined;
  offset: number;
  limit: number;
}

/** Ids of a rare selection with their total: looks all of them up and sorts them. */
export const fetchSortedIds = async (
  db: Db,
  request: FetchSortedRequest,
): Promise<{ ids: string[]; total: number }> => {
  const known = request.isKnown === undefined ? sql`` : sql`${request.isKnown} desc,`;
  const rank = request.rank === undefined ? sql`` : sql`${request.rank} ${sql.raw(request.direction)},`;
  const found = await sql<{ ids: string[]; total: number }>`
    with found as materialized (
      select f.id, row_number() over (order by ${known} ${rank} ${orderBy(request.columns, request.direction)}) as place
      from findings f where f.client_id = ${request.clientId} and ${allOf(request.conditions)}
    )
    select (select count(*) from found) as total,
      array(select id from found where place > ${request.offset} order by place limit ${request.limit}) as ids`.execute(
    db,
  );
  return found.rows[0] ?? { ids: [], total: 0 };
};

/** A way to find the rows without scanning the order: conditions that an index serves, and the rows it leads to. */
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
export const fetchPage = async (db: Db, page: Page, lookup: Lookup): Promise<{ ids: string[]; total: number }> => {
  const { request } = page;
  const order = SORT_ORDERS[request.sortField];
  await setPlannerHints(db, 'sorted');
  return fetchSortedIds(db, {
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
