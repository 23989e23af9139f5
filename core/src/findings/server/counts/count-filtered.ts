import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { SlaRules } from '../../model/sla.ts';
import { inCells, joinCells } from '../filter/cells.ts';
import { allOf, type Condition, without } from '../filter/conditions.ts';
import { ofControls } from '../filter/control-sql.ts';
import { extensionsOf } from '../filter/filter-sql.ts';
import { needsRows, type ResolvedFilter, rowConditionsOf } from '../filter/resolve-filter.ts';
import { slaStateSql } from '../filter/value-sql.ts';
import type { Segment } from './count-segments.ts';
import { SEGMENT_VALUES, type SegmentKey } from './sort-orders.ts';

/** The one condition on rows that a rollup answers too, where nothing else is asked of definitions, files or text. */
const onlyRowKey = (filter: ResolvedFilter): string | undefined => {
  const { rows } = filter.conditions;
  const [first] = rows;
  const isAlone = filter.definitions.length === 0 && filter.search === undefined;
  return isAlone && first !== undefined && rows.every(({ key }) => key === first.key) ? first.key : undefined;
};

const withoutFileTypes = ({ viewer, filters }: ResolvedFilter, cells: string | undefined): RawBuilder<unknown> => {
  const { clientId } = viewer;
  const excluded = extensionsOf(filters.excluded_file_types ?? []);
  return sql`select c.cell, c.count - coalesce(e.count, 0) as count
    from aggregate_cells c left join (
      select n.cell, sum(n.count)::bigint as count from aggregate_extensions n
      where n.client_id = ${clientId} and n.extension = any(${excluded}::text[]) group by n.cell
    ) e on e.cell = c.cell
    where c.client_id = ${clientId} and ${allOf(inCells('c.cell', cells))}`;
};

/** Rollups know the day of the report alone. */
const isRolledUp = ({ starts }: SlaRules): boolean => starts === 'reported';

const dueCells = ({ viewer, filters, slaRules }: ResolvedFilter, cells: string | undefined): RawBuilder<unknown> => {
  const { clientId } = viewer;
  return sql`select d.cell, sum(d.count)::bigint as count
    from aggregate_dates d join aggregate_cells c on c.client_id = ${clientId} and c.cell = d.cell
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    where d.client_id = ${clientId} and ${slaStateSql(sql`k.severity`, sql`d.day`, slaRules)} = any(${[...(filters.sla ?? [])]}::text[])
      and ${allOf(inCells('d.cell', cells))} group by d.cell`;
};

const fromDefinitions = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select sc.cell, sc.count from aggregate_definitions sc where sc.client_id = ${clientId} and ${allOf(conditions)}`;

/** Family and weakness are known by cell and definition: no row is read. */
const cellsOfControls = ({ viewer, controls }: ResolvedFilter, cells: string | undefined): RawBuilder<unknown> =>
  fromDefinitions(viewer.clientId, [ofControls('sc', controls), ...inCells('sc.cell', cells)]);

/** `cell` and `count` from aggregate_definitions, aggregate_extensions or aggregate_dates, where one of them can tell; else undefined. */
export const rolledUpRows = (filter: ResolvedFilter, cells: string | undefined): RawBuilder<unknown> | undefined => {
  const key = onlyRowKey(filter);
  if (key === 'control') return cellsOfControls(filter, cells);
  if (key === 'excluded_file_types') return withoutFileTypes(filter, cells);
  return key === 'sla' && isRolledUp(filter.slaRules) ? dueCells(filter, cells) : undefined;
};

/** What aggregate_days knows of a source, besides the disposition. */
const DAY_SOURCES: ReadonlySet<string> = new Set(['severity', 'type']);

/** True where aggregate_days has all that the filter asks of cells. */
export const isCountedByDay = ({ conditions }: ResolvedFilter): boolean =>
  conditions.scope.length === 0 && conditions.sources.every(({ key }) => DAY_SOURCES.has(key));

/** `severity`, `sla` and `count` of open findings by the day of their date, where that rollup can tell; else undefined. */
export const dueBySeverity = (filter: ResolvedFilter): RawBuilder<unknown> | undefined => {
  if (!isCountedByDay(filter) || !isRolledUp(filter.slaRules)) return undefined;
  const { clientId } = filter.viewer;
  const { sources, dispositions } = filter.conditions;
  // the state is told of each day, not of each row
  return sql`select d.severity, ${slaStateSql(sql`d.severity`, sql`d.day`, filter.slaRules)} as sla, sum(d.count)::bigint as count
    from (
      select k.severity, k.day, sum(k.count) as count
      from aggregate_days k join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = k.disposition
      where k.client_id = ${clientId} and k.field = 'found' and s.is_open and ${allOf([...without(sources), ...without(dispositions)])}
      group by 1, 2
    ) d group by 1, 2`;
};

/** `severity` and `count` of what an sla filter leaves, where nothing else is asked of rows. */
export const dueCounts = (filter: ResolvedFilter): RawBuilder<unknown> | undefined => {
  if (onlyRowKey(filter) !== 'sla') return undefined;
  const due = dueBySeverity(filter);
  return due === undefined
    ? undefined
    : sql`select severity, sum(count)::bigint as count from (${due}) d
        where sla = any(${[...(filter.filters.sla ?? [])]}::text[]) group by severity`;
};

const fromFindings = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select f.cell, count(*) as count from findings f where f.client_id = ${clientId} and ${allOf(conditions)} group by f.cell`;

