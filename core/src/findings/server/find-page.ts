import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { type Slice, slicesOfPage } from '../model/page-slices.ts';
import { cubeConditions, cubesWhere, inCubes, joinCubes } from './cubes.ts';
import type { Condition } from './filter-conditions.ts';
import {
  type FindingsRequest,
  isNarrowed,
  type NarrowedFilter,
  narrowFilter,
  needsRows,
  rowConditionsOf,
} from './narrow-filter.ts';
import { countCubes, type Segment } from './queries/count-cubes.ts';
import { countFindings } from './queries/count-findings.ts';
import { countNarrowed } from './queries/count-narrowed.ts';
import { countSubjectReach } from './queries/count-subject-reach.ts';
import { estimateRows } from './queries/estimate-rows.ts';
import { gatherFindingIds } from './queries/gather-finding-ids.ts';
import { steerPlanner } from './queries/steer-planner.ts';
import { walkFindingIds } from './queries/walk-finding-ids.ts';
import { type Direction, SORT_ORDERS, type SortField } from './sort-orders.ts';

export interface PageRequest extends FindingsRequest {
  sortField: SortField;
  direction: Direction;
  offset: number;
  limit: number;
}

export interface PageOfIds {
  ids: string[];
  total: number;
}

/** A page with its filter looked up. `segments` meet the cube conditions, in the order of the list. */
interface Page {
  request: PageRequest;
  filter: NarrowedFilter;
  segments: Segment[];
}

/** A way to find the rows without walking: conditions that an index serves, and the rows it leads to. */
interface Lookup {
  rows: number;
  conditions: Condition[];
}

/** What the choice between looking up and walking rests on. */
export interface PageCosts {
  /** Reading a scattered row costs as much as this many steps in an index. */
  row: number;
  /** So few rows are looked up at once, without asking for anything better. */
  fewRows: number;
}

/** Measured at 1,000,000 findings of one client. */
const MEASURED_COSTS: PageCosts = { row: 18, fewRows: 2000 };

const sumOf = (segments: readonly Segment[]): number => segments.reduce((sum, segment) => sum + segment.count, 0);

/** Severity follows the direction; what has no score comes last both ways. */
const inListOrder = (segments: readonly Segment[], request: PageRequest): Segment[] =>
  [...segments].sort((a, b) =>
    request.sortField === 'severity' && request.direction === 'asc' ? a.value - b.value : b.value - a.value,
  );

/** The lookup that leads to the fewest rows. */
const bestLookup = async (db: Db, page: Page): Promise<Lookup | undefined> => {
  const { filter } = page;
  const { clientId } = filter.viewer;
  const cubes = cubeConditions(filter);
  const hidden = inCubes('f.cube', cubes.length === 0 ? undefined : joinCubes(page.segments.map((of) => of.cubes)));
  const lookups: Lookup[] = [];
  if (cubes.length > 0) {
    const found = sql<boolean>`f.cube = any(array(${cubesWhere(clientId, cubes)}))`;
    lookups.push({ rows: sumOf(page.segments), conditions: [found, ...rowConditionsOf(filter)] });
  }
  if (filter.subjects.length > 0) {
    const rows = await countSubjectReach(db, { clientId, subjects: filter.subjects });
    const found = filter.subjects.map((set) => sql<boolean>`f.subject_id = any(${set.array})`);
    lookups.push({ rows, conditions: [...found, ...hidden, ...rowConditionsOf({ ...filter, subjects: [] })] });
  }
  if (needsRows(filter)) {
    const rows = await estimateRows(db, { conditions: rowConditionsOf({ ...filter, subjects: [] }) });
    lookups.push({ rows, conditions: [...hidden, ...rowConditionsOf(filter)] });
  }
  return lookups.sort((a, b) => a.rows - b.rows)[0];
};

const gather = async (db: Db, page: Page, lookup: Lookup): Promise<PageOfIds> => {
  const { request } = page;
  const order = SORT_ORDERS[request.sortField];
  await steerPlanner(db, 'gathered');
  return gatherFindingIds(db, {
    clientId: request.viewer.clientId,
    conditions: lookup.conditions,
    columns: order.columns,
    direction: request.direction,
    isKnown: order.isKnown,
    offset: request.offset,
    limit: request.limit,
  });
};

