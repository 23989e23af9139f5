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

interface Own {
  digest: string;
  full_name: string;
  ecosystem: string | null;
  repository_id: string;
}

/** A step of its own, so that what is looked for is known when the second one is planned. */
const readOwn = async (db: Db, clientId: string, id: string): Promise<Own[]> => {
  const { rows } = await sql<Own>`
    select digest, full_name, ecosystem, repository_id from components where client_id = ${clientId} and id = ${id}`.execute(
    db,
  );
  return rows;
};

/**
 * The same package in other applications, the same version first, at most 100. Reads components_by_digest for the same version (its digest
 * is made of the purl) and components_by_name for the others.
 */
export const listUses = async (
  db: Db,
  request: { clientId: string; id: string; onlyOwnedBy: string | null },
): Promise<ComponentUse[]> => {
  const { clientId, id, onlyOwnedBy } = request;
  const [own] = await readOwn(db, clientId, id);
  if (own === undefined) return [];
  const { rows } = await sql<ComponentUse>`
    with found as (
      select c.id, c.repository_id, c.version, true as same_version
      from components c where c.client_id = ${clientId} and c.digest = ${own.digest} and c.removed_at is null
      union all
      select c.id, c.repository_id, c.version, false
      from components c where c.client_id = ${clientId} and c.full_name = ${own.full_name} and c.removed_at is null
        and c.ecosystem is not distinct from ${own.ecosystem}::text and c.digest <> ${own.digest}
    )
    select distinct on (f.same_version, lower(r.nickname), r.id, f.version)
      f.id as _id, f.repository_id, r.nickname as repository, f.version, f.same_version
    from found f join repositories r on r.client_id = ${clientId} and r.id = f.repository_id
    where f.repository_id <> ${own.repository_id} and (${onlyOwnedBy}::uuid is null or r.owner = ${onlyOwnedBy})
    order by f.same_version desc, lower(r.nickname), r.id, f.version
    limit ${MAX_USES}
  `.execute(db);
  return rows;
};
