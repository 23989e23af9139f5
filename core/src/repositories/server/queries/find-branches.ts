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