/**
 * `cell` and `count` of what a filter leaves. Definitions are counted by rollup; what free text finds by file only is counted
 * in findings_by_file; ranges in the narrowest index that has them.
 */
export const filteredCounts = (filter: ResolvedFilter, cells: string | undefined): RawBuilder<unknown> => {
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

/** Without an index scan of the sources where the list is one segment. */
const countAll = async (db: Db, filter: ResolvedFilter, [segment]: Segment[]): Promise<Segment[]> => {
  if (segment === undefined) return [];
  const isRowsOnly = filter.conditions.rows.length > 0 && rolledUpRows(filter, undefined) === undefined;
  const source = isRowsOnly
    ? sql`select count(*) as count from findings f where f.client_id = ${filter.viewer.clientId}
          and ${allOf([...inCells('f.cell', segment.cells), ...rowConditionsOf(filter)])}`
    : filteredCounts(filter, segment.cells);
  const counted = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count from (${source}) n`.execute(db);
  return [{ ...segment, count: counted.rows[0]?.count ?? 0 }];
};

/** By segment, with the narrower bounds that the sources of what was found have. */
const countEach = async (
  db: Db,
  request: { filter: ResolvedFilter; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const { filter, segments, key } = request;
  const { clientId } = filter.viewer;
  const source = filteredCounts(filter, joinCells(segments.map((segment) => segment.cells)));
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

/** True where definitions and dispositions are all that the filter names: aggregate_definition_dispositions has them without the cells. */
const isOfDispositions = ({ conditions, definitions, search }: ResolvedFilter): boolean =>
  definitions.length > 0 &&
  search === undefined &&
  [conditions.rows, conditions.sources, conditions.scope].every((of) => of.length === 0);

/** A list of one run under a filter by definition. */
const countOfDefinitions = async (db: Db, filter: ResolvedFilter, segments: Segment[]): Promise<Segment[]> => {
  const { clientId } = filter.viewer;
  const among = filter.definitions.map((set) => sql<boolean>`n.definition_id = any(${set.array})`);
  const counted = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count
    from aggregate_definition_dispositions n join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = n.disposition
    where n.client_id = ${clientId} and ${allOf([...among, ...without(filter.conditions.dispositions)])}`.execute(db);
  return segments.map((segment) => ({ ...segment, count: counted.rows[0]?.count ?? 0 }));
};

/** Exact number of findings of a filter in each segment that `countCells` found. */
export const countNarrowed = (
  db: Db,
  request: { filter: ResolvedFilter; segments: Segment[]; key: SegmentKey },
): Promise<Segment[]> => {
  const { filter, segments, key } = request;
  const due = key === 'all' || key === 'severity' ? dueCounts(filter) : undefined;
  if (due !== undefined) return countDue(db, { due, segments, key });
  if (key !== 'all') return countEach(db, request);
  if (isOfDispositions(filter)) return countOfDefinitions(db, filter, segments);
  return needsRows(filter) ? countAll(db, filter, segments) : countEach(db, request);
};
