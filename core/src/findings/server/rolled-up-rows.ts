import { type RawBuilder, sql } from 'kysely';
import { inCells } from './cells.ts';
import { allOf, without } from './filter-conditions.ts';
import type { NarrowedFilter } from './resolve-filter.ts';
import { extensionsOf } from './row-conditions.ts';
import { slaStateSql } from './sla-conditions.ts';

/** The one condition on rows that a rollup answers too, where nothing else is asked of definitions, files or text. */
const onlyRowKey = (filter: NarrowedFilter): string | undefined => {
  const { rows } = filter.conditions;
  const [first] = rows;
  const isAlone = filter.definitions.length === 0 && filter.search === undefined;
  return isAlone && first !== undefined && rows.every(({ key }) => key === first.key) ? first.key : undefined;
};

const withoutFileTypes = ({ viewer, filters }: NarrowedFilter, cells: string | undefined): RawBuilder<unknown> => {
  const { clientId } = viewer;
  const excluded = extensionsOf(filters.excluded_file_types ?? []);
  return sql`select c.cell, c.count - coalesce(e.count, 0) as count
    from aggregate_cells c left join (
      select n.cell, sum(n.count)::bigint as count from aggregate_extensions n
      where n.client_id = ${clientId} and n.extension = any(${excluded}::text[]) group by n.cell
    ) e on e.cell = c.cell
    where c.client_id = ${clientId} and ${allOf(inCells('c.cell', cells))}`;
};

const dueCells = ({ viewer, filters, slaDays }: NarrowedFilter, cells: string | undefined): RawBuilder<unknown> => {
  const { clientId } = viewer;
  return sql`select d.cell, sum(d.count)::bigint as count
    from aggregate_dates d join aggregate_cells c on c.client_id = ${clientId} and c.cell = d.cell
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    where d.client_id = ${clientId} and ${slaStateSql(sql`k.severity`, sql`d.day`, slaDays)} = any(${[...(filters.sla ?? [])]}::text[])
      and ${allOf(inCells('d.cell', cells))} group by d.cell`;
};

/** `cell` and `count` from aggregate_extensions or aggregate_dates, where one of them can tell; else undefined. */
export const rolledUpRows = (filter: NarrowedFilter, cells: string | undefined): RawBuilder<unknown> | undefined => {
  const key = onlyRowKey(filter);
  if (key === 'excluded_file_types') return withoutFileTypes(filter, cells);
  return key === 'sla' ? dueCells(filter, cells) : undefined;
};

/** What aggregate_days knows of a source, besides the disposition. */
const DAY_SOURCES: ReadonlySet<string> = new Set(['severity', 'type']);

/** True where aggregate_days has all that the filter asks of cells. */
export const isCountedByDay = ({ conditions }: NarrowedFilter): boolean =>
  conditions.scope.length === 0 && conditions.sources.every(({ key }) => DAY_SOURCES.has(key));

/** `severity`, `sla` and `count` of open findings by the day of their date, where that rollup can tell; else undefined. */
export const dueBySeverity = (filter: NarrowedFilter): RawBuilder<unknown> | undefined => {
  if (!isCountedByDay(filter)) return undefined;
  const { clientId } = filter.viewer;
  const { sources, dispositions } = filter.conditions;
  return sql`select k.severity, ${slaStateSql(sql`k.severity`, sql`k.day`, filter.slaDays)} as sla, sum(k.count)::bigint as count
    from aggregate_days k join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = k.disposition
    where k.client_id = ${clientId} and k.field = 'found' and s.is_open and ${allOf([...without(sources), ...without(dispositions)])}
    group by 1, 2`;
};

/** `severity` and `count` of what an sla filter leaves, where nothing else is asked of rows. */
export const dueCounts = (filter: NarrowedFilter): RawBuilder<unknown> | undefined => {
  if (onlyRowKey(filter) !== 'sla') return undefined;
  const due = dueBySeverity(filter);
  return due === undefined
    ? undefined
    : sql`select severity, sum(count)::bigint as count from (${due}) d
        where sla = any(${[...(filter.filters.sla ?? [])]}::text[]) group by severity`;
};
