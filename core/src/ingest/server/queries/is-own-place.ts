import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** Whether a repository, or the repository of a branch, is this user's. Reads primary keys. */
export const isOwnPlace = async (
  db: Db,
  request: { clientId: string; placeId: string; userId: string },
): Promise<boolean> => {
  const { clientId, placeId, userId } = request;
  const { rows } = await sql`
    select from repositories
    where client_id = ${clientId} and owner = ${userId}
      and id in (${placeId}::uuid, (select repository_id from repository_branches where client_id = ${clientId} and id = ${placeId}::uuid))
  `.execute(db);
  return rows.length > 0;
};
