import type { Db } from '../../../platform/server/database.ts';
import { countNarrowed } from '../counts/count-filtered.ts';
import { countCells, countFindings } from '../counts/count-segments.ts';
import { SORT_ORDERS } from '../counts/sort-orders.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { isNarrowed, needsRows, type ResolvedFilter, resolveFilter } from '../filter/resolve-filter.ts';
import { cutDeepPage, inListOrder, type Page, type PageRequest, type Slice, slicesOfPage, sumOf } from './page.ts';
import { scanBeginning, scanPage } from './scan-page.ts';
import { bestLookup, fetchPage, type Lookup } from './sort-page.ts';

export interface PageOfIds {
  ids: string[];
  total: number;
}

/** A page that may come before its list is counted. */
export interface UncountedPage {
  ids: string[];
  /** Undefined where counting takes longer than the page. */
  total: number | undefined;
}

/** What the choice between fetch and sort and an index scan rests on. */
export interface PageCosts {
  /** Reading a scattered row costs as much as this many steps in an index. */
  row: number;
  /** So few rows are looked up at once: an index scan may have to cross all others before it finds them. */
  fewRows: number;
  /** An index scan of so many rows takes longer than reading where the page begins. */
  deep: number;
}

/** Measured at 1,000,000 findings of one client. */
const MEASURED_COSTS: PageCosts = { row: 18, fewRows: 5000, deep: 20_000 };

/** Steps of an index scan up to the page: all that lies between the findings that match. */
const stepsOf = async (db: Db, page: Page, slices: readonly Slice[]): Promise<number> => {
  const all = await countFindings(db, { clientId: page.filter.viewer.clientId });
  const steps = slices.reduce((sum, slice) => sum + slice.offset + slice.limit, 0);
  return Math.min(all, (steps * all) / Math.max(1, sumOf(page.segments)));
};

/** Free text that names every definition leaves nothing for the files to add; counting those is what takes long. */
const hasAllDefinitions = async (db: Db, page: Page): Promise<boolean> => {
  const { filter, segments } = page;
  const { search } = filter;
  if (search === undefined || search.definitions.isFew || filter.conditions.rows.length > 0) return false;
  await setPlannerHints(db, 'rollups');
  const byDefinition = { ...filter, search: undefined, definitions: [search.definitions] };
  const key = SORT_ORDERS[page.request.sortField].segments;
  return sumOf(await countNarrowed(db, { filter: byDefinition, segments, key })) === sumOf(segments);
};

const countExactly = async (db: Db, page: Page, costs: PageCosts): Promise<Page> => {
  const { filter, segments, request } = page;
  if (!isNarrowed(filter)) return cutDeepPage(db, page, costs.deep);
  if (filter.definitions.length === 0 && (await hasAllDefinitions(db, page))) return page;
  await setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');
  const key = SORT_ORDERS[request.sortField].segments;
  return { ...page, segments: await countNarrowed(db, { filter, segments, key }) };
};

const findCounted = async (
  db: Db,
  found: Page,
  { lookup, costs }: { lookup: Lookup | undefined; costs: PageCosts },
): Promise<PageOfIds> => {
  const page = await countExactly(db, found, costs);
  const total = sumOf(page.segments);
  const slices = slicesOfPage(
    page.segments.map((segment) => segment.count),
    page.request.offset,
    page.request.limit,
  );
  if (slices.length === 0) return { ids: [], total };
  if (lookup !== undefined && lookup.rows * costs.row < (await stepsOf(db, page, slices))) {
    return fetchPage(db, page, lookup);
  }
  return { ids: await scanPage(db, page, slices), total };
};

/** A page further down asks for the count anyway: the way to it depends on where the list ends. */
const BEGINNING = 200;

const findBeginning = async (db: Db, page: Page): Promise<UncountedPage | undefined> => {
  const { offset, limit } = page.request;
  if (offset + limit > BEGINNING) return undefined;
  const found = await scanBeginning(db, page, offset + limit);
  return found && { ids: found.ids.slice(offset), total: found.isAll ? found.ids.length : undefined };
};

/** Looks the rows up where they are few; else what `otherwise` finds. */
const fetchFew = async <T>(
  db: Db,
  page: Page,
  { costs, otherwise }: { costs: PageCosts; otherwise: (lookup: Lookup | undefined) => Promise<T> },
): Promise<T | PageOfIds> => {
  const lookup = await bestLookup(db, page);
  return lookup !== undefined && lookup.rows <= costs.fewRows ? fetchPage(db, page, lookup) : otherwise(lookup);
};

const findIn = (db: Db, page: Page, costs: PageCosts): Promise<PageOfIds> =>
  fetchFew(db, page, { costs, otherwise: (lookup) => findCounted(db, page, { lookup, costs }) });

/** Adding up the definitions of so many findings takes longer than scanning to the first of them. */
const MANY_ROWS = 200_000;

/** So many definitions meet the filter that its findings lie everywhere, and adding up what each has takes longer than the page. */
const isBroad = ({ definitions }: ResolvedFilter): boolean => definitions.some((set) => !set.isFew);

const findSoonIn = async (db: Db, page: Page, costs: PageCosts): Promise<UncountedPage> => {
  const { filter } = page;
  const isTried = isBroad(filter);
  const early = isTried ? await findBeginning(db, page) : undefined;
  if (early !== undefined) return early;
  const otherwise = async (lookup: Lookup | undefined): Promise<UncountedPage> => {
    const isMany = filter.definitions.length > 0 && lookup !== undefined && lookup.rows > MANY_ROWS;
    const late = !isTried && (needsRows(filter) || isMany) ? await findBeginning(db, page) : undefined;
    return late ?? findCounted(db, page, { lookup, costs });
  };
  return fetchFew(db, page, { costs, otherwise });
};

const NOTHING: PageOfIds = { ids: [], total: 0 };

const find = async <T>(
  db: Db,
  request: PageRequest,
  findInside: (page: Page) => Promise<T>,
): Promise<T | PageOfIds> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return NOTHING;
  await setPlannerHints(db, 'rollups');
  const segments = await countCells(db, filter, SORT_ORDERS[request.sortField].segments);
  const page = { request, filter, segments: inListOrder(segments, request) };
  const found = segments.length === 0 ? NOTHING : await findInside(page);
  await setPlannerHints(db, 'free');
  return found;
};

/**
 * Ids of one page of findings and the exact total. Counts first, from rollups where it can, then either looks the few
 * matching rows up and sorts them, or scans the order's index from the nearer end.
 */
export const findPage = (db: Db, request: PageRequest, costs = MEASURED_COSTS): Promise<PageOfIds> =>
  find(db, request, (page) => findIn(db, page, costs));

/** The same ids; the beginning of a list comes without its total where counting would take longer. */
export const findPageSoon = (db: Db, request: PageRequest, costs = MEASURED_COSTS): Promise<UncountedPage> =>
  find<UncountedPage>(db, request, (page) => findSoonIn(db, page, costs));
