import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import './tables.ts';

/** Imports of all organisations that have not ended, and when the oldest was asked for. In `forIdentity`. Index: scans_unfinished. */
export const readImportBacklog = (db: Db): Promise<{ unfinished: number; oldest: Date | null }> =>
  db
    .selectFrom('scans')
    .select([sql<number>`count(*)::integer`.as('unfinished'), sql<Date | null>`min(created_at)`.as('oldest')])
    .where('status', 'in', ['queued', 'running', 'parsing', 'merging'])
    .executeTakeFirstOrThrow();
