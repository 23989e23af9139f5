import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Verdict } from '../../model/states.ts';

/** The verdict of a finding, held until the transaction ends. Reads findings by primary key. */
export const lockFinding = async (
  db: Db,
  request: { clientId: string; id: string },
): Promise<{ verdict: Verdict; repository_id: string } | undefined> => {
  const found = await sql<{ verdict: Verdict; repository_id: string }>`
    select verdict, repository_id from findings
    where client_id = ${request.clientId} and id = ${request.id} for update`.execute(db);
  return found.rows[0];
};
