import type { Db } from './database.ts';

/** One job as a worker gets it. A job may come twice (a worker died, a lock expired): handlers are idempotent. */
export interface JobRun<T> {
  id: string;
  data: T;
  /** 1 at the first try. */
  attempt: number;
  /** Ends when the server stops or the job is taken away. */
  signal: AbortSignal;
}

export interface EnqueueOptions {
  /** While a job with this key waits, another with the same key is not added. */
  singletonKey?: string;
  /** Higher runs first. */
  priority?: number;
  startAfterSeconds?: number;
}

export interface WorkOptions {
  /** Jobs of this name that run at once in this process. */
  concurrency: number;
}

/**
 * Jobs that outlive the process. A job is made in the caller's transaction: it exists when that commits, and only then.
 * A thrown error is tried again with growing delay, five times; the job of a killed process is taken up within a minute.
 * No secret goes into `data`.
 */
export interface JobQueue {
  /** @returns the job's id, or nothing where a job with the same `singletonKey` waits already. */
  enqueue(db: Db, name: string, data: object, options?: EnqueueOptions): Promise<string | undefined>;
  work<T extends object>(name: string, handler: (job: JobRun<T>) => Promise<void>, options: WorkOptions): Promise<void>;
  /** Jobs waiting or running, by name. */
  depth(): Promise<{ name: string; waiting: number; active: number }[]>;
}
