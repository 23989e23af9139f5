import { type RawBuilder, sql } from 'kysely';
import { type Db, likePattern } from '../../../platform/server/database.ts';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import { cellConditions, cellsWhere } from '../filter/cells.ts';
import { allOf, without } from '../filter/conditions.ts';
import { OPTIONS_SQL } from '../filter/filter-sql.ts';
import { needsRows, type ResolvedFilter, rowConditionsOf } from '../filter/resolve-filter.ts';
import type { FacetCount } from './count-aggregate-facets.ts';

/** The most values that a facet shows. */
export const MAX_FACET_VALUES = 200;

/** Findings by definition under the filter: by disposition where only dispositions are asked for, else by cell, else from the rows. */
export const countsByDefinition = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const { sources, dispositions, scope } = filter.conditions;
  const among = filter.definitions.map((set) => sql<boolean>`n.definition_id = any(${set.array})`);
  if (needsRows(filter)) {
    const cells = cellConditions(filter);
    const shown = cells.length === 0 ? [] : [sql<boolean>`(f.cell in (${cellsWhere(clientId, cells)})) is true`];
    return sql`select f.definition_id, count(*) as count from findings f
      where f.client_id = ${clientId} and ${allOf([...shown, ...rowConditionsOf(filter)])} group by f.definition_id`;
  }
  if (sources.length === 0 && scope.length === 0) {
    return sql`select n.definition_id, sum(n.count) as count
      from aggregate_definition_dispositions n join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = n.disposition
      where n.client_id = ${clientId} and ${allOf([...without(dispositions), ...among])} group by n.definition_id`;
  }
  return sql`select n.definition_id, sum(n.count) as count from aggregate_definitions n
    where n.client_id = ${clientId} and ${allOf(among)} and (n.cell in (${cellsWhere(clientId, cellConditions(filter))})) is true
    group by n.definition_id`;
};

/** Counts of facets that definitions answer, the most frequent values of each. The filter has left their own condition out. */
export const countDefinitionFacets = async (
  db: Db,
  filter: ResolvedFilter,
  { keys, reference, text }: { keys: readonly string[]; reference: ReferenceData; text: string },
): Promise<FacetCount[]> => {
  const { clientId } = filter.viewer;
  const facets = keys.flatMap((key) => {
    const facet = OPTIONS_SQL[key];
    if (facet === undefined) return [];
    const value = typeof facet.value === 'function' ? facet.value(reference) : facet.value;
    const named = text === '' ? sql`` : sql`and lower(${value}) like lower(${likePattern(text)})`;
    return [
      sql`(select ${key}::text as key, ${value} as value, sum(n.count)::bigint as count
        from by_definition n join finding_definitions x on x.client_id = ${clientId} and x.id = n.definition_id ${facet.join ?? sql``}
        where ${value} is not null ${named} group by 2 having sum(n.count) > 0 order by 3 desc, 2 limit ${MAX_FACET_VALUES})`,
    ];
  });
  if (facets.length === 0) return [];
  const counted = await sql<FacetCount>`
    with by_definition as materialized (${countsByDefinition(filter)}) ${sql.join(facets, sql` union all `)}`.execute(
    db,
  );
  return counted.rows;
};
