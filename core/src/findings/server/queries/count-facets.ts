import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition, without } from '../filter-conditions.ts';
import { type NarrowedFilter, needsRows } from '../resolve-filter.ts';
import { remediationSql } from '../row-attributes.ts';
import { narrowedCounts } from './count-narrowed.ts';

/** A value of a filter with the findings it would leave. */
export interface FacetCount {
  key: string;
  value: string;
  count: number;
}

interface CubeFacet {
  value: RawBuilder<string>;
  /** What to join for the value. */
  join?: RawBuilder<unknown>;
}

const of = (value: RawBuilder<string>, join?: RawBuilder<unknown>): CubeFacet => ({
  value,
  ...(join === undefined ? {} : { join }),
});

/** Source control of a kind's repository, which may be one of its branches. */
const PROVIDER = of(
  sql<string>`r.source_control`,
  sql`left join repository_branches b on b.client_id = k.client_id and b.id = k.repository_id
    join repositories r on r.client_id = k.client_id and r.id = coalesce(b.repository_id, k.repository_id)`,
);

/** Facets that the kinds answer. */
const KIND_FACETS: Readonly<Record<string, CubeFacet>> = {
  severity: of(sql<string>`k.severity::text`),
  type: of(sql<string>`k.type`),
  category: of(sql<string>`k.category`),
  tool: of(sql<string>`k.tool`),
  language: of(sql<string>`k.language`),
  repository: of(sql<string>`k.repository_id::text`),
  provider: PROVIDER,
  kev: of(sql<string>`k.kev::text`),
};

/** What a kind of another branch has as its repository is the branch. */
const BRANCH_FACETS: Readonly<Record<string, CubeFacet>> = {
  repository: of(sql<string>`coalesce((select b.repository_id from repository_branches b
    where b.client_id = k.client_id and b.id = k.repository_id), k.repository_id)::text`),
  branch: of(sql<string>`coalesce(
    (select b.name from repository_branches b where b.client_id = k.client_id and b.id = k.repository_id),
    (select r.repository_branch from repositories r where r.client_id = k.client_id and r.id = k.repository_id))`),
};

/** Facets that the states answer. */
const STATE_FACETS: Readonly<Record<string, CubeFacet>> = {
  status: of(sql<string>`s.status`),
  verdict: of(sql<string>`s.verdict`),
  developer: of(sql<string>`developer.id::text`, sql`cross join lateral unnest(s.developers) developer(id)`),
  issue_owner: of(sql<string>`s.issue_owner::text`),
  review_requested: of(sql<string>`(s.review_requested_by_id is not null)::text`),
  review_requested_by_id: of(sql<string>`s.review_requested_by_id::text`),
  remediation_type: of(remediationSql('s.status')),
};

export const CUBE_FACETS: readonly string[] = [...Object.keys(KIND_FACETS), 'branch', ...Object.keys(STATE_FACETS)];

/** Counts of cubes under the parts of the filter that are not about cubes. */
const baseOf = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const isPlain = !needsRows(filter) && filter.definitions.length === 0;
  const counts = isPlain
    ? sql`select c.cube, c.kind, c.state, c.count from finding_counts c where c.client_id = ${clientId} and c.count > 0`
    : sql`select c.cube, c.kind, c.state, n.count
        from (select cube, sum(count) as count from (${narrowedCounts(filter, undefined)}) each group by cube) n
        join finding_counts c on c.client_id = ${clientId} and c.cube = n.cube where n.count > 0`;
  const { scope } = filter.conditions;
  if (scope.length === 0) return counts;
  return sql`select b.cube, b.kind, b.state, b.count from (${counts}) b
    join finding_kinds k on k.client_id = ${clientId} and k.kind = b.kind
    join finding_states s on s.client_id = ${clientId} and s.state = b.state where ${allOf(scope)}`;
};

const facet = (key: string, of: CubeFacet, from: RawBuilder<unknown>, conditions: Condition[]) =>
  sql`select ${key}::text as key, ${of.value} as value, sum(count)::bigint as count
    from ${from} ${of.join ?? sql``} where ${of.value} is not null and ${allOf(conditions)} group by 2`;

/**
 * Counts of the facets that cubes answer, each under every condition but its own. Cubes are summed once by kind and once by
 * state, so the facets themselves read hundreds of rows. Reads finding_counts and its dictionaries by primary key.
 */
export const countCubeFacets = async (
  db: Db,
  filter: NarrowedFilter,
  keys: readonly string[],
): Promise<FacetCount[]> => {
  const { clientId } = filter.viewer;
  const { kinds, states } = filter.conditions;
  const hasBranches = kinds.some((condition) => condition.key === 'branch');
  const ofKind = (key: string) => (hasBranches ? BRANCH_FACETS[key] : undefined) ?? KIND_FACETS[key];
  const facets = keys.flatMap((key) => {
    const byKind = ofKind(key);
    const byState = STATE_FACETS[key];
    return [
      ...(byKind === undefined ? [] : [facet(key, byKind, sql`of_kinds k`, without(kinds, key))]),
      ...(byState === undefined ? [] : [facet(key, byState, sql`of_states s`, without(states, key))]),
    ];
  });
  if (facets.length === 0) return [];
  const counted = await sql<FacetCount>`
    with base as materialized (${baseOf(filter)}),
    of_kinds as materialized (
      select k.*, n.count from (
        select b.kind, sum(b.count) as count
        from base b join finding_states s on s.client_id = ${clientId} and s.state = b.state
        where ${allOf(without(states))} group by b.kind
      ) n join finding_kinds k on k.client_id = ${clientId} and k.kind = n.kind
    ),
    of_states as materialized (
      select s.*, n.count from (
        select b.state, sum(b.count) as count
        from base b join finding_kinds k on k.client_id = ${clientId} and k.kind = b.kind
        where ${allOf(without(kinds))} group by b.state
      ) n join finding_states s on s.client_id = ${clientId} and s.state = n.state
    )
    ${sql.join(facets, sql` union all `)}
    order by key, count desc, value limit 20000`.execute(db);
  return counted.rows;
};
