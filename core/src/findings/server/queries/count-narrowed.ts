import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { inCubes, joinCubes } from '../cubes.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import { type NarrowedFilter, needsRows, rowConditionsOf } from '../resolve-filter.ts';
import { dueCounts, rolledUpRows } from '../rolled-up-rows.ts';
import { SEGMENT_VALUES, type SegmentKey } from '../sort-orders.ts';
import type { Segment } from './count-cubes.ts';

const fromDefinitions = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select sc.cube, sc.count from finding_definition_counts sc where sc.client_id = ${clientId} and ${allOf(conditions)}`;

const fromFindings = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select f.cube, count(*) as count from findings f where f.client_id = ${clientId} and ${allOf(conditions)} group by f.cube`;

/**
 * `cube` and `count` of what a filter leaves. Definitions are counted by rollup; what free text finds by file only is counted
 * in findings_by_file; ranges in the narrowest index that has them.
 */
export const narrowedCounts = (filter: NarrowedFilter, cubes: string | undefined): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const { definitions, search, conditions } = filter;
  const byDefinition = definitions.map((set) => sql<boolean>`sc.definition_id = any(${set.array})`);
  if (conditions.rows.length > 0)
    return (
      rolledUpRows(filter, cubes) ?? fromFindings(clientId, [...inCubes('f.cube', cubes), ...rowConditionsOf(filter)])
    );
  if (search === undefined) return fromDefinitions(clientId, [...byDefinition, ...inCubes('sc.cube', cubes)]);
  const byFile = [
    sql<boolean>`f.file_id = any(${search.files.array})`,
    ...(search.definitions.isEmpty ? [] : [sql<boolean>`not ${search.definitions.holds('f.definition_id')}`]),
    ...definitions.map((set) => set.holds('f.definition_id')),
    ...inCubes('f.cube', cubes),
  ];
  if (search.definitions.isEmpty) return fromFindings(clientId, byFile);
  const found = sql<boolean>`sc.definition_id = any(${search.definitions.array})`;
  return sql`${fromDefinitions(clientId, [found, ...byDefinition, ...inCubes('sc.cube', cubes)])}
    union all ${fromFindings(clientId, byFile)}`;
};

/** Without a walk through kinds where the list is one segment. */
const countAll = async (db: Db, filter: NarrowedFilter, [segment]: Segment[]): Promise<Segment[]> => {
  if (segment === undefined) return [];
  const isRowsOnly = filter.conditions.rows.length > 0 && rolledUpRows(filter, undefined) === undefined;
  const source = isRowsOnly
    ? sql`select count(*) as count from findings f where f.client_id = ${filter.viewer.clientId}
          and ${allOf([...inCubes('f.cube', segment.cubes), ...rowConditionsOf(filter)])}`
    : narrowedCounts(filter, segment.cubes);
  const counted = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count from (${source}) n`.execute(db);
  return [{ ...segment, count: counted.rows[0]?.count ?? 0 }];
};

/** By segment, with the narrower bounds that the kinds of what was found have. */
const countEach = async (
  db: Db,
  request: { filter: NarrowedFilter; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const { filter, segments, key } = request;
  const { clientId } = filter.viewer;
  const source = narrowedCounts(filter, joinCubes(segments.map((segment) => segment.cubes)));
  const counted = await sql<Omit<Segment, 'cubes' | 'within'>>`
    select ${SEGMENT_VALUES[key]} as value, sum(n.count)::bigint as count,
      min(k.priority_low) as "priorityLow", max(k.priority_high) as "priorityHigh"
    from (${source}) n
    join finding_counts c on c.client_id = ${clientId} and c.cube = n.cube
    join finding_kinds k on k.client_id = ${clientId} and k.kind = c.kind
    join finding_states s on s.client_id = ${clientId} and s.state = c.state
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

/** Exact number of findings of a filter in each segment that `countCubes` found. */
export const countNarrowed = (
  db: Db,
  request: { filter: NarrowedFilter; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const { filter, segments, key } = request;
  const due = key === 'all' || key === 'severity' ? dueCounts(filter) : undefined;
  if (due !== undefined) return countDue(db, { due, segments, key });
  return key === 'all' && needsRows(filter) ? countAll(db, filter, segments) : countEach(db, request);
};
