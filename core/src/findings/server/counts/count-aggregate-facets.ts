import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { type FacetKey, facetSource } from '../../model/filter-catalogue.ts';
import { allOf, type Condition, without } from '../filter/conditions.ts';
import { OPTIONS_SQL, type OptionsSql } from '../filter/filter-sql.ts';
import { needsRows, type ResolvedFilter } from '../filter/resolve-filter.ts';
import { filteredCounts } from './count-filtered.ts';

/** A value of a filter with the findings it would leave. */
export interface FacetCount {
  key: string;
  value: string;
  count: number;
}

/** A source of another branch has the branch as its repository. */
const REPOSITORY_OF_BRANCH: OptionsSql = {
  value: sql<string>`coalesce((select b.repository_id from repository_branches b
    where b.client_id = k.client_id and b.id = k.repository_id), k.repository_id)::text`,
};

/** Counts of cells under the parts of the filter that are not about cells. */
const baseOf = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const isPlain = !needsRows(filter) && filter.definitions.length === 0;
  const counts = isPlain
    ? sql`select c.cell, c.source, c.disposition, c.count from aggregate_cells c where c.client_id = ${clientId} and c.count > 0`
    : sql`select c.cell, c.source, c.disposition, n.count
        from (select cell, sum(count) as count from (${filteredCounts(filter, undefined)}) each group by cell) n
        join aggregate_cells c on c.client_id = ${clientId} and c.cell = n.cell where n.count > 0`;
  const { scope } = filter.conditions;
  if (scope.length === 0) return counts;
  return sql`select b.cell, b.source, b.disposition, b.count from (${counts}) b
    join aggregate_sources k on k.client_id = ${clientId} and k.source = b.source
    join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = b.disposition where ${allOf(scope)}`;
};

const facet = (key: string, { value: of, join }: OptionsSql, from: RawBuilder<unknown>, conditions: Condition[]) => {
  if (typeof of === 'function') throw new Error(`The options of ${key} are not the aggregates'`);
  return sql`select ${key}::text as key, ${of} as value, sum(count)::bigint as count
    from ${from} ${join ?? sql``} where ${of} is not null and ${allOf(conditions)} group by 2`;
};

/**
 * Counts of the facets that cells answer, each under every condition but its own. Cells are summed once by source and once by
 * disposition, so the facets themselves read hundreds of rows. Reads aggregate_cells and its dictionaries by primary key.
 */
export const countCellFacets = async (
  db: Db,
  filter: ResolvedFilter,
  keys: readonly FacetKey[],
): Promise<FacetCount[]> => {
  const { clientId } = filter.viewer;
  const { sources, dispositions } = filter.conditions;
  const hasBranches = sources.some((condition) => condition.key === 'branch');
  const facets = keys.flatMap((key) => {
    const options = hasBranches && key === 'repository' ? REPOSITORY_OF_BRANCH : OPTIONS_SQL[key];
    if (options === undefined || (key === 'branch' && !hasBranches)) return [];
    return facetSource(key) === 'source'
      ? [facet(key, options, sql`of_sources k`, without(sources, key))]
      : [facet(key, options, sql`of_dispositions s`, without(dispositions, key))];
  });
  if (facets.length === 0) return [];
  const counted = await sql<FacetCount>`
    with base as materialized (${baseOf(filter)}),
    of_sources as materialized (
      select k.*, n.count from (
        select b.source, sum(b.count) as count
        from base b join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = b.disposition
        where ${allOf(without(dispositions))} group by b.source
      ) n join aggregate_sources k on k.client_id = ${clientId} and k.source = n.source
    ),
    of_dispositions as materialized (
      select s.*, n.count from (
        select b.disposition, sum(b.count) as count
        from base b join aggregate_sources k on k.client_id = ${clientId} and k.source = b.source
        where ${allOf(without(sources))} group by b.disposition
      ) n join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = n.disposition
    )
    ${sql.join(facets, sql` union all `)}
    order by key, count desc, value limit 20000`.execute(db);
  return counted.rows;
};
