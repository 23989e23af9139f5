import { type Generated, type JSONColumnType, type RawBuilder, sql } from 'kysely';
import { type Static, type TObject, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DatabaseHandle, Db } from '../database.ts';
import { type AnyJob, defineJob, type JobDeps, type JobQueue } from './define-job.ts';
import '../database.ts';

/** What is asked of a job, and how far it is: what has to outlast its runs. */
export interface JobStateTable {
  /** Null: of the platform, the same for every client. */
  client_id: string | null;
  job: string;
  /** What it is done for, such as an application; empty: for all of the client. */
  key: Generated<string>;
  /** From when on it is to run; null: nothing to do. */
  due_at: Date | null;
  /** Grows with every request. */
  requests: Generated<number>;
  state: JSONColumnType<object, string | undefined, string>;
}

declare module '../database.ts' {
  interface Database {
    /**
     * Imports ask in SQL of their own connection; how far all clients are is one query.
     * @writable by ingest, prioritisation, reachability, sbom
     */
    job_state: JobStateTable;
  }
}

/** Whose work. Without a client: of the platform, in a transaction of `forIdentity`. */
export interface JobSubject {
  clientId: string | null;
  key?: string;
}

/** What stands in the table of one subject. */
export interface StoredState<T> {
  state: T;
  isDue: boolean;
  dueAt: Date | null;
  /** To be given back to `finish`. */
  requests: number;
}

const NO_KEY = '';

/** Of one job, by client and key. Index of all but `requestEach`: the unique one. */
export interface JobState<T extends object> {
  /** What is stored, if anything. */
  read(db: Db, subject: JobSubject): Promise<StoredState<T> | undefined>;
  /** The same, locked until the transaction ends, so that a request waits and is not written over. */
  lock(db: Db, subject: JobSubject): Promise<StoredState<T> | undefined>;
  /** Asks for a run, in the caller's transaction; what is asked for already is asked for once. `change` goes into the state. */
  request(db: Db, subject: JobSubject, change?: Partial<T>): Promise<void>;
  /** Asks for a run for each key of a query, which gives them as `key`. */
  requestEach(db: Db, clientId: string, keys: RawBuilder<unknown>): Promise<void>;
  /** Keeps how far it is. */
  save(db: Db, subject: JobSubject, change: Partial<T>): Promise<void>;
  /** Nothing more to do, unless it was asked for since `requests` was read. */
  finish(db: Db, subject: JobSubject, end: { requests: number; change: Partial<T> }): Promise<void>;
  /** Is to run again in so many seconds, whatever was asked before. */
  schedule(db: Db, subject: JobSubject, next: { inSeconds: number; change: Partial<T> }): Promise<void>;
  /** Removes what is stored: its subject is removed. */
  remove(db: Db, subject: JobSubject): Promise<void>;
}

const createReader =
  <S extends TObject>(job: string, schema: S) =>
  async (db: Db, { clientId, key = NO_KEY }: JobSubject, isLocked: boolean) => {
    const found = db
      .selectFrom('job_state')
      .select(['state', 'due_at', 'requests', sql<boolean>`coalesce(due_at <= clock_timestamp(), false)`.as('isDue')])
      .where('client_id', clientId === null ? 'is' : '=', clientId)
      .where('job', '=', job)
      .where('key', '=', key);
    const row = await (isLocked ? found.forUpdate() : found).executeTakeFirst();
    if (row === undefined) return undefined;
    const { isDue, due_at: dueAt, requests } = row;
    return { state: Value.Parse(schema, Value.Default(schema, row.state)), isDue, dueAt, requests };
  };

