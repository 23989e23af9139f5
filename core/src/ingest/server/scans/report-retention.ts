import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import './tables.ts';

/** Imports of a scope whose reports stay at any age: the one that stands, and the one that an undo goes back to. */
const KEPT_IMPORTS = 2;
const BATCH = 100;

/** Older than the organisation keeps, and no scan of that time needs it. Reads the keys of reports. */
const OLD_REPORTS = (clientId: string, after: string) => sql<{ id: string }>`
  select id from reports
  where client_id = ${clientId} and id > ${after}
    and created_at < now() - make_interval(days => (select report_retention_days from clients where id = ${clientId}))
  order by id limit ${BATCH} for update skip locked`;

/** A statement of its own: it sees the scans of uploads that were waited for. */
const DELETE_UNNEEDED = (clientId: string, ids: readonly string[]) => sql<{ id: string }>`
  with kept as (
    select report_id from (
      select report_id, row_number() over (partition by scope_id order by id desc) as place from scans
      where client_id = ${clientId} and scope_id is not null and undoes is null and status in ('done', 'incomplete')
    ) newest where place <= ${KEPT_IMPORTS}
    union all
    select report_id from scans
    where client_id = ${clientId} and (status in ('queued', 'running', 'parsing', 'merging')
      or created_at >= now() - make_interval(days => (select report_retention_days from clients where id = ${clientId})))
  )
  delete from reports where client_id = ${clientId} and id = any(${ids}::uuid[])
    and id not in (select report_id from kept where report_id is not null)
  returning id`;

const FIRST = '00000000-0000-0000-0000-000000000000';

const deleteBatch = async (db: Db, clientId: string, after: string) => {
  const ids = (await OLD_REPORTS(clientId, after).execute(db)).rows.map(({ id }) => id);
  if (ids.length === 0) return { count: 0, last: undefined };
  return { count: (await DELETE_UNNEEDED(clientId, ids).execute(db)).rows.length, last: ids.at(-1) };
};

/**
 * Deletes reports that are older than each organisation keeps them, some in each transaction. What came of them stays: findings, history and
 * the scans themselves. @returns how many reports.
 */
export const deleteExpiredReports = async (database: DatabaseHandle): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').execute());
  let count = 0;
  for (const { id } of clients) {
    for (let after: string | undefined = FIRST; after !== undefined; ) {
      const from: string = after;
      const batch = await database.forClient(id, (db) => deleteBatch(db, id, from));
      count += batch.count;
      after = batch.last;
    }
  }
  return count;
};

export const deleteOldReports = defineJob({
  name: 'ingest.delete-old-reports',
  input: Type.Object({}),
  retry: { limit: 3 },
  schedule: { cron: '11 3 * * *' },
  run: ({ database }: { database: DatabaseHandle }) => deleteExpiredReports(database),
});
