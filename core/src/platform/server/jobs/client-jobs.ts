import { type Generated, type JSONColumnType, type RawBuilder, sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../database.ts';
import { publish } from '../events.ts';
import { type AnyJob, defineJob, type JobDeps, type JobQueue } from './define-job.ts';
import '../database.ts';

export type ClientJobStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** Work for one client that outlasts a request. */
export interface ClientJobsTable {
  client_id: string;
  id: Generated<string>;
  kind: string;
  actor: string;
  status: Generated<ClientJobStatus>;
  input: JSONColumnType<object, string, never>;
  /** How many of its ids are through. */
  position: Generated<number>;
  total: Generated<number>;
  done: Generated<number>;
  refused_count: Generated<number>;
  refused: JSONColumnType<{ _id: string; why: string }[], string | undefined, string>;
  detail: string | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
  /** When it last got on. */
  touched_at: Generated<Date>;
  /** How often it was enqueued again since. */
  requeue_count: Generated<number>;
  /** When whoever started it was shown how it ended. */
  seen_at: Date | null;
}

/** Ids that a job has to see to, in order. */
export interface ClientJobPartsTable {
  client_id: string;
  job_id: string;
  /** How many ids come before it. */
  start: number;
  ids: string[];
}

declare module '../database.ts' {
  interface Database {
    /**
     * A slice ends or marks the jobs that it started.
     * @writable by findings, prioritisation, remediation
     */
    client_jobs: ClientJobsTable;
    client_job_parts: ClientJobPartsTable;
  }
}

/** What a job is asked to do. `input` holds no secret. */
export interface NewClientJob {
  clientId: string;
  kind: string;
  actor: string;
  input: object;
  total: number;
}

/** Writes a job down; the caller puts it into the queue in the same transaction. @returns its id. */
export const addClientJob = async (db: Db, job: NewClientJob): Promise<string> => {
  const { id } = await db
    .insertInto('client_jobs')
    .values({
      client_id: job.clientId,
      kind: job.kind,
      actor: job.actor,
      input: JSON.stringify(job.input),
      total: job.total,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

export interface JobOfClient {
  clientId: string;
  jobId: string;
}

/** Ids of a part: few enough for one transaction. */
const PART = 1000;

/**
 * Writes down what a job has to see to, so that a killed run goes on with the same ids. They stay in the database, however many they are.
 * @param found a query of ids as `id` @returns how many
 */
export const addJobParts = async (
  db: Db,
  { clientId, jobId }: JobOfClient,
  found: RawBuilder<unknown>,
): Promise<number> => {
  const added = await sql<{ count: number }>`
    with parts as (
      insert into client_job_parts (client_id, job_id, start, ids)
      select ${clientId}, ${jobId}, min(n.place), array_agg(n.id order by n.place)
      from (select w.id, (row_number() over (order by w.id) - 1)::integer as place from (${found}) w) n
      group by n.place / ${PART}::integer
      returning cardinality(ids) as count
    )
    select coalesce(sum(count), 0)::bigint as count from parts`.execute(db);
  return added.rows[0]?.count ?? 0;
};

/** The ids that follow after the first `position`; none at the end. Reads client_job_parts by primary key. */
export const readJobPart = async (
  db: Db,
  { clientId, jobId }: JobOfClient,
  position: number,
): Promise<readonly string[]> => {
  const part = await db
    .selectFrom('client_job_parts')
    .select('ids')
    .where('client_id', '=', clientId)
    .where('job_id', '=', jobId)
    .where('start', '=', position)
    .executeTakeFirst();
  return part?.ids ?? [];
};

/** The id at a position; undefined at the end. Reads client_job_parts by primary key. */
export const readJobId = async (
  db: Db,
  { clientId, jobId }: JobOfClient,
  position: number,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string | null }>`
    select ids[${position}::integer - start + 1] as id from client_job_parts
    where client_id = ${clientId} and job_id = ${jobId} and start <= ${position}
    order by start desc limit 1`.execute(db);
  return rows[0]?.id ?? undefined;
};

/** A query of all ids of a job, as `id`, for statements of its slice. */
export const idsOfJob = ({ clientId, jobId }: JobOfClient): RawBuilder<unknown> =>
  sql`select unnest(ids) as id from client_job_parts where client_id = ${clientId} and job_id = ${jobId}`;

/** Publishes how far a job is to the browsers of whoever started it, once the transaction commits. */
export const publishProgress = async (
  db: Db,
  job: { clientId: string; id: string; status: ClientJobStatus; done: number; refused: number; total: number },
): Promise<void> => {
  const { clientId, id, ...data } = job;
  const started = await db
    .selectFrom('client_jobs')
    .select('actor')
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (started === undefined) return;
  const audience = { userIds: [started.actor] };
  await publish(db, { clientId, type: 'job.progress', data: { job_id: id, ...data }, audience });
};

/** The row of a job, locked until the transaction ends; undefined where it is gone. */
export const lockClientJob = (db: Db, { clientId, jobId }: JobOfClient) =>
  db
    .selectFrom('client_jobs')
    .select(['kind', 'status', 'actor', 'input', 'position', 'total', 'done', 'refused_count', 'refused'])
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst();

type LockedJob = NonNullable<Awaited<ReturnType<typeof lockClientJob>>>;

/** What one step did with the ids that it took. */
interface JobStep {
  taken: number;
  done: number;
  refused: readonly { _id: string; why: string }[];
}

/** Refusals beyond it are counted, not listed. */
const MAX_REFUSED = 1000;

/** Counts a step of a job that this transaction has locked, and publishes how far it is. */
export const countStep = async (db: Db, job: JobOfClient, row: LockedJob, step: JobStep): Promise<void> => {
  const { clientId, jobId } = job;
  const done = row.done + step.done;
  const refused = row.refused_count + step.refused.length;
  await db
    .updateTable('client_jobs')
    .set({
      position: row.position + step.taken,
      touched_at: sql`clock_timestamp()`,
      requeue_count: 0,
      done,
      refused_count: refused,
      refused: JSON.stringify([...row.refused, ...step.refused].slice(0, MAX_REFUSED)),
    })
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .execute();
  await publishProgress(db, { clientId, id: jobId, status: 'running', done, refused, total: row.total });
};

/** Ends a job, once, and publishes that. What was done stays. */
export const finishClientJob = async (
  db: Db,
  { clientId, jobId }: JobOfClient,
  status: 'done' | 'failed',
  detail: string | null,
): Promise<void> => {
  const row = await db
    .updateTable('client_jobs')
    .set({ status, detail, finished_at: new Date() })
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .where('finished_at', 'is', null)
    .returning(['done', 'refused_count', 'total'])
    .executeTakeFirst();
  if (row === undefined) return;
  await db.deleteFrom('client_job_parts').where('client_id', '=', clientId).where('job_id', '=', jobId).execute();
  await purgeClientJobs(db, clientId);
  const { done, total, refused_count: refused } = row;
  await publishProgress(db, { clientId, id: jobId, status, done, refused, total });
};

/** Deletes jobs that ended a week ago. Index: client_jobs_finished. */
export const purgeClientJobs = async (db: Db, clientId: string): Promise<void> => {
  await db
    .deleteFrom('client_jobs')
    .where('client_id', '=', clientId)
    .where('finished_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
};

/** The queue itself gives a job back within a minute; a step waits no longer for a lock than this. */
const STALLED_SECONDS = 180;
/** Enqueued again so often without a step: it ends every process that takes it. */
const MAX_REQUEUES = 5;
const CHECK_EVERY_SECONDS = 60;

type Queue = Pick<JobQueue, 'enqueue'>;
/** Of a job with progress, what its rows of `client_jobs` need. */
type JobWithProgress = Pick<AnyJob<never>, 'requeue' | 'progress'>;

/** Index: client_jobs_unfinished. */
const readStalled = (db: Db, clientId: string, kinds: readonly string[]) =>
  db
    .selectFrom('client_jobs')
    .select(['id', 'requeue_count'])
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
    for (const { id: jobId, requeue_count } of stalled) {
      if (requeue_count >= MAX_REQUEUES) {
        await finishClientJob(db, { clientId, jobId }, 'failed', job.progress.givenUp);
        continue;
      }
      await db
        .updateTable('client_jobs')
        .set({ requeue_count: requeue_count + 1, touched_at: sql`clock_timestamp()` })
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

/** The job that does so for every job of a list that has progress. */
export const requeueStalled = (jobs: readonly JobWithProgress[]) =>
  defineJob({
    name: 'jobs.requeue-stalled',
    input: Type.Object({}),
    retry: { limit: 0 },
    schedule: { everySeconds: CHECK_EVERY_SECONDS },
    run: async (deps: JobDeps) => {
      const withProgress = jobs.filter((job) => job.progress !== undefined);
      const count = await requeueStalledJobs(deps, withProgress);
      if (count > 0) deps.log.warn({ count }, 'jobs without progress were taken up');
    },
  });