/** Declares what a job keeps between its runs. `schema` has a default for whatever a request may leave out. */
export const defineJobState = <S extends TObject>(job: string, schema: S): JobState<Static<S>> => {
  const find = createReader(job, schema);
  const update = (db: Db, { clientId, key = NO_KEY }: JobSubject, change: object) =>
    db
      .updateTable('job_state')
      .set({ state: sql`state || ${JSON.stringify(change)}::jsonb` })
      .where('client_id', clientId === null ? 'is' : '=', clientId)
      .where('job', '=', job)
      .where('key', '=', key);
  return {
    read: (db, subject) => find(db, subject, false),
    lock: (db, subject) => find(db, subject, true),
    request: async (db, { clientId, key = NO_KEY }, change = {}) => {
      await sql`
        insert into job_state as t (client_id, job, key, due_at, state)
        values (${clientId}, ${job}, ${key}, now(), ${JSON.stringify(change)}::jsonb)
        on conflict (client_id, job, key) do update
        set due_at = least(t.due_at, excluded.due_at), requests = t.requests + 1, state = t.state || excluded.state`.execute(
        db,
      );
    },
    requestEach: async (db, clientId, keys) => {
      await sql`
        insert into job_state as t (client_id, job, key, due_at)
        select ${clientId}::uuid, ${job}, k.key, now() from (${keys}) k order by k.key
        on conflict (client_id, job, key) do update
        set due_at = least(t.due_at, excluded.due_at), requests = t.requests + 1`.execute(db);
    },
    save: async (db, subject, change) => {
      await update(db, subject, change).execute();
    },
    finish: async (db, subject, { requests, change }) => {
      await update(db, subject, change)
        .set({ due_at: sql<Date | null>`case when requests = ${requests} then null else due_at end` })
        .execute();
    },
    schedule: async (db, { clientId, key = NO_KEY }, { inSeconds, change }) => {
      await sql`
        insert into job_state as t (client_id, job, key, due_at, state)
        values (${clientId}, ${job}, ${key}, now() + make_interval(secs => ${inSeconds}), ${JSON.stringify(change)}::jsonb)
        on conflict (client_id, job, key) do update set due_at = excluded.due_at, state = t.state || excluded.state`.execute(
        db,
      );
    },
    remove: async (db, { clientId, key = NO_KEY }) => {
      await db
        .deleteFrom('job_state')
        .where('client_id', clientId === null ? 'is' : '=', clientId)
        .where('job', '=', job)
        .where('key', '=', key)
        .execute();
    },
  };
};

/** Of one look: more than the workers get done until the next. */
const MAX_ENQUEUED = 2000;
/** In a transaction that somebody waits for; the rest is found within a minute. */
const MAX_AT_ONCE = 100;
const CHECK_EVERY_SECONDS = 60;

type Queue = Pick<JobQueue, 'enqueue'>;
/** Of a job, what its rows of `job_state` need. */
type RequestedJob = Pick<AnyJob<never>, 'name' | 'enqueueDue'>;

interface DueRow {
  client_id: string | null;
  job: string;
  key: string;
}

/** Index: job_state_due. */
const readDue = async (
  db: Db,
  jobs: readonly RequestedJob[],
  { clientId, limit }: { clientId?: string; limit: number },
): Promise<DueRow[]> => {
  const names = jobs.filter((job) => job.enqueueDue !== undefined).map((job) => job.name);
  if (names.length === 0) return [];
  const due = db
    .selectFrom('job_state')
    .select(['client_id', 'job', 'key'])
    .where('job', 'in', names)
    .where('due_at', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('due_at')
    .limit(limit);
  return (clientId === undefined ? due : due.where('client_id', '=', clientId)).execute();
};

const enqueueRow = async (db: Db, queue: Queue, jobs: readonly RequestedJob[], row: DueRow): Promise<void> => {
  if (row.client_id === null) return;
  const job = jobs.find(({ name }) => name === row.job);
  await job?.enqueueDue?.(queue, db, { clientId: row.client_id, key: row.key });
};

/** Enqueues what is asked for in one client, by this transaction or one before it. @returns how many. */
export const enqueueDueOf = async (
  db: Db,
  queue: Queue,
  jobs: readonly RequestedJob[],
  clientId: string,
): Promise<number> => {
  const rows = await readDue(db, jobs, { clientId, limit: MAX_AT_ONCE });
  for (const row of rows) await enqueueRow(db, queue, jobs, row);
  return rows.length;
};

/** Enqueues whatever is asked for in any client: what nobody enqueued at once, or the queue has given up. @returns how many. */
export const enqueueDueJobs = async (
  { database, jobs: queue }: { database: DatabaseHandle; jobs: Queue },
  jobs: readonly RequestedJob[],
): Promise<number> => {
  const rows = await database.forIdentity((db) => readDue(db, jobs, { limit: MAX_ENQUEUED }));
  for (const row of rows) {
    if (row.client_id !== null) await database.forClient(row.client_id, (db) => enqueueRow(db, queue, jobs, row));
  }
  return rows.length;
};

/** The job that does so for every job of a list that can be asked for. */
export const enqueueDue = (jobs: readonly RequestedJob[]) =>
  defineJob({
    name: 'jobs.enqueue-due',
    input: Type.Object({}),
    retry: { limit: 0 },
    schedule: { everySeconds: CHECK_EVERY_SECONDS },
    run: (deps: JobDeps) => enqueueDueJobs(deps, jobs),
  });
