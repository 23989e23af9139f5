import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** All findings of a client. Reads aggregate_cells by primary key. */
export const countFindings = async (db: Db, request: { clientId: string }): Promise<number> => {
  const sum = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from aggregate_cells where client_id = ${request.clientId}`.execute(
    db,
  );
  return sum.rows[0]?.count ?? 0;
};
