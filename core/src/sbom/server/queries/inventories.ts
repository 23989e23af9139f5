import { type RawBuilder, sql } from 'kysely';
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

/** Name of an application that the caller may see; undefined for all others. Reads the primary key. */
export const findApplication = async (
  db: Db,
  request: { clientId: string; repositoryId: string; onlyOwnedBy: string | null },
): Promise<{ name: string } | undefined> => {
  const { rows } = await sql<{ name: string }>`
    select nickname as name from repositories
    where client_id = ${request.clientId} and id = ${request.repositoryId}
      and (${request.onlyOwnedBy}::uuid is null or owner = ${request.onlyOwnedBy})
  `.execute(db);
  return rows[0];
};

export interface InventoryState {
  /** Sums over all components and edges: equal for equal content, whatever its order. */
  fingerprint: string;
  components: number;
  /** When the inventory last got or lost a component; null for an empty one. */
  changed_at: Date | null;
}

const SUM = sql`sum(('x' || left(h, 16))::bit(64)::bigint)::text || ':' || sum(('x' || right(h, 16))::bit(64)::bigint)::text`;

/** What an application's inventory says, as a fingerprint. Reads all its components and edges once; for a transaction of its own. */
export const readInventoryState = async (
  db: Db,
  request: { clientId: string; repositoryId: string },
): Promise<InventoryState> => {
  const { clientId, repositoryId } = request;
  // everything is read once: without statistics, right after an import, the planner would join row by row
  await sql`set local enable_nestloop = off`.execute(db);
  const { rows } = await sql<InventoryState>`
    select
      coalesce((
        select ${SUM} from (
          select md5(concat_ws(chr(31), digest, name, version, group_name, purl, type, direct, description, licenses::text)) as h
          from components where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null
        ) parts
      ), '') || '/' || coalesce((
        select ${SUM} from (
          select md5(f.digest::text || t.digest::text) as h
          from components f
          join component_edges e on e.client_id = f.client_id and e.from_id = f.id
          join components t on t.client_id = e.client_id and t.id = e.to_id and t.removed_at is null
          where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and f.removed_at is null
        ) edges
      ), '') as fingerprint,
      (select count(*) from components where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null)
        as components,
      (select max(greatest(first_seen, removed_at)) from components where client_id = ${clientId} and repository_id = ${repositoryId})
        as changed_at
  `.execute(db);
  return rows[0] ?? { fingerprint: '', components: 0, changed_at: null };
};
