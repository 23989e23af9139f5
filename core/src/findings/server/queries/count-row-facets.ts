import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { likePattern } from '../../../platform/server/like-pattern.ts';
import { countedCubes, cubeConditions, cubesWhere } from '../cubes.ts';
import { allOf, type Condition, without } from '../filter-conditions.ts';
import { isNarrowed, type NarrowedFilter, rowConditionsOf } from '../resolve-filter.ts';
import { dueBySeverity } from '../rolled-up-rows.ts';
import { slaStateSql } from '../sla-conditions.ts';
import { MAX_FACET_VALUES } from './count-definition-facets.ts';
import type { FacetCount } from './count-facets.ts';

/** All conditions of a filter on findings `f`, the cubes hashed once. */
export const conditionsOnFindings = (filter: NarrowedFilter): Condition[] => {
  const { clientId } = filter.viewer;
  const cubes = cubeConditions(filter);
  const shown = cubes.length === 0 ? [] : [sql<boolean>`(f.cube in (${cubesWhere(clientId, cubes)})) is true`];
  return [sql<boolean>`f.client_id = ${clientId}`, ...shown, ...rowConditionsOf(filter)];
};

const hasStatesOnly = (filter: NarrowedFilter): boolean =>
  !isNarrowed(filter) && filter.conditions.kinds.length === 0 && filter.conditions.scope.length === 0;

/** `file_id` and `count`: from finding_file_counts where only states are asked for, else from findings_by_file or what the filter leads to. */
export const countsByFile = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  if (hasStatesOnly(filter)) {
    return sql`select n.file_id, sum(n.count)::bigint as count
      from finding_file_counts n join finding_states s on s.client_id = ${clientId} and s.state = n.state
      where n.client_id = ${clientId} and n.count > 0 and ${allOf(without(filter.conditions.states))} group by n.file_id`;
  }
  return sql`select f.file_id, count(*) as count from findings f
    where f.file_id is not null and ${allOf(conditionsOnFindings(filter))} group by f.file_id`;
};

const fileFacet = (filter: NarrowedFilter, text: string): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const named = text === '' ? sql`` : sql`and p.search_text like lower(${likePattern(text)})`;
  return sql`select p.path as value, n.count from (${countsByFile(filter)}) n
    join finding_files p on p.client_id = ${clientId} and p.id = n.file_id
    where n.count > 0 ${named} order by n.count desc, p.path limit ${MAX_FACET_VALUES}`;
};

const tagFacet = (filter: NarrowedFilter): RawBuilder<unknown> => sql`
  select tag.name as value, count(*) as count from findings f cross join lateral unnest(f.tags) tag(name)
  where f.tags <> '{}' and ${allOf(conditionsOnFindings(filter))} group by 1`;

const extensionFacet = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  if (isNarrowed(filter)) {
    return sql`select p.extension as value, sum(n.count)::bigint as count from (${countsByFile(filter)}) n
      join finding_files p on p.client_id = ${clientId} and p.id = n.file_id group by 1`;
  }
  const cubes = cubeConditions(filter);
  const shown = cubes.length === 0 ? sql`` : sql`and (n.cube in (${cubesWhere(clientId, cubes)})) is true`;
  return sql`select n.extension as value, sum(n.count)::bigint as count from finding_extension_counts n
    where n.client_id = ${clientId} ${shown} group by 1`;
};

const slaFacet = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const rolledUp = isNarrowed(filter) ? undefined : dueBySeverity(filter);
  if (rolledUp !== undefined)
    return sql`select sla as value, sum(count)::bigint as count from (${rolledUp}) d group by 1`;
  if (isNarrowed(filter)) {
    // by cube and day first, which the indexes hold: severity and state are the cube's
    return sql`select ${slaStateSql(sql`k.severity`, sql`d.day`, filter.slaDays)} as value, sum(d.count)::bigint as count
      from (
        select f.cube, (f.date at time zone 'UTC')::date as day, count(*) as count
        from findings f where ${allOf(conditionsOnFindings(filter))} group by 1, 2
      ) d join ${countedCubes(clientId)} on c.client_id = ${clientId} and c.cube = d.cube
      where s.is_open group by 1`;
  }
  const open = [...cubeConditions(filter), sql<boolean>`s.is_open`];
  return sql`select ${slaStateSql(sql`k.severity`, sql`d.day`, filter.slaDays)} as value, sum(d.count)::bigint as count
    from finding_date_counts d join finding_counts c on c.client_id = ${clientId} and c.cube = d.cube
    join finding_kinds k on k.client_id = ${clientId} and k.kind = c.kind
    where d.client_id = ${clientId} and d.cube in (${cubesWhere(clientId, open)}) group by 1`;
};

const FACETS: Readonly<Record<string, (filter: NarrowedFilter, text: string) => RawBuilder<unknown>>> = {
  file: fileFacet,
  tags: tagFacet,
  excluded_file_types: extensionFacet,
  sla: slaFacet,
};

/** Facets that neither cubes nor definitions answer. */
export const ROW_FACET_KEYS: readonly string[] = Object.keys(FACETS);

/** Counts of one of them, most frequent first. The filter has left its own condition out. */
export const countRowFacet = async (
  db: Db,
  filter: NarrowedFilter,
  { key, text }: { key: string; text: string },
): Promise<FacetCount[]> => {
  const facet = FACETS[key];
  if (facet === undefined) return [];
  const counted = await sql<FacetCount>`
    select ${key}::text as key, n.value, n.count::bigint as count from (${facet(filter, text)}) n
    where n.count > 0 order by n.count desc, n.value limit ${MAX_FACET_VALUES}`.execute(db);
  return counted.rows;
};
