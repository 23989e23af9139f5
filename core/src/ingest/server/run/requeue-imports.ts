import { sql } from 'kysely';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { IMPORT_JOB } from '../scans/scan-record.ts';
import '../scans/tables.ts';

const UNFINISHED = ['queued', 'running', 'parsing', 'merging'] as const;
const MAX_AT_ONCE = 200;
/** A scan that waits less long has its job on the way. */
const QUEUED_FOR_SECONDS = 15;

/** Enqueues one import again, unless a process holds its lock: then it is at work. */
const requeue = (
  database: DatabaseHandle,
  jobs: Pick<JobQueue, 'enqueue'>,
  scan: { client_id: string; id: string },
): Promise<boolean> =>
  database.forClient(scan.client_id, async (db) => {
    const lock = await sql<{
      free: boolean;
    }>`select pg_try_advisory_xact_lock(hashtextextended(${scan.id}, 0)) as free`.execute(db);
    if (lock.rows[0]?.free !== true) return false;
    const changed = await db
      .updateTable('scans')
      .set({ status: 'queued', percentage: 0 })
      .where('client_id', '=', scan.client_id)
      .where('id', '=', scan.id)
      .where('status', 'in', UNFINISHED)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) return false;
    await jobs.enqueue(db, IMPORT_JOB, { clientId: scan.client_id, scanId: scan.id });
    return true;
  });

/** Takes up imports whose process died. Safe to run in several processes at once. @returns how many were enqueued again. */
export const requeueInterruptedImports = async (
  database: DatabaseHandle,
  jobs: Pick<JobQueue, 'enqueue'>,
): Promise<number> => {
  // index: scans_unfinished
  const unfinished = await database.forIdentity((db) =>
    db
      .selectFrom('scans')
      .select(['client_id', 'id'])
      .where('status', 'in', UNFINISHED)
      .where((when) =>
        when.or([
          when('status', '<>', 'queued'),
          when('created_at', '<', sql<Date>`now() - make_interval(secs => ${QUEUED_FOR_SECONDS})`),
        ]),
      )
      .orderBy('id')
      .limit(MAX_AT_ONCE)
      .execute(),
  );
  let count = 0;
  for (const scan of unfinished) if (await requeue(database, jobs, scan)) count += 1;
  return count;
};
