import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { OPEN_STATUSES } from '../../model/states.ts';
import { type CellList, cellConditions, countedCells } from '../filter/cells.ts';
import { allOf, type Condition, type IdSet } from '../filter/conditions.ts';
import { type ResolvedFilter, resolveFilter } from '../filter/resolve-filter.ts';
import type { Viewer } from '../filter/viewer.ts';
import { SEGMENT_VALUES, type SegmentKey } from './sort-orders.ts';

/** Findings of one run of the list. */
export interface Segment {
  value: number;
  count: number;
  /** Bounds of the priorities in it. */
  priorityLow: number;
  priorityHigh: number;
  cells: CellList;
  /** The part of the order's index that has them, where it is known better than by those bounds. */
  within?: () => Condition;
}

/**
 * Findings in each segment that meet the cell conditions of a filter, exact, and nothing else of it. Reads aggregate_cells
 * and its dictionaries by primary key.
 */
export const countCells = async (db: Db, filter: ResolvedFilter, key: SegmentKey): Promise<Segment[]> => {
  const { clientId } = filter.viewer;
  const conditions = cellConditions(filter);
  const isWhole = key === 'all' && conditions.length === 0;
  const counted = await sql<Omit<Segment, 'cells'> & { cells: string | null }>`
    select ${SEGMENT_VALUES[key]} as value, sum(c.count)::bigint as count,
      min(k.priority_low) as "priorityLow", max(k.priority_high) as "priorityHigh",
      ${isWhole ? sql`null` : sql`array_agg(c.cell)::text`} as cells
    from ${countedCells(clientId)}
    where c.client_id = ${clientId} and c.count > 0 and ${allOf(conditions)}
    group by 1`.execute(db);
  return counted.rows.map(({ cells, ...segment }) => ({ ...segment, cells: cells ?? undefined }));
};

/** All findings of a client. Reads aggregate_cells by primary key. */
export const countFindings = async (db: Db, request: { clientId: string }): Promise<number> => {
  const sum = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from aggregate_cells where client_id = ${request.clientId}`.execute(
    db,
  );
  return sum.rows[0]?.count ?? 0;
};

/** Findings of all definitions in the sets, whatever else the filter says. Reads aggregate_definition_dispositions by primary key. */
export const countDefinitionReach = async (
  db: Db,
  request: { clientId: string; definitions: IdSet[] },
): Promise<number> => {
  const sum = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count from aggregate_definition_dispositions n
    where n.client_id = ${request.clientId} and ${allOf(request.definitions.map((set) => sql<boolean>`n.definition_id = any(${set.array})`))}`.execute(
    db,
  );
  return sum.rows[0]?.count ?? 0;
};

const Explained = Type.Array(
  Type.Object({ 'QUERY PLAN': Type.Array(Type.Object({ Plan: Type.Object({ 'Plan Rows': Type.Number() }) })) }),
);

/** How many findings `f` the planner expects to meet the conditions: it knows the spread of dates, scores and files. */
export const estimateRows = async (db: Db, request: { conditions: readonly Condition[] }): Promise<number> => {
  const explained =
    await sql`explain (format json) select 1 from findings f where ${allOf(request.conditions)}`.execute(db);
  return Value.Parse(Explained, explained.rows)[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
};

/** Of `GET /findings` with what the page of findings shows when nobody chose anything: the work to do. */
const OPEN = {
  status: [...OPEN_STATUSES],
  false_positive: 'hide',
  accepted_risk: 'hide',
  is_duplicate: 'hide',
} as const;

/** The work to do by severity, as the list of findings counts it. Reads rollups only. */
export const countOpenBySeverity = async (db: Db, viewer: Viewer) => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
  const filter = await resolveFilter(db, { viewer, filters: { ...OPEN, status: [...OPEN.status] }, search: '' });
  for (const { value, count } of await countCells(db, filter, 'severity')) counts[severityOfRank(value)] = count;
  return counts;
};
