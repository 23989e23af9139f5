import { type RawBuilder, sql } from 'kysely';
import { type Db, likePattern } from '../../../platform/server/database.ts';
import type { OptionKeysOf } from '../../model/filter-catalogue.ts';
import { cellConditions, cellsWhere, countedCells } from '../filter/cells.ts';
import { allOf, type Condition, without } from '../filter/conditions.ts';
import { isNarrowed, type ResolvedFilter, rowConditionsOf } from '../filter/resolve-filter.ts';
import { dueStart, slaStateSql } from '../filter/value-sql.ts';
import type { FacetCount } from './count-aggregate-facets.ts';
import { MAX_FACET_VALUES } from './count-definition-facets.ts';
import { dueBySeverity } from './count-filtered.ts';

/** All conditions of a filter on findings `f`, the cells hashed once. */
export const conditionsOnFindings = (filter: ResolvedFilter): Condition[] => {
  const { clientId } = filter.viewer;
  const cells = cellConditions(filter);
  const shown = cells.length === 0 ? [] : [sql<boolean>`(f.cell in (${cellsWhere(clientId, cells)})) is true`];
  return [sql<boolean>`f.client_id = ${clientId}`, ...shown, ...rowConditionsOf(filter)];
};

const hasStatesOnly = (filter: ResolvedFilter): boolean =>
  !isNarrowed(filter) && filter.conditions.sources.length === 0 && filter.conditions.scope.length === 0;

/** `file_id` and `count`: from aggregate_files where only dispositions are asked for, else from findings_by_file or what the filter leads to. */
export const countsByFile = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  if (hasStatesOnly(filter)) {
    return sql`select n.file_id, sum(n.count)::bigint as count
      from aggregate_files n join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = n.disposition
      where n.client_id = ${clientId} and n.count > 0 and ${allOf(without(filter.conditions.dispositions))} group by n.file_id`;
  }
  return sql`select f.file_id, count(*) as count from findings f
    where f.file_id is not null and ${allOf(conditionsOnFindings(filter))} group by f.file_id`;
};

const fileFacet = (filter: ResolvedFilter, text: string): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const named = text === '' ? sql`` : sql`and p.search_text like lower(${likePattern(text)})`;
  return sql`select p.path as value, n.count from (${countsByFile(filter)}) n
    join finding_files p on p.client_id = ${clientId} and p.id = n.file_id
    where n.count > 0 ${named} order by n.count desc, p.path limit ${MAX_FACET_VALUES}`;
};

/** Reads finding_details_by_resource: the findings that have a resource. */
const resourceFacet = (filter: ResolvedFilter, text: string): RawBuilder<unknown> => {
  const named = text === '' ? sql`` : sql`and lower(d.resource) like lower(${likePattern(text)})`;
  return sql`select d.resource as value, count(*) as count
    from finding_details d join findings f on f.client_id = d.client_id and f.id = d.finding_id
    where d.client_id = ${filter.viewer.clientId} and d.resource is not null ${named} and ${allOf(conditionsOnFindings(filter))}
    group by 1`;
};

const tagFacet = (filter: ResolvedFilter): RawBuilder<unknown> => sql`
  select tag.name as value, count(*) as count from findings f cross join lateral unnest(f.tags) tag(name)
  where f.tags <> '{}' and ${allOf(conditionsOnFindings(filter))} group by 1`;

const extensionFacet = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  if (isNarrowed(filter)) {
    return sql`select p.extension as value, sum(n.count)::bigint as count from (${countsByFile(filter)}) n
      join finding_files p on p.client_id = ${clientId} and p.id = n.file_id group by 1`;
  }
  const cells = cellConditions(filter);
  const shown = cells.length === 0 ? sql`` : sql`and (n.cell in (${cellsWhere(clientId, cells)})) is true`;
  return sql`select n.extension as value, sum(n.count)::bigint as count from aggregate_extensions n
    where n.client_id = ${clientId} ${shown} group by 1`;
};

const slaFacet = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const rolledUp = isNarrowed(filter) ? undefined : dueBySeverity(filter);
  if (rolledUp !== undefined)
    return sql`select sla as value, sum(count)::bigint as count from (${rolledUp}) d group by 1`;
  if (isNarrowed(filter) || filter.slaRules.starts === 'found') {
    // by cell and day first, which the indexes hold: severity and disposition are the cell's
    return sql`select ${slaStateSql(sql`k.severity`, sql`d.day`, filter.slaRules)} as value, sum(d.count)::bigint as count
      from (
        select f.cell, (${dueStart(filter.slaRules)} at time zone 'UTC')::date as day, count(*) as count
        from findings f where ${allOf(conditionsOnFindings(filter))} group by 1, 2
      ) d join ${countedCells(clientId)} on c.client_id = ${clientId} and c.cell = d.cell
      where s.is_open group by 1`;
  }
  const open = [...cellConditions(filter), sql<boolean>`s.is_open`];
  return sql`select ${slaStateSql(sql`k.severity`, sql`d.day`, filter.slaRules)} as value, sum(d.count)::bigint as count
    from aggregate_dates d join aggregate_cells c on c.client_id = ${clientId} and c.cell = d.cell
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    where d.client_id = ${clientId} and d.cell in (${cellsWhere(clientId, open)}) group by 1`;
};

/** By definition and cell first, which the indexes hold: the cell knows the repository. Reads package_uses by primary key. */
const packageUseFacet = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const cells = cellConditions(filter);
  const shown = cells.length === 0 ? sql`` : sql`and (a.cell in (${cellsWhere(clientId, cells)})) is true`;
  const counts = isNarrowed(filter)
    ? sql`select f.definition_id, f.cell, count(*) as count from findings f where ${allOf(conditionsOnFindings(filter))} group by 1, 2`
    : sql`select a.definition_id, a.cell, a.count from aggregate_definitions a where a.client_id = ${clientId} ${shown}`;
  return sql`select u.use as value, sum(n.count)::bigint as count from (${counts}) n
    join aggregate_cells c on c.client_id = ${clientId} and c.cell = n.cell
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    left join repository_branches b on b.client_id = ${clientId} and b.id = k.repository_id
    join package_uses u on u.client_id = ${clientId} and u.definition_id = n.definition_id
      and u.repository_id = coalesce(b.repository_id, k.repository_id)
    group by 1`;
};

export type RowFacetKey = OptionKeysOf<'row'>;

/** How the options of each filter on rows are counted. */
const FACETS: Readonly<Record<RowFacetKey, (filter: ResolvedFilter, text: string) => RawBuilder<unknown>>> = {
  file: fileFacet,
  resource: resourceFacet,
  tags: tagFacet,
  package_use: packageUseFacet,
  excluded_file_types: extensionFacet,
  sla: slaFacet,
};

/** Counts of one of them, most frequent first. The filter has left its own condition out. */
export const countRowFacet = async (
  db: Db,
  filter: ResolvedFilter,
  { key, text }: { key: RowFacetKey; text: string },
): Promise<FacetCount[]> => {
  const facet = FACETS[key];
  const counted = await sql<FacetCount>`
    select ${key}::text as key, n.value, n.count::bigint as count from (${facet(filter, text)}) n
    where n.count > 0 order by n.count desc, n.value limit ${MAX_FACET_VALUES}`.execute(db);
  return counted.rows;
};
