import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { defineJob } from '../../platform/server/jobs/define-job.ts';

/** Days for which the organisation keeps entries. */
export const readRetention = async (db: Db, clientId: string): Promise<number> => {
  const { audit_retention_days } = await db
    .selectFrom('clients')
    .select('audit_retention_days')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  return audit_retention_days;
};

/** Deletes what is older than each organisation keeps; row-level security lets nothing younger go. @returns how many entries. */
export const deleteExpiredEntries = async (database: DatabaseHandle): Promise<number> => {
  const clients = await database.forIdentity((db) =>
    db.selectFrom('clients').select(['id', 'audit_retention_days']).execute(),
  );
  let count = 0n;
  for (const { id, audit_retention_days: days } of clients) {
    const { numDeletedRows } = await database.forClient(id, (db) =>
      db
        .deleteFrom('audit_entries')
        .where('client_id', '=', id)
        // index: audit_entries_oldest
        .where('at', '<', sql<Date>`now() - make_interval(days => ${days})`)
        .executeTakeFirst(),
    );
    count += numDeletedRows;
  }
  return Number(count);
};

export const deleteOldEntries = defineJob({
  name: 'audit.delete-old-entries',
  input: Type.Object({}),
  retry: { limit: 3 },
  schedule: { cron: '41 2 * * *' },
  run: ({ database }: { database: DatabaseHandle }) => deleteExpiredEntries(database),
});
