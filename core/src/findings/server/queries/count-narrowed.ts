import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { inCells, joinCells } from '../cells.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import { type NarrowedFilter, needsRows, rowConditionsOf } from '../resolve-filter.ts';
import { dueCounts, rolledUpRows } from '../rolled-up-rows.ts';
import { SEGMENT_VALUES, type SegmentKey } from '../sort-orders.ts';
import type { Segment } from './count-cells.ts';

const fromDefinitions = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select sc.cell, sc.count from aggregate_definitions sc where sc.client_id = ${clientId} and ${allOf(conditions)}`;

const fromFindings = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select f.cell, count(*) as count from findings f where f.client_id = ${clientId} and ${allOf(conditions)} group by f.cell`;

/**
 * `cell` and `count` of what a filter leaves. Definitions are counted by rollup; what free text finds by file only is counted
 * in findings_by_file; ranges in the narrowest index that has them.
 */
export const narrowedCounts = (filter: NarrowedFilter, cells: string | undefined): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const { definitions, search, conditions } = filter;
  const byDefinition = definitions.map((set) => sql<boolean>`sc.definition_id = any(${set.array})`);
  if (conditions.rows.length > 0)
    return (
      rolledUpRows(filter, cells) ?? fromFindings(clientId, [...inCells('f.cell', cells), ...rowConditionsOf(filter)])
    );
  if (search === undefined) return fromDefinitions(clientId, [...byDefinition, ...inCells('sc.cell', cells)]);
  const byFile = [
    sql<boolean>`f.file_id = any(${search.files.array})`,
    ...(search.definitions.isEmpty ? [] : [sql<boolean>`not ${search.definitions.holds('f.definition_id')}`]),
    ...definitions.map((set) => set.holds('f.definition_id')),
    ...inCells('f.cell', cells),
  ];
  if (search.definitions.isEmpty) return fromFindings(clientId, byFile);
  const found = sql<boolean>`sc.definition_id = any(${search.definitions.array})`;
  return sql`${fromDefinitions(clientId, [found, ...byDefinition, ...inCells('sc.cell', cells)])}
    union all ${fromFindings(clientId, byFile)}`;
};

/** Without a walk through sources where the list is one segment. */
const countAll = async (db: Db, filter: NarrowedFilter, [segment]: Segment[]): Promise<Segment[]> => {
  if (segment === undefined) return [];
  const isRowsOnly = filter.conditions.rows.length > 0 && rolledUpRows(filter, undefined) === undefined;
  const source = isRowsOnly
    ? sql`select count(*) as count from findings f where f.client_id = ${filter.viewer.clientId}
          and ${allOf([...inCells('f.cell', segment.cells), ...rowConditionsOf(filter)])}`
    : narrowedCounts(filter, segment.cells);
  const counted = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count from (${source}) n`.execute(db);
  return [{ ...segment, count: counted.rows[0]?.count ?? 0 }];
};

/** By segment, with the narrower bounds that the sources of what was found have. */
const countEach = async (
  db: Db,
  request: { filter: NarrowedFilter; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const { filter, segments, key } = request;
  const { clientId } = filter.viewer;
  const source = narrowedCounts(filter, joinCells(segments.map((segment) => segment.cells)));
  const counted = await sql<Omit<Segment, 'cells' | 'within'>>`
    select ${SEGMENT_VALUES[key]} as value, sum(n.count)::bigint as count,
      min(k.priority_low) as "priorityLow", max(k.priority_high) as "priorityHigh"
    from (${source}) n
    join aggregate_cells c on c.client_id = ${clientId} and c.cell = n.cell
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = c.disposition
    where n.count > 0 group by 1`.execute(db);
  const found = new Map(counted.rows.map((row) => [row.value, row]));
  return segments.map((segment) => ({ ...segment, ...(found.get(segment.value) ?? { count: 0 }) }));
};

/** What an sla filter leaves, from a rollup of some thousand rows. */
const countDue = async (
  db: Db,
  { due, segments, key }: { due: RawBuilder<unknown>; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const counted = await sql<{ severity: number; count: number }>`${due}`.execute(db);
  return segments.map((segment) => ({
    ...segment,
    count: counted.rows.reduce(
      (sum, row) => (key === 'all' || row.severity === segment.value ? sum + row.count : sum),
      0,
    ),
  }));
};

/** Exact number of findings of a filter in each segment that `countCells` found. */
export const countNarrowed = (
  db: Db,
  request: { filter: NarrowedFilter; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const { filter, segments, key } = request;
  const due = key === 'all' || key === 'severity' ? dueCounts(filter) : undefined;
  if (due !== undefined) return countDue(db, { due, segments, key });
  return key === 'all' && needsRows(filter) ? countAll(db, filter, segments) : countEach(db, request);
};
