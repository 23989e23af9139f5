import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { inCubes } from '../cubes.ts';
import type { Condition } from '../filter-conditions.ts';
import { type FindingsRequest, narrowFilter, rowConditionsOf } from '../narrow-filter.ts';
import { inListOrder, type PageRequest } from '../page-segments.ts';
import { countCubes, type Segment } from '../queries/count-cubes.ts';
import { steerPlanner } from '../queries/steer-planner.ts';
import { type Position, walkFrom } from '../queries/walk-from.ts';
import { type Direction, SORT_ORDERS, type SortField } from '../sort-orders.ts';

/** Rows read in one transaction: few enough to be gone from memory soon, many enough that the filter is looked up seldom. */
const BATCH = 4000;

/** Which findings are exported, and in which order. */
export interface ExportRequest extends FindingsRequest {
  sortField: SortField;
  direction: Direction;
}

/** What an export reads from. Ends with the request that asked for it. */
export interface ExportSource {
  database: DatabaseHandle;
  request: ExportRequest;
  signal: AbortSignal;
}

/** Where the walk stands: in which run of the list, behind which row. */
interface Place {
  segment: number;
  after: Position | undefined;
}

const conditionsOf = (segment: Segment, request: ExportRequest, rows: readonly Condition[]) => {
  const index = SORT_ORDERS[request.sortField].indexOf(segment.value);
  const conditions = [...inCubes('f.cube', segment.cubes), ...rows];
  if (index.condition !== undefined) conditions.push(index.condition);
  return { conditions, columns: index.columns };
};

interface Batch<T> {
  rows: T[];
  /** Where the next one begins; undefined at the end. */
  place: Place | undefined;
}

interface Walked {
  ids: string[];
  place: Place | undefined;
}

/** Ids of the next batch, along the indexes of the order. */
const walkBatch = async (db: Db, request: ExportRequest, from: Place | undefined): Promise<Walked> => {
  const filter = await narrowFilter(db, request);
  if (filter.isEmpty) return { ids: [], place: undefined };
  await steerPlanner(db, 'rollups');
  const paged: PageRequest = { ...request, offset: 0, limit: BATCH };
  const counted = await countCubes(db, filter, SORT_ORDERS[request.sortField].segments);
  const segments = inListOrder(counted, paged);
  const rows = rowConditionsOf(filter);
  await steerPlanner(db, 'ordered');
  const ids: string[] = [];
  const start = from === undefined ? 0 : segments.findIndex((segment) => segment.value === from.segment);
  for (const segment of start === -1 ? [] : segments.slice(start)) {
    const after = from?.segment === segment.value ? from.after : undefined;
    const found = await walkFrom(db, {
      clientId: request.viewer.clientId,
      ...conditionsOf(segment, request, rows),
      direction: request.direction,
      after,
      limit: BATCH - ids.length,
    });
    ids.push(...found.ids);
    if (ids.length === BATCH) return { ids, place: { segment: segment.value, after: found.last } };
  }
  return { ids, place: undefined };
};

/**
 * All findings of a request in the order of the list, batch by batch, each with what `read` takes from the same transaction.
 * The next batch is read while the last one is written. Between batches no connection is held, so that a slow reader costs none;
 * what changes meanwhile is exported as it is when its batch is read, never twice.
 */
export async function* exportBatches<T>(
  { database, request, signal }: ExportSource,
  read: (db: Db, ids: readonly string[]) => Promise<T[]>,
): AsyncGenerator<T[]> {
  const { clientId } = request.viewer;
  const fetch = (from: Place | undefined): Promise<Batch<T>> =>
    database.forClient(clientId, async (db) => {
      const { ids, place } = await walkBatch(db, request, from);
      await steerPlanner(db, 'free');
      return { rows: ids.length === 0 ? [] : await read(db, ids), place };
    });
  let next: Promise<Batch<T>> | undefined = fetch(undefined);
  try {
    while (next !== undefined) {
      const { rows, place }: Batch<T> = await next;
      signal.throwIfAborted();
      next = place === undefined ? undefined : fetch(place);
      // a failure is told when the batch is asked for; without a listener it would end the process
      next?.catch(() => undefined);
      if (rows.length > 0) yield rows;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}
