import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** Holds the client's turn until the transaction ends: imports and decisions lock the same rows in different orders. */
export const takeTurn = async (db: Db, clientId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 1))`.execute(db);
};
