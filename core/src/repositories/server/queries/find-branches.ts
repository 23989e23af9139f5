import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import '../tables.ts';

/** Whether the client has findings of other branches than the default ones. Reads repository_branches by client. */
export const hasBranches = async (db: Db, clientId: string): Promise<boolean> => {
  const { rows } = await sql`select from repository_branches where client_id = ${clientId} limit 1`.execute(db);
  return rows.length > 0;
};

/** Ids of the branches of repositories, both as subqueries. Reads repository_branches by client and repository. */
export const branchesOf = (clientId: string, repositories: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select b.id from repository_branches b where b.client_id = ${clientId} and b.repository_id in (${repositories})`;

/** A branch other than the default one, with the repository it belongs to. */
export interface RepositoryBranch {
  id: string;
  name: string;
  repository_id: string;
  repository: string;
  last_scan_at: Date | null;
}

/** At most 1000 branches that have findings or had, by repository and name. Reads the client's branches, of which there are few. */
export const listBranches = async (
  db: Db,
  request: { clientId: string; onlyOwnedBy: string | null },
): Promise<RepositoryBranch[]> => {
  const { clientId, onlyOwnedBy } = request;
  const { rows } = await sql<RepositoryBranch>`
    select b.id, b.name, b.repository_id, r.nickname as repository, b.last_scan_at
    from repository_branches b join repositories r on r.client_id = ${clientId} and r.id = b.repository_id
    where b.client_id = ${clientId} and (${onlyOwnedBy}::uuid is null or r.owner = ${onlyOwnedBy})
    order by lower(r.nickname), r.id, b.name limit 1000`.execute(db);
  return rows;
};
