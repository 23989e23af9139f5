import { sql } from 'kysely';
import type { ClientReads } from '../../../platform/server/client-access.ts';
import type { Db } from '../../../platform/server/database.ts';
import { countCells, type Segment } from '../counts/count-segments.ts';
import { type Direction, orderBy, SORT_ORDERS, type SortField } from '../counts/sort-orders.ts';
import { inCells } from '../filter/cells.ts';
import { allOf, type Condition } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { type FindingsRequest, resolveFilter, rowConditionsOf } from '../filter/resolve-filter.ts';
import { inListOrder, type PageRequest } from '../list/page.ts';
import { readStoredRows, type StoredRow } from '../list/read-finding-rows.ts';
import type { RowAttribute } from '../list/row-attributes.ts';
import type { ExportDocument } from './table-documents.ts';

/** Values of the order's columns of one row, as PostgreSQL writes them. */
export type Position = readonly string[];

export interface ScanFromRequest {
  clientId: string;
  /** On findings `f`. */
  conditions: readonly Condition[];
  /** Columns of an index's order; the last is `f.id`. */
  columns: readonly string[];
  direction: Direction;
  /** The row before the first one wanted. */
  after: Position | undefined;
  limit: number;
}

const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** Ids behind a row, in the order of an index: findings_by_<order> or the primary key. A page costs the same wherever it begins. */
export const scanFrom = async (
  db: Db,
  request: ScanFromRequest,
): Promise<{ ids: string[]; last: Position | undefined }> => {
  const { columns, direction, after, limit } = request;
  const behind =
    after === undefined
      ? []
      : [sql<boolean>`(${list(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(after)})`];
  const names = columns.map((_, place) => `at_${place}`);
  const place = sql.join(columns.map((column, index) => sql`${sql.ref(column)}::text as ${sql.ref(`at_${index}`)}`));
  const found = await sql<Record<string, string>>`
    select ${place} from findings f
    where f.client_id = ${request.clientId} and ${allOf([...request.conditions, ...behind])}
    order by ${orderBy(columns, direction)} limit ${limit}`.execute(db);
  const last = found.rows.at(-1);
  const id = `at_${columns.length - 1}`;
  return {
    ids: found.rows.flatMap((row) => row[id] ?? []),
    last: last === undefined ? undefined : names.map((name) => last[name] ?? ''),
  };
};

/** Rows read in one transaction: few enough to be gone from memory soon, many enough that the filter is looked up seldom. */
const BATCH = 4000;
const ROWS_AT_ONCE = 1000;

/** Which findings are exported, and in which order. */
export interface ExportRequest extends FindingsRequest {
  sortField: SortField;
  direction: Direction;
}

/** What an export reads from. Ends with the request that asked for it. */
export interface ExportSource {
  database: ClientReads;
  request: ExportRequest;
  signal: AbortSignal;
}

/** Where the scan of the list stands: in which run of the list, behind which row. */
interface Place {
  segment: number;
  after: Position | undefined;
}

const conditionsOf = (segment: Segment, request: ExportRequest, rows: readonly Condition[]) => {
  const index = SORT_ORDERS[request.sortField].indexOf(segment.value);
  const conditions = [...inCells('f.cell', segment.cells), ...rows];
  if (index.condition !== undefined) conditions.push(index.condition);
  return { conditions, columns: index.columns };
};

interface Batch {
  texts: string[];
  rows: number;
}

interface Scanned {
  ids: string[];
  place: Place | undefined;
}

/** Ids of the next batch, along the indexes of the order. */
const scanBatch = async (db: Db, request: ExportRequest, from: Place | undefined, limit: number): Promise<Scanned> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return { ids: [], place: undefined };
  await setPlannerHints(db, 'rollups');
  const paged: PageRequest = { ...request, offset: 0, limit };
  const counted = await countCells(db, filter, SORT_ORDERS[request.sortField].segments);
  const segments = inListOrder(counted, paged);
  const rows = rowConditionsOf(filter);
  await setPlannerHints(db, 'ordered');
  const ids: string[] = [];
  const start = from === undefined ? 0 : segments.findIndex((segment) => segment.value === from.segment);
  for (const segment of start === -1 ? [] : segments.slice(start)) {
    const after = from?.segment === segment.value ? from.after : undefined;
    const found = await scanFrom(db, {
      clientId: request.viewer.clientId,
      ...conditionsOf(segment, request, rows),
      direction: request.direction,
      after,
      limit: limit - ids.length,
    });
    ids.push(...found.ids);
    if (ids.length === limit) return { ids, place: { segment: segment.value, after: found.last } };
  }
  return { ids, place: undefined };
};

/** Runs ahead of who takes: a failure is thrown when the value is asked for; without a listener it would end the process. */
const ahead = <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  return work;
};

/**
 * The rows as text: as objects a whole batch would outlive the garbage collection of the young. While some are written, PostgreSQL reads
 * the next.
 */
const writeRows = async <Name extends RowAttribute>(
  db: Db,
  { clientId, ids }: { clientId: string; ids: readonly string[] },
  document: ExportDocument<Name>,
): Promise<Batch> => {
  const read = (start: number): Promise<StoredRow<Name>[]> => {
    const part = ids.slice(start, start + ROWS_AT_ONCE);
    return ahead(readStoredRows(db, { clientId, ids: part, names: document.attributes }));
  };
  const texts: string[] = [];
  let rows = 0;
  let next = read(0);
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    const found = await next;
    next = read(start + ROWS_AT_ONCE);
    if (found.length > 0) texts.push(document.textOf(found));
    rows += found.length;
  }
  return { texts, rows };
};

/**
 * Batches in the order of the list. While one is taken the rows of the next are read, and while those are read the scan goes on to the
 * one after, each in a transaction of its own.
 */
async function* batches<Name extends RowAttribute>(
  { database, request }: ExportSource,
  document: ExportDocument<Name>,
): AsyncGenerator<Batch> {
  const { clientId } = request.viewer;
  const { limit = Number.POSITIVE_INFINITY } = document;
  const scan = (from: Place | undefined, found: number): Promise<Scanned> =>
    ahead(database.forClient(clientId, (db) => scanBatch(db, request, from, Math.min(BATCH, limit - found))));
  const read = (ids: readonly string[]): Promise<Batch> =>
    ahead(
      database.forClient(clientId, async (db) => {
        await setPlannerHints(db, 'written');
        return writeRows(db, { clientId, ids }, document);
      }),
    );
  let scanning: Promise<Scanned> | undefined = scan(undefined, 0);
  let reading: Promise<Batch> | undefined;
  let found = 0;
  try {
    while (scanning !== undefined) {
      const { ids, place }: Scanned = await scanning;
      const before = reading;
      reading = read(ids);
      found += ids.length;
      scanning = place === undefined || found >= limit ? undefined : scan(place, found);
      if (before !== undefined) yield await before;
    }
    if (reading !== undefined) yield await reading;
  } finally {
    await Promise.allSettled([scanning, reading]);
  }
}

/**
 * A document with all findings of a request in the order of the list. Between batches no connection is held, so that a slow reader costs
 * none; what changes meanwhile is exported as it is when its batch is read, never twice.
 */
export async function* exportTexts<Name extends RowAttribute>(
  source: ExportSource,
  document: ExportDocument<Name>,
): AsyncGenerator<string> {
  yield document.head;
  let total = 0;
  let separator = '';
  for await (const { texts, rows } of batches(source, document)) {
    source.signal.throwIfAborted();
    total += rows;
    for (const text of texts) {
      yield `${separator}${text}`;
      separator = document.separator;
    }
  }
  yield document.foot(total);
}
