import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface ComponentUse {
  _id: string;
  repository_id: string;
  repository: string;
  version: string | null;
  same_version: boolean;
}

const MAX_USES = 100;

/**
 * The same package in other applications, the same version first, at most 100. Reads components_by_digest for the same version (its digest
 * is made of the purl) and components_by_name for the others.
 */
export const listUses = async (
  db: Db,
  request: { clientId: string; id: string; onlyOwnedBy: string | null },
): Promise<ComponentUse[]> => {
  const { clientId, id, onlyOwnedBy } = request;
  const { rows } = await sql<ComponentUse>`
    with this as (select * from components where client_id = ${clientId} and id = ${id}),
    found as (
      select c.id, c.repository_id, c.version, true as same_version
      from this join components c on c.client_id = ${clientId} and c.digest = this.digest and c.removed_at is null
      where c.repository_id <> this.repository_id
      union all
      select c.id, c.repository_id, c.version, false
      from this join components c on c.client_id = ${clientId} and c.full_name = this.full_name and c.removed_at is null
        and c.ecosystem is not distinct from this.ecosystem
      where c.repository_id <> this.repository_id and c.digest <> this.digest
    )
    select distinct on (f.same_version, lower(r.nickname), r.id, f.version)
      f.id as _id, f.repository_id, r.nickname as repository, f.version, f.same_version
    from found f join repositories r on r.client_id = ${clientId} and r.id = f.repository_id
    where ${onlyOwnedBy}::uuid is null or r.owner = ${onlyOwnedBy}
    order by f.same_version desc, lower(r.nickname), r.id, f.version
    limit ${MAX_USES}
  `.execute(db);
  return rows;
};
