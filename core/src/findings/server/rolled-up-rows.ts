import { type RawBuilder, sql } from 'kysely';
import { inCubes } from './cubes.ts';
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

const withoutFileTypes = ({ viewer, filters }: NarrowedFilter, cubes: string | undefined): RawBuilder<unknown> => {
  const { clientId } = viewer;
  const excluded = extensionsOf(filters.excluded_file_types ?? []);
  return sql`select c.cube, c.count - coalesce(e.count, 0) as count
    from finding_counts c left join (
      select n.cube, sum(n.count)::bigint as count from finding_extension_counts n
      where n.client_id = ${clientId} and n.extension = any(${excluded}::text[]) group by n.cube
    ) e on e.cube = c.cube
    where c.client_id = ${clientId} and ${allOf(inCubes('c.cube', cubes))}`;
};

const dueCubes = ({ viewer, filters, slaDays }: NarrowedFilter, cubes: string | undefined): RawBuilder<unknown> => {
  const { clientId } = viewer;
  return sql`select d.cube, sum(d.count)::bigint as count
    from finding_date_counts d join finding_counts c on c.client_id = ${clientId} and c.cube = d.cube
    join finding_kinds k on k.client_id = ${clientId} and k.kind = c.kind
    where d.client_id = ${clientId} and ${slaStateSql(sql`k.severity`, sql`d.day`, slaDays)} = any(${[...(filters.sla ?? [])]}::text[])
      and ${allOf(inCubes('d.cube', cubes))} group by d.cube`;
};

/** `cube` and `count` from finding_extension_counts or finding_date_counts, where one of them can tell; else undefined. */
export const rolledUpRows = (filter: NarrowedFilter, cubes: string | undefined): RawBuilder<unknown> | undefined => {
  const key = onlyRowKey(filter);
  if (key === 'excluded_file_types') return withoutFileTypes(filter, cubes);
  return key === 'sla' ? dueCubes(filter, cubes) : undefined;
};

/** What finding_severity_days knows of a kind, besides the state. */
const DAY_KINDS: ReadonlySet<string> = new Set(['severity', 'type']);

/** True where finding_severity_days has all that the filter asks of cubes. */
export const isCountedByDay = ({ conditions }: NarrowedFilter): boolean =>
  conditions.scope.length === 0 && conditions.kinds.every(({ key }) => DAY_KINDS.has(key));

/** `severity`, `sla` and `count` of open findings by the day of their date, where that rollup can tell; else undefined. */
export const dueBySeverity = (filter: NarrowedFilter): RawBuilder<unknown> | undefined => {
  if (!isCountedByDay(filter)) return undefined;
  const { clientId } = filter.viewer;
  const { kinds, states } = filter.conditions;
  return sql`select k.severity, ${slaStateSql(sql`k.severity`, sql`k.day`, filter.slaDays)} as sla, sum(k.count)::bigint as count
    from finding_severity_days k join finding_states s on s.client_id = ${clientId} and s.state = k.state
    where k.client_id = ${clientId} and k.field = 'found' and s.is_open and ${allOf([...without(kinds), ...without(states)])}
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
