import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { joinedWhole } from '../component-scope.ts';
import '../tables.ts';

interface Application {
  clientId: string;
  repositoryId: string;
}

const MAX_MOMENTS = 100;

/** An import after which the inventory was another one. */
export interface InventoryMoment {
  at: Date;
  added: number;
  removed: number;
}

/**
 * When the inventory of an application changed, newest first, at most 100. Times are those of the import, cut to milliseconds as all times on
 * the wire. Reads all its components by the unique key (client_id, repository_id, …).
 */
export const listInventoryMoments = async (
  db: Db,
  { clientId, repositoryId }: Application,
): Promise<InventoryMoment[]> => {
  const { rows } = await sql<InventoryMoment>`
    select at, sum(added)::int as added, sum(removed)::int as removed
    from (
      select date_trunc('milliseconds', first_seen) as at, 1 as added, 0 as removed
      from components where client_id = ${clientId} and repository_id = ${repositoryId}
      union all
      select date_trunc('milliseconds', removed_at), 0, 1
      from components where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is not null
    ) changes
    group by at
    order by at desc
    limit ${MAX_MOMENTS}
  `.execute(db);
  return rows;
};

export interface ChangedVersionRow {
  id: string;
  name: string;
  ecosystem: string | null;
  version: string | null;
  direct: boolean | null;
  isAdded: boolean;
  /** Open findings of the application that are reported for this version. */
  findings: number;
  /** 4 critical to 0 informational; null without open findings. */
  worst: number | null;
  /** Findings reported for this version that are fixed. */
  fixed: number;
}

const MAX_VERSIONS = 5_000;

/**
 * Versions of packages that only one of two inventories lists, by name, at most 5,000. A component that was gone in between counts as listed all
 * the time: an inventory keeps when it was first and last listed. Reads the components of the application by their unique key, and the rollups of
 * its findings that name a component.
 */
export const listChangedVersions = (
  db: Db,
  { clientId, repositoryId, from, to }: Application & { from: Date; to: Date },
): Promise<ChangedVersionRow[]> =>
  joinedWhole(db, async () => {
    const { rows } = await sql<ChangedVersionRow>`
      with listed as materialized (
        select c.*,
          date_trunc('milliseconds', c.first_seen) <= ${from} and (c.removed_at is null or date_trunc('milliseconds', c.removed_at) > ${from}) as was,
          date_trunc('milliseconds', c.first_seen) <= ${to} and (c.removed_at is null or date_trunc('milliseconds', c.removed_at) > ${to}) as is_now
        from components c
        where c.client_id = ${clientId} and c.repository_id = ${repositoryId}
      ),
      changed as materialized (
        select (array_agg(id order by last_seen desc, id))[1] as id, min(name) as own_name, full_name, min(group_name) as group_name, ecosystem,
          version, bool_or(direct) as direct, bool_or(is_now) as is_added
        from listed
        group by full_name, ecosystem, version
        having bool_or(was) <> bool_or(is_now)
        order by full_name, ecosystem, version
        limit ${MAX_VERSIONS}
      ),
      reported as materialized (
        select b.component_key as key, b.ecosystem, ltrim(b.component_version, 'v^~=') as version,
          coalesce(sum(n.count) filter (where s.is_open), 0)::bigint as findings,
          max(k.severity) filter (where s.is_open and n.count > 0) as worst,
          coalesce(sum(n.count) filter (where s.status = 'mitigated'), 0)::bigint as fixed
        from finding_definitions b
        join aggregate_definitions n on n.client_id = b.client_id and n.definition_id = b.id
        join aggregate_cells c on c.client_id = n.client_id and c.cell = n.cell
        join aggregate_sources k on k.client_id = c.client_id and k.source = c.source
        join aggregate_dispositions s on s.client_id = c.client_id and s.disposition = c.disposition
        where b.client_id = ${clientId} and b.component_key is not null and k.repository_id = ${repositoryId}
        group by 1, 2, 3
      ),
      keyed as materialized (
        select l.id, l.ecosystem, ltrim(l.version, 'v') as version, unnest(l.finding_keys) as key
        from changed h join listed l on l.id = h.id
      ),
      known as materialized (
        select y.id, sum(r.findings)::bigint as findings, max(r.worst) as worst, sum(r.fixed)::bigint as fixed
        from keyed y
        join reported r on r.key = y.key and r.version = y.version
          and (r.ecosystem is null or y.ecosystem is null or r.ecosystem = y.ecosystem)
        group by y.id
      )
      select h.id,
        case when coalesce(h.group_name, '') = '' or starts_with(h.own_name, h.group_name || '/') then h.own_name
          else h.group_name || '/' || h.own_name end as name,
        h.ecosystem, h.version, h.direct, h.is_added as "isAdded", coalesce(o.findings, 0)::bigint as findings, o.worst,
        coalesce(o.fixed, 0)::bigint as fixed
      from changed h left join known o on o.id = h.id
      order by h.full_name, h.ecosystem, h.version
    `.execute(db);
    return rows;
  });
