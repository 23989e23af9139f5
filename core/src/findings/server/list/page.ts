import type { Db } from '../../../platform/server/database.ts';
import type { Segment } from '../counts/count-segments.ts';
import { countBuckets } from '../counts/order-buckets.ts';
import { type Direction, SORT_ORDERS, type SortField } from '../counts/sort-orders.ts';
import { without } from '../filter/conditions.ts';
import { type FindingsRequest, isNarrowed, type ResolvedFilter } from '../filter/resolve-filter.ts';

/** A run of rows to read from one segment. */
export interface Slice {
  /** Position of the segment in the list given. */
  segment: number;
  /** Rows to skip, from the end where `isFromEnd`. */
  offset: number;
  limit: number;
  /** Read backwards: the end is nearer, so fewer rows are scanned. The rows then come in reverse. */
  isFromEnd: boolean;
}

/**
 * Cuts a page out of segments that follow each other, given the rows of each. A deep page costs no more than one as far
 * from the other end.
 */
export const slicesOfPage = (counts: readonly number[], offset: number, limit: number): Slice[] => {
  const slices: Slice[] = [];
  let start = 0;
  for (const [segment, count] of counts.entries()) {
    const from = Math.max(offset, start) - start;
    const to = Math.min(offset + limit, start + count) - start;
    if (to > from) {
      const isFromEnd = from > count - to;
      slices.push({ segment, offset: isFromEnd ? count - to : from, limit: to - from, isFromEnd });
    }
    start += count;
  }
  return slices;
};

/** Which findings of a list are wanted, and in which order. */
export interface PageRequest extends FindingsRequest {
  sortField: SortField;
  direction: Direction;
  offset: number;
  limit: number;
}

/** A page with its filter looked up. Segments follow each other as the list does. */
export interface Page {
  request: PageRequest;
  filter: ResolvedFilter;
  segments: Segment[];
}

export const sumOf = (segments: readonly { count: number }[]): number =>
  segments.reduce((sum, segment) => sum + segment.count, 0);

/** What has no score comes last both ways; every other order follows the direction. */
export const inListOrder = (segments: readonly Segment[], request: PageRequest): Segment[] => {
  const isKnownFirst = request.sortField === 'cvssv3_score' || request.sortField === 'estimated_epss';
  const sign = request.direction === 'asc' && !isKnownFirst ? 1 : -1;
  return [...segments].sort((a, b) => sign * (a.value - b.value));
};

/**
 * Cuts the long runs of a list into steps of its order, so that a page `deep` rows from both ends of a run is reached without scanning to
 * it. The counts of steps know dispositions only: a filter by anything else leaves the page as it is.
 */
export const cutDeepPage = async (db: Db, page: Page, deep: number): Promise<Page> => {
  const { request, filter } = page;
  const { bucketsOf } = SORT_ORDERS[request.sortField];
  const { sources, scope, dispositions } = filter.conditions;
  if (bucketsOf === undefined || isNarrowed(filter) || sources.length > 0 || scope.length > 0) return page;
  const counts = page.segments.map((segment) => segment.count);
  const slices = slicesOfPage(counts, request.offset, request.limit);
  const segments: Segment[] = [];
  for (const [place, segment] of page.segments.entries()) {
    if (!slices.some((slice) => slice.segment === place && slice.offset >= deep)) {
      segments.push(segment);
      continue;
    }
    const buckets = bucketsOf(segment.value);
    const { clientId } = filter.viewer;
    const steps = await countBuckets(db, { clientId, buckets, conditions: without(dispositions) });
    // an import that ended in between: the counts no longer belong together
    if (sumOf(steps) !== segment.count) return page;
    if (request.direction === 'desc') steps.reverse();
    segments.push(...steps.map(({ bucket, count }) => ({ ...segment, count, within: () => buckets.within(bucket) })));
  }
  return { ...page, segments };
};
