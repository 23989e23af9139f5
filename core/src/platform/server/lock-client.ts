import { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/**
 * The turn of a client ($1), held until the transaction ends. Imports, decisions and scoring write the same rows in different orders,
 * and share dictionaries and rollups: without it they would lock each other out.
 */
export const TAKE_TURN = 'select pg_advisory_xact_lock(hashtextextended($1, 1))';

export const lockClient = async (db: Db, clientId: string): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw(TAKE_TURN, [clientId]));
};
