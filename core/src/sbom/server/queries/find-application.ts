import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

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
