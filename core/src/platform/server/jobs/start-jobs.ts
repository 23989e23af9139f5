import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../database.ts';
import { finishClientJob } from './client-jobs.ts';
import { type AnyJob, defineJob, type JobQueue } from './define-job.ts';

/** The queue itself gives a job back within a minute; a step waits no longer for a lock than this. */
const STALLED_SECONDS = 180;
/** Enqueued again so often without a step: it ends every process that takes it. */
const MAX_REQUEUES = 5;
const CHECK_EVERY_SECONDS = 60;

export interface JobDeps {
  database: DatabaseHandle;
  jobs: JobQueue;
  log: { info(data: object, text: string): void; warn(data: object, text: string): void };
}

type Queue = Pick<JobQueue, 'enqueue'>;
/** Of a job with progress, what its rows of `client_jobs` need. */
type JobWithProgress = Pick<AnyJob<never>, 'requeue' | 'progress'>;

/** Index: client_jobs_unfinished. */
const readStalled = (db: Db, clientId: string, kinds: readonly string[]) =>
  db
    .selectFrom('client_jobs')
    .select(['id', 'orders'])
    .where('client_id', '=', clientId)
    .where('finished_at', 'is', null)
    .where('touched_at', '<', sql<Date>`now() - make_interval(secs => ${STALLED_SECONDS})`)
    .where('kind', 'in', [...kinds])
    .orderBy('touched_at')
    .limit(100)
    .forUpdate()
    .skipLocked()
    .execute();

const requeueOf = (database: DatabaseHandle, queue: Queue, job: JobWithProgress, clientId: string): Promise<number> =>
  database.forClient(clientId, async (db) => {
    if (job.progress === undefined) return 0;
    const stalled = await readStalled(db, clientId, job.progress.kinds);
    for (const { id: jobId, orders: requeues } of stalled) {
      if (requeues >= MAX_REQUEUES) {
        await finishClientJob(db, { clientId, jobId }, 'failed', job.progress.givenUp);
        continue;
      }
      await db
        .updateTable('client_jobs')
        .set({ orders: requeues + 1, touched_at: sql`clock_timestamp()` })
        .where('client_id', '=', clientId)
        .where('id', '=', jobId)
        .execute();
      await job.requeue(queue, db, { clientId, jobId });
    }
    return stalled.length;
  });

/**
 * Enqueues again, or gives up, what is unfinished in `client_jobs` and has made no progress: jobs that the queue has given up. A run
 * that is merely slow shares the work, since each step is taken once. Safe in several processes. @returns how many.
 */
export const requeueStalledJobs = async (
  { database, jobs: queue }: { database: DatabaseHandle; jobs: Queue },
  jobs: readonly JobWithProgress[],
): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id } of clients) for (const job of jobs) count += await requeueOf(database, queue, job, id);
  return count;
};

const createRequeueJob = (jobs: readonly JobWithProgress[]) =>
  defineJob({
    name: 'jobs.requeue-stalled',
    input: Type.Object({}),
    retry: { limit: 0 },
    schedule: { everySeconds: CHECK_EVERY_SECONDS },
    run: async (deps: JobDeps) => {
      const count = await requeueStalledJobs(deps, jobs);
      if (count > 0) deps.log.warn({ count }, 'jobs without progress were taken up');
    },
  });

/** Takes the jobs of a list from the queue and keeps their schedules, until the queue is stopped. */
export const startJobs = async <Deps>(jobs: readonly AnyJob<Deps>[], deps: NoInfer<Deps> & JobDeps): Promise<void> => {
  const withProgress = jobs.filter((job) => job.progress !== undefined);
  await Promise.all(jobs.map((job) => job.start(deps.jobs, deps)));
  await createRequeueJob(withProgress).start(deps.jobs, deps);
};
