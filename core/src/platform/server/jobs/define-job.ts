import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { DatabaseHandle, Db } from '../database.ts';

/** One run of a job. A job may run twice (a worker died, a lock expired): `run` is idempotent. */
export interface JobRun<T> {
  id: string;
  data: T;
  /** 1 at the first try. */
  attempt: number;
  /** Ends when the server stops or the job is taken away. */
  signal: AbortSignal;
}

/**
 * When a job runs without being enqueued: once per occurrence and never twice at the same time, however many processes share the
 * database. `everySeconds` counts from the end of one run to the start of the next and begins when a worker starts; a run that fails
 * is repeated by the next one. `cron` has five fields, in UTC; an occurrence that nobody was there for is made up for once.
 */
export type Schedule = { everySeconds: number } | { cron: string };

/** After a thrown error: so many further tries, with delays that double from 2 s up to 60 s. */
export interface RetryPolicy {
  limit: number;
}

/** What the queue needs to know of a job. */
export interface JobSettings {
  /** Name of the queue, for ever: jobs that wait carry it. */
  readonly name: string;
  readonly retry: RetryPolicy;
  /** Runs at once in one process. */
  readonly concurrency?: number;
  /** Of one group in one process: the other places are left to other groups. */
  readonly groupConcurrency?: number;
  readonly schedule?: Schedule;
}

/** A job that can be enqueued. */
export interface JobType<T> extends JobSettings {
  /** Whose turn it is, see `groupConcurrency`. */
  readonly group?: (input: T) => string;
  /** While a job with this key waits, another with the same key is not added. */
  readonly key?: (input: T) => string;
}

/** What people see of a job: its row of `client_jobs`, see client-jobs.ts. The job's input is `{ clientId, jobId }`. */
export interface Progress {
  /** Values of `client_jobs.kind` that this job works on. */
  kinds: readonly string[];
  /** What people read where it was given up. */
  givenUp: string;
}

/** A row of `job_state` that is due. */
export interface DueJob {
  clientId: string;
  key: string;
}

interface JobDefinition<S extends TObject, Deps> extends JobType<Static<S>> {
  /** What a job carries. No secret. A scheduled run gets `{}`. */
  readonly input: S;
  readonly progress?: Progress;
  /** The input of a run that stands in `job_state` as due, see job-state.ts; for jobs that are asked for there. */
  readonly ofDue?: (row: DueJob) => Static<S>;
  readonly run: (deps: Deps, run: JobRun<Static<S>>) => Promise<unknown>;
}

/** A job whose input is known to itself only, as the list of all jobs holds it. */
export interface AnyJob<Deps> extends JobSettings {
  readonly start: (queue: Pick<JobQueue, 'work'>, deps: Deps) => Promise<void>;
  /** Enqueues the work of a row of `client_jobs`; for jobs with progress. */
  readonly requeue: (
    queue: Pick<JobQueue, 'enqueue'>,
    db: Db,
    row: { clientId: string; jobId: string },
  ) => Promise<void>;
  /** Enqueues a run that is due; for jobs that are asked for in `job_state`. */
  readonly enqueueDue?: (queue: Pick<JobQueue, 'enqueue'>, db: Db, row: DueJob) => Promise<void>;
  readonly progress?: Progress;
}

export interface Job<T, Deps> extends JobType<T>, AnyJob<Deps> {
  readonly run: (deps: Deps, run: JobRun<T>) => Promise<unknown>;
}

/**
 * Jobs that outlive the process. A job is added in the caller's transaction: it exists when that commits, and only then. The job of a
 * killed process is taken up within a minute.
 */
export interface JobQueue {
  /** @returns the job's id, or nothing where a job with the same key waits already. */
  enqueue<T extends object>(db: Db, job: JobType<T>, input: T, options?: { key?: string }): Promise<string | undefined>;
  /** Takes the jobs of one name and, where it has a schedule, keeps that. */
  work(job: JobSettings, handler: (run: JobRun<unknown>) => Promise<void>): Promise<void>;
  /** Takes back the schedules of all jobs but these: of jobs that an earlier version had. */
  keepSchedules(jobs: readonly JobSettings[]): Promise<void>;
  /** Jobs waiting or running, by name, of the queues that this process knows. */
  depth(): Promise<{ name: string; waiting: number; active: number }[]>;
  /** Every queue of the database with a job that has not ended well, as it is now. */
  overview(): Promise<QueueState[]>;
  /** Deletes the jobs of an organisation that is gone: their input names it. */
  purgeClient(clientId: string): Promise<void>;
}

export interface QueueState {
  name: string;
  waiting: number;
  active: number;
  /** Given up after their last try; kept for a day. */
  failed: number;
  /** Since when the first of those that wait could have run. */
  waitingSince: Date | null;
}

const enqueueDueBy =
  <T extends object>(job: JobType<T>, inputOf: (row: DueJob) => T) =>
  async (queue: Pick<JobQueue, 'enqueue'>, db: Db, row: DueJob): Promise<void> => {
    await queue.enqueue(db, job, inputOf(row));
  };

/**
 * Declares a job. It runs where it stands in the list of its slice's `server/index.ts`; others enqueue it by
 * `jobs.enqueue(db, job, input)`. What it needs comes as `deps` from the composition root.
 */
export const defineJob = <S extends TObject, Deps>(definition: JobDefinition<S, Deps>): Job<Static<S>, Deps> => ({
  ...definition,
  start: (queue, deps) =>
    queue.work(definition, async (run) => {
      await definition.run(deps, { ...run, data: Value.Parse(definition.input, run.data) });
    }),
  requeue: async (queue, db, row) => {
    await queue.enqueue(db, definition, Value.Parse(definition.input, row));
  },
  ...(definition.ofDue === undefined ? {} : { enqueueDue: enqueueDueBy(definition, definition.ofDue) }),
});

/** What every job may use. */
export interface JobDeps {
  database: DatabaseHandle;
  jobs: JobQueue;
  log: { info(data: object, text: string): void; warn(data: object, text: string): void };
}

/** Takes the jobs of a list from the queue and keeps their schedules, until the queue is stopped. */
export const startJobs = async <Deps>(jobs: readonly AnyJob<Deps>[], deps: NoInfer<Deps> & JobDeps): Promise<void> => {
  await Promise.all(jobs.map((job) => job.start(deps.jobs, deps)));
};
