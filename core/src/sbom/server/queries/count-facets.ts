import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import {
  affectedComponents,
  type ComponentFilter,
  componentConditions,
  joinedWhole,
  vulnerableCondition,
} from '../component-scope.ts';

export type ComponentFacet = 'license_class' | 'license' | 'ecosystem';

const MAX_VALUES = 200;

const VALUES: Readonly<Record<ComponentFacet, RawBuilder<unknown>>> = {
  license_class: sql`(select c.license_class) f (value)`,
  license: sql`unnest(c.licenses) f (value)`,
  ecosystem: sql`(select c.ecosystem where c.ecosystem is not null) f (value)`,
};

/** Values of one facet with the number of components, most used first, at most 200. Reads the components that match. */
export const countFacet = async (
  db: Db,
  facet: ComponentFacet,
  filter: ComponentFilter,
): Promise<{ value: string; count: number }[]> => {
  const { rows } = await joinedWhole(db, () =>
    sql<{ value: string; count: number }>`
    with ${affectedComponents(filter)}
    select f.value, count(*)::bigint as count
    from components c cross join lateral ${VALUES[facet]}
    where ${componentConditions(filter)} and ${vulnerableCondition(filter)}
    group by f.value
    order by count(*) desc, f.value
    limit ${MAX_VALUES}
  `.execute(db),
  );
  return rows;
};
