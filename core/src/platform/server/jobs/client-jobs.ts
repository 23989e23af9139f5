import { type Generated, type JSONColumnType, sql } from 'kysely';
import type { Db } from '../database.ts';
import { publish } from '../events.ts';
import '../tables.ts';

export type ClientJobStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** Work for one client that outlasts a request. */
export interface ClientJobsTable {
  client_id: string;
  id: Generated<string>;
  kind: string;
  actor: string;
  status: Generated<ClientJobStatus>;
  input: JSONColumnType<object, string, never>;
  /** What is to be done, in order; null until the job has found out. */
  items: string[] | null;
  /** How many of them are through. */
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
  orders: Generated<number>;
  /** When whoever started it was shown how it ended. */
  seen_at: Date | null;
}

declare module '../tables.ts' {
  interface Database {
    client_jobs: ClientJobsTable;
  }
}

/** What a job is asked to do. `input` holds no secret. */
export interface NewClientJob {
  clientId: string;
  kind: string;
  actor: string;
  input: object;
  total: number;
  items?: readonly string[];
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
      items: job.items === undefined ? null : [...job.items],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Publishes how far a job is to browsers, once the transaction commits. */
export const publishProgress = (
  db: Db,
  job: { clientId: string; id: string; status: ClientJobStatus; done: number; refused: number; total: number },
): Promise<void> => {
  const { clientId, id, ...data } = job;
  return publish(db, { clientId, type: 'job.progress', data: { job_id: id, ...data } });
};

/** Ends a job, once, and publishes that. What was done stays. */
export const finishClientJob = async (
  db: Db,
  { clientId, jobId }: { clientId: string; jobId: string },
  status: 'done' | 'failed',
  detail: string | null,
): Promise<void> => {
  const row = await db
    .updateTable('client_jobs')
    .set({ status, detail, items: null, finished_at: new Date() })
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .where('finished_at', 'is', null)
    .returning(['done', 'refused_count', 'total'])
    .executeTakeFirst();
  if (row === undefined) return;
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
