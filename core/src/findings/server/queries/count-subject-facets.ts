import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { likePattern } from '../../../platform/server/like-pattern.ts';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import { cubeConditions, cubesWhere } from '../cubes.ts';
import { allOf, without } from '../filter-conditions.ts';
import { type NarrowedFilter, needsRows, rowConditionsOf } from '../narrow-filter.ts';
import { MITIGATION_SQL, policySql } from '../subject-conditions.ts';
import type { FacetCount } from './count-facets.ts';

/** The most values that a facet shows. */
export const MAX_FACET_VALUES = 200;

interface SubjectFacet {
  value(reference: ReferenceData): RawBuilder<string>;
  /** What to join for the value. */
  join?: RawBuilder<unknown>;
}

/** Facets that the subjects answer. */
const SUBJECT_FACETS: Readonly<Record<string, SubjectFacet>> = {
  cwe: {
    value: () => sql<string>`weakness.id::text`,
    join: sql`cross join lateral unnest(x.cwe) weakness(id)`,
  },
  cve: { value: () => sql<string>`x.cve` },
  component: { value: () => sql<string>`x.component` },
  owasp: { value: () => sql<string>`x.owasp_2025` },
  slsa_threats: {
    value: () => sql<string>`threat.id`,
    join: sql`cross join lateral unnest(x.slsa_threats) threat(id)`,
  },
  owasp_cicd: { value: () => sql<string>`risk.id`, join: sql`cross join lateral unnest(x.owasp_cicd) risk(id)` },
  policy_name: { value: (reference) => policySql('name', reference) },
  policy_category: { value: (reference) => policySql('category', reference) },
  policy_control: { value: (reference) => policySql('control', reference) },
  mitigation: { value: () => MITIGATION_SQL },
};

export const SUBJECT_FACET_KEYS: readonly string[] = Object.keys(SUBJECT_FACETS);

/** Findings by subject under the filter: by state where only states are asked for, else by cube, else from the rows. */
export const countsBySubject = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const { kinds, states, scope } = filter.conditions;
  const among = filter.subjects.map((set) => sql<boolean>`n.subject_id = any(${set.array})`);
  if (needsRows(filter)) {
    const cubes = cubeConditions(filter);
    const shown = cubes.length === 0 ? [] : [sql<boolean>`(f.cube in (${cubesWhere(clientId, cubes)})) is true`];
    return sql`select f.subject_id, count(*) as count from findings f
      where f.client_id = ${clientId} and ${allOf([...shown, ...rowConditionsOf(filter)])} group by f.subject_id`;
  }
  if (kinds.length === 0 && scope.length === 0) {
    return sql`select n.subject_id, sum(n.count) as count
      from finding_subject_state_counts n join finding_states s on s.client_id = ${clientId} and s.state = n.state
      where n.client_id = ${clientId} and ${allOf([...without(states), ...among])} group by n.subject_id`;
  }
  return sql`select n.subject_id, sum(n.count) as count from finding_subject_counts n
    where n.client_id = ${clientId} and ${allOf(among)} and (n.cube in (${cubesWhere(clientId, cubeConditions(filter))})) is true
    group by n.subject_id`;
};

/** Counts of facets that subjects answer, the most frequent values of each. The filter has left their own condition out. */
export const countSubjectFacets = async (
  db: Db,
  filter: NarrowedFilter,
  { keys, reference, text }: { keys: readonly string[]; reference: ReferenceData; text: string },
): Promise<FacetCount[]> => {
  const { clientId } = filter.viewer;
  const facets = keys.flatMap((key) => {
    const facet = SUBJECT_FACETS[key];
    if (facet === undefined) return [];
    const value = facet.value(reference);
    const named = text === '' ? sql`` : sql`and lower(${value}) like lower(${likePattern(text)})`;
    return [
      sql`(select ${key}::text as key, ${value} as value, sum(n.count)::bigint as count
        from by_subject n join finding_subjects x on x.client_id = ${clientId} and x.id = n.subject_id ${facet.join ?? sql``}
        where ${value} is not null ${named} group by 2 having sum(n.count) > 0 order by 3 desc, 2 limit ${MAX_FACET_VALUES})`,
    ];
  });
  if (facets.length === 0) return [];
  const counted = await sql<FacetCount>`
    with by_subject as materialized (${countsBySubject(filter)}) ${sql.join(facets, sql` union all `)}`.execute(db);
  return counted.rows;
};
