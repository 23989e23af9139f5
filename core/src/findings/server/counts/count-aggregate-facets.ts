import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition, without } from '../filter/conditions.ts';
import { remediationSql } from '../filter/filter-conditions.ts';
import { type NarrowedFilter, needsRows } from '../filter/resolve-filter.ts';
import { narrowedCounts } from './count-filtered.ts';

/** A value of a filter with the findings it would leave. */
export interface FacetCount {
  key: string;
  value: string;
  count: number;
}

interface CellFacet {
  value: RawBuilder<string>;
  /** What to join for the value. */
  join?: RawBuilder<unknown>;
}

const of = (value: RawBuilder<string>, join?: RawBuilder<unknown>): CellFacet => ({
  value,
  ...(join === undefined ? {} : { join }),
});

/** Source control of a source's repository, which may be one of its branches. */
const PROVIDER = of(
  sql<string>`r.source_control`,
  sql`left join repository_branches b on b.client_id = k.client_id and b.id = k.repository_id
    join repositories r on r.client_id = k.client_id and r.id = coalesce(b.repository_id, k.repository_id)`,
);

/** Facets that the sources answer. */
const SOURCE_FACETS: Readonly<Record<string, CellFacet>> = {
  severity: of(sql<string>`k.severity::text`),
  type: of(sql<string>`k.type`),
  category: of(sql<string>`k.category`),
  tool: of(sql<string>`k.tool`),
  language: of(sql<string>`k.language`),
  repository: of(sql<string>`k.repository_id::text`),
  provider: PROVIDER,
  kev: of(sql<string>`k.kev::text`),
};

/** What a source of another branch has as its repository is the branch. */
const BRANCH_FACETS: Readonly<Record<string, CellFacet>> = {
  repository: of(sql<string>`coalesce((select b.repository_id from repository_branches b
    where b.client_id = k.client_id and b.id = k.repository_id), k.repository_id)::text`),
  branch: of(sql<string>`coalesce(
    (select b.name from repository_branches b where b.client_id = k.client_id and b.id = k.repository_id),
    (select r.repository_branch from repositories r where r.client_id = k.client_id and r.id = k.repository_id))`),
};

/** Facets that the dispositions answer. */
const DISPOSITION_FACETS: Readonly<Record<string, CellFacet>> = {
  status: of(sql<string>`s.status`),
  verdict: of(sql<string>`s.verdict`),
  developer: of(sql<string>`developer.id::text`, sql`cross join lateral unnest(s.developers) developer(id)`),
  issue_owner: of(sql<string>`s.issue_owner::text`),
  review_requested: of(sql<string>`(s.review_requested_by_id is not null)::text`),
  review_requested_by_id: of(sql<string>`s.review_requested_by_id::text`),
  remediation_type: of(remediationSql('s.status')),
};

export const CELL_FACETS: readonly string[] = [
  ...Object.keys(SOURCE_FACETS),
  'branch',
  ...Object.keys(DISPOSITION_FACETS),
];

/** Counts of cells under the parts of the filter that are not about cells. */
const baseOf = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const isPlain = !needsRows(filter) && filter.definitions.length === 0;
  const counts = isPlain
    ? sql`select c.cell, c.source, c.disposition, c.count from aggregate_cells c where c.client_id = ${clientId} and c.count > 0`
    : sql`select c.cell, c.source, c.disposition, n.count
        from (select cell, sum(count) as count from (${narrowedCounts(filter, undefined)}) each group by cell) n
        join aggregate_cells c on c.client_id = ${clientId} and c.cell = n.cell where n.count > 0`;
  const { scope } = filter.conditions;
  if (scope.length === 0) return counts;
  return sql`select b.cell, b.source, b.disposition, b.count from (${counts}) b
    join aggregate_sources k on k.client_id = ${clientId} and k.source = b.source
    join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = b.disposition where ${allOf(scope)}`;
};

const facet = (key: string, of: CellFacet, from: RawBuilder<unknown>, conditions: Condition[]) =>
  sql`select ${key}::text as key, ${of.value} as value, sum(count)::bigint as count
    from ${from} ${of.join ?? sql``} where ${of.value} is not null and ${allOf(conditions)} group by 2`;

/**
 * Counts of the facets that cells answer, each under every condition but its own. Cells are summed once by source and once by
 * disposition, so the facets themselves read hundreds of rows. Reads aggregate_cells and its dictionaries by primary key.
 */
export const countCellFacets = async (
  db: Db,
  filter: NarrowedFilter,
  keys: readonly string[],
): Promise<FacetCount[]> => {
  const { clientId } = filter.viewer;
  const { sources, dispositions } = filter.conditions;
  const hasBranches = sources.some((condition) => condition.key === 'branch');
  const ofSource = (key: string) => (hasBranches ? BRANCH_FACETS[key] : undefined) ?? SOURCE_FACETS[key];
  const facets = keys.flatMap((key) => {
    const bySource = ofSource(key);
    const byDisposition = DISPOSITION_FACETS[key];
    return [
      ...(bySource === undefined ? [] : [facet(key, bySource, sql`of_sources k`, without(sources, key))]),
      ...(byDisposition === undefined
        ? []
        : [facet(key, byDisposition, sql`of_dispositions s`, without(dispositions, key))]),
    ];
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
