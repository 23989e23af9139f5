import { sql } from 'kysely';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs.ts';
import { type Sweep, startSweep } from '../../../platform/server/sweep.ts';
import { BULK_KINDS } from '../../model/bulk-kinds.ts';
import { BROKEN_OFF, BULK_JOB, type BulkJob, finishBulkJob, runBulkJob } from './run-bulk-job.ts';

const SWEEP_EVERY_MS = 60_000;
/** The queue itself gives a job back within a minute; a step waits no longer for an import than this. */
const STILL_SECONDS = 180;
/** Ordered anew so often without a step: it ends whatever process takes it. */
const MAX_ORDERS = 5;

type Jobs = Pick<JobQueue, 'enqueue'>;

/** Index: client_jobs_unfinished. */
const readStill = (db: Db, clientId: string) =>
  db
    .selectFrom('client_jobs')
    .select(['id', 'orders'])
    .where('client_id', '=', clientId)
    .where('finished_at', 'is', null)
    .where('touched_at', '<', sql<Date>`now() - make_interval(secs => ${STILL_SECONDS})`)
    .where('kind', 'in', BULK_KINDS)
    .orderBy('touched_at')
    .limit(100)
    .forUpdate()
    .skipLocked()
    .execute();

/** Orders again what does not get on, or ends it. A run that is merely slow shares the work: each step is taken once. */
const sweepClient = (database: DatabaseHandle, jobs: Jobs, clientId: string): Promise<number> =>
  database.forClient(clientId, async (db) => {
    const still = await readStill(db, clientId);
    for (const { id: jobId, orders } of still) {
      const job: BulkJob = { clientId, jobId };
      if (orders >= MAX_ORDERS) {
        await finishBulkJob(db, job, 'failed', BROKEN_OFF);
        continue;
      }
      await db
        .updateTable('client_jobs')
        .set({ orders: orders + 1, touched_at: sql`clock_timestamp()` })
        .where('client_id', '=', clientId)
        .where('id', '=', jobId)
        .execute();
      await jobs.enqueue(db, BULK_JOB, job, { singletonKey: jobId });
    }
    return still.length;
  });

/** Takes up jobs that the queue has given up, or ends them. Safe in several processes. @returns how many. */
export const sweepBulkJobs = async (database: DatabaseHandle, jobs: Jobs): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id } of clients) count += await sweepClient(database, jobs, id);
  return count;
};

/** Takes jobs over many findings from the queue, and looks every minute for those that the queue has lost. */
export const startBulkWork = async (dependencies: {
  database: DatabaseHandle;
  jobs: JobQueue;
  log: { warn(data: object, text: string): void };
}): Promise<Sweep> => {
  const { database, jobs, log } = dependencies;
  await jobs.work<BulkJob>(BULK_JOB, (job) => runBulkJob(database, job), { concurrency: 1 });
  return startSweep(
    () =>
      sweepBulkJobs(database, jobs).then(
        (count) => {
          if (count > 0) log.warn({ count }, 'jobs over findings were taken up');
        },
        (error: unknown) => log.warn({ err: error }, 'sweep of jobs over findings'),
      ),
    SWEEP_EVERY_MS,
  );
};
