import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/**
 * The repository that an upload is for, when the caller may upload there. A developer may only where they are the owner.
 * Reads the primary key of repositories.
 */
export const findUploadTarget = async (
  db: Db,
  request: { clientId: string; repositoryId: string; onlyOwnedBy: string | null },
): Promise<{ id: string } | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select id from repositories
    where client_id = ${request.clientId} and id = ${request.repositoryId}
      and (${request.onlyOwnedBy}::uuid is null or owner = ${request.onlyOwnedBy})
  `.execute(db);
  return rows[0];
};
