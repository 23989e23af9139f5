import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** All findings of a client. Reads finding_counts by primary key. */
export const countFindings = async (db: Db, request: { clientId: string }): Promise<number> => {
  const sum = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from finding_counts where client_id = ${request.clientId}`.execute(
    db,
  );
  return sum.rows[0]?.count ?? 0;
};
