import { CompiledQuery } from 'kysely';
import type { Db } from '../../platform/server/database.ts';

/** Runs a statement with its values in a transaction, for what also runs on an import's own connection. */
export const runIn =
  (db: Db) =>
  async <T>(text: string, values: unknown[]): Promise<T[]> =>
    (await db.executeQuery<T>(CompiledQuery.raw(text, values))).rows;
