import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import {
  affectedComponents,
  type ComponentFilter,
  componentConditions,
  joinedWhole,
  vulnerableCondition,
} from '../component-scope.ts';

const MAX_APPLICATIONS = 500;

/** Applications with the number of their components that match, by name, at most 500. Reads the components that match. */
export const countApplications = async (
  db: Db,
  filter: ComponentFilter,
): Promise<{ value: string; label: string; count: number }[]> => {
  const { rows } = await joinedWhole(db, () =>
    sql<{ value: string; label: string; count: number }>`
    with ${affectedComponents(filter)},
    counts as (
      select c.repository_id, count(*)::bigint as count from components c
      where ${componentConditions(filter)} and ${vulnerableCondition(filter)}
      group by c.repository_id
    )
    select r.id as value, r.nickname as label, n.count
    from counts n join repositories r on r.client_id = ${filter.clientId} and r.id = n.repository_id
    order by lower(r.nickname), r.id
    limit ${MAX_APPLICATIONS}
  `.execute(db),
  );
  return rows;
};