const walkSlice = async (db: Db, page: Page, slice: Slice, segment: Segment): Promise<string[]> => {
  const { request, filter } = page;
  const index = SORT_ORDERS[request.sortField].indexOf(segment.value);
  const conditions = [...inCubes('f.cube', segment.cubes), ...rowConditionsOf(filter)];
  if (index.condition !== undefined) conditions.push(index.condition);
  if (index.columns[0] === 'f.priority' && segment.cubes !== undefined) {
    conditions.push(
      sql<boolean>`f.priority between ${segment.priorityLow}::smallint and ${segment.priorityHigh}::smallint`,
    );
  }
  const isAscending = (request.direction === 'asc') !== slice.isFromEnd;
  const ids = await walkFindingIds(db, {
    clientId: filter.viewer.clientId,
    conditions,
    columns: index.columns,
    direction: isAscending ? 'asc' : 'desc',
    offset: slice.offset,
    limit: slice.limit,
  });
  return slice.isFromEnd ? ids.reverse() : ids;
};

const walk = async (db: Db, page: Page, slices: readonly Slice[]): Promise<string[]> => {
  await steerPlanner(db, 'ordered');
  const ids: string[] = [];
  for (const slice of slices) {
    const segment = page.segments[slice.segment];
    if (segment !== undefined) ids.push(...(await walkSlice(db, page, slice, segment)));
  }
  return ids;
};

/** Steps of a walk up to the page: all that lies between the findings that match. */
const stepsOf = async (db: Db, page: Page, slices: readonly Slice[]): Promise<number> => {
  const all = await countFindings(db, { clientId: page.filter.viewer.clientId });
  const steps = slices.reduce((sum, slice) => sum + slice.offset + slice.limit, 0);
  return Math.min(all, (steps * all) / Math.max(1, sumOf(page.segments)));
};

/** Free text that names every subject leaves nothing for the files to add; counting those is what takes long. */
const hasAllSubjects = async (db: Db, page: Page): Promise<boolean> => {
  const { filter, segments } = page;
  const { search } = filter;
  if (search === undefined || search.subjects.isFew || filter.conditions.rows.length > 0) return false;
  await steerPlanner(db, 'rollups');
  const bySubject = { ...filter, search: undefined, subjects: [search.subjects] };
  const key = SORT_ORDERS[page.request.sortField].segments;
  return sumOf(await countNarrowed(db, { filter: bySubject, segments, key })) === sumOf(segments);
};

const countExactly = async (db: Db, page: Page): Promise<Page> => {
  const { filter, segments, request } = page;
  if (!isNarrowed(filter) || (filter.subjects.length === 0 && (await hasAllSubjects(db, page)))) return page;
  await steerPlanner(db, needsRows(filter) ? 'free' : 'rollups');
  const key = SORT_ORDERS[request.sortField].segments;
  return { ...page, segments: await countNarrowed(db, { filter, segments, key }) };
};

const findIn = async (db: Db, found: Page, costs: PageCosts): Promise<PageOfIds> => {
  const lookup = await bestLookup(db, found);
  if (lookup !== undefined && lookup.rows <= costs.fewRows) return gather(db, found, lookup);
  const page = await countExactly(db, found);
  const total = sumOf(page.segments);
  const slices = slicesOfPage(
    page.segments.map((segment) => segment.count),
    page.request.offset,
    page.request.limit,
  );
  if (slices.length === 0) return { ids: [], total };
  if (lookup !== undefined && lookup.rows * costs.row < (await stepsOf(db, page, slices)))
    return gather(db, page, lookup);
  return { ids: await walk(db, page, slices), total };
};

/**
 * Ids of one page of findings and the exact total. Counts first, from rollups where it can, then either looks the few
 * matching rows up and sorts them, or walks the order's index from the nearer end.
 */
export const findPage = async (db: Db, request: PageRequest, costs = MEASURED_COSTS): Promise<PageOfIds> => {
  const filter = await narrowFilter(db, request);
  if (filter.isEmpty) return { ids: [], total: 0 };
  await steerPlanner(db, 'rollups');
  const segments = await countCubes(db, filter, SORT_ORDERS[request.sortField].segments);
  const page = { request, filter, segments: inListOrder(segments, request) };
  const found = segments.length === 0 ? { ids: [], total: 0 } : await findIn(db, page, costs);
  await steerPlanner(db, 'free');
  return found;
};
