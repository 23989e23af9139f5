import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Segment } from '../counts/count-segments.ts';
import { type Direction, orderBy, SORT_ORDERS } from '../counts/sort-orders.ts';
import { inCells } from '../filter/cells.ts';
import { allOf, type Condition } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { isNarrowed, rowConditionsOf } from '../filter/resolve-filter.ts';
import type { Page, Slice } from './page.ts';
import { fetchSortedIds } from './sort-page.ts';

export interface ScanRequest {
  clientId: string;
  /** On findings `f`. */
  conditions: readonly Condition[];
  columns: readonly string[];
  direction: Direction;
  offset: number;
  limit: number;
}

const order = (request: Pick<ScanRequest, 'columns' | 'direction'>): RawBuilder<unknown> =>
  orderBy(request.columns, request.direction);

/** Ids in the order of an index: findings_by_<order> or the primary key. Skips what does not match, so it suits what is not rare. */
export const scanIds = async (db: Db, request: ScanRequest): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select f.id from findings f where f.client_id = ${request.clientId} and ${allOf(request.conditions)}
    order by ${order(request)} limit ${request.limit} offset ${request.offset}`.execute(db);
  return found.rows.map((row) => row.id);
};

/** Ids in the order of an index among its first `window` rows that meet `place`. Whatever the conditions are, no more is read. */
export const scanFirstIds = async (
  db: Db,
  request: Omit<ScanRequest, 'offset'> & { place: readonly Condition[]; window: number },
): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select f.id from (
      select f.* from findings f where f.client_id = ${request.clientId} and ${allOf(request.place)}
      order by ${order(request)} limit ${request.window}
    ) f where ${allOf(request.conditions)} order by ${order(request)} limit ${request.limit}`.execute(db);
  return found.rows.map((row) => row.id);
};

/** What leads to the rows of a segment in its index, besides the filter. */
const placeOf = (page: Page, segment: Segment): Condition[] => {
  const index = SORT_ORDERS[page.request.sortField].indexOf(segment.value);
  const conditions = inCells('f.cell', segment.cells);
  if (index.condition !== undefined) conditions.push(index.condition);
  if (segment.within !== undefined) return [...conditions, segment.within()];
  if (index.columns[0] !== 'f.priority') return conditions;
  const { priorityLow, priorityHigh } = segment;
  // the bounds are whole points
  return [...conditions, sql<boolean>`f.priority >= ${priorityLow}::real and f.priority < ${priorityHigh + 1}::real`];
};

const scanSlice = async (db: Db, page: Page, slice: Slice, segment: Segment): Promise<string[]> => {
  const { request, filter } = page;
  const index = SORT_ORDERS[request.sortField].indexOf(segment.value);
  const isAscending = (request.direction === 'asc') !== slice.isFromEnd;
  const ids = await scanIds(db, {
    clientId: filter.viewer.clientId,
    conditions: [...placeOf(page, segment), ...rowConditionsOf(filter)],
    columns: index.columns,
    direction: isAscending ? 'asc' : 'desc',
    offset: slice.offset,
    limit: slice.limit,
  });
  return slice.isFromEnd ? ids.reverse() : ids;
};

/** So few findings of a value are looked up: an index scan may cross all others before it finds them. */
const FEW_OF_A_VALUE = 5000;

const isRare = ({ request, filter }: Page, segment: Segment): boolean =>
  SORT_ORDERS[request.sortField].rank !== undefined &&
  segment.count <= FEW_OF_A_VALUE &&
  segment.cells !== undefined &&
  !isNarrowed(filter);

const fetchSlice = async (db: Db, page: Page, slice: Slice, segment: Segment): Promise<string[]> => {
  const { request, filter } = page;
  const isAscending = (request.direction === 'asc') !== slice.isFromEnd;
  await setPlannerHints(db, 'sorted');
  const { ids } = await fetchSortedIds(db, {
    clientId: filter.viewer.clientId,
    conditions: [sql<boolean>`f.cell = any(${segment.cells}::bigint[])`],
    columns: SORT_ORDERS[request.sortField].indexOf(segment.value).columns,
    direction: isAscending ? 'asc' : 'desc',
    isKnown: undefined,
    rank: undefined,
    offset: slice.offset,
    limit: slice.limit,
  });
  await setPlannerHints(db, 'ordered');
  return slice.isFromEnd ? ids.reverse() : ids;
};

/** Ids of a page, read along the index of its order. */
export const scanPage = async (db: Db, page: Page, slices: readonly Slice[]): Promise<string[]> => {
  await setPlannerHints(db, 'ordered');
  const ids: string[] = [];
  for (const slice of slices) {
    const segment = page.segments[slice.segment];
    if (segment === undefined) continue;
    const read = isRare(page, segment) ? fetchSlice : scanSlice;
    ids.push(...(await read(db, page, slice, segment)));
  }
  return ids;
};

/** So many rows of an order are looked at for the beginning of a list; beyond them counting first is no slower. */
const MOST_STEPS = 20_000;

/**
 * Ids of the beginning of a list, whose findings nobody counted yet; with `isAll` they are the whole list. Undefined where the
 * findings of the filter lie too far apart.
 */
export const scanBeginning = async (
  db: Db,
  page: Page,
  wanted: number,
): Promise<{ ids: string[]; isAll: boolean } | undefined> => {
  const { request, filter } = page;
  await setPlannerHints(db, 'ordered');
  const ids: string[] = [];
  let steps = MOST_STEPS;
  for (const segment of page.segments) {
    ids.push(
      ...(await scanFirstIds(db, {
        clientId: filter.viewer.clientId,
        place: placeOf(page, segment),
        conditions: rowConditionsOf(filter),
        columns: SORT_ORDERS[request.sortField].indexOf(segment.value).columns,
        direction: request.direction,
        window: steps,
        limit: wanted - ids.length,
      })),
    );
    if (ids.length >= wanted) return { ids, isAll: false };
    steps -= segment.count;
    if (steps <= 0) return undefined;
  }
  return { ids, isAll: true };
};
