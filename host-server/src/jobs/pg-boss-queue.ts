import { randomUUID } from 'node:crypto';
import type { EnqueueOptions, JobQueue } from '@breakwater/core/platform/server/jobs.ts';
import pg from 'pg';
import { fromKysely, type Job, PgBoss, type Queue } from 'pg-boss';
import type { Logger } from 'pino';
import { APP_ROLE } from '../postgres/migrate.ts';

const SCHEMA = 'pgboss';
const STOP_TIMEOUT_MS = 20_000;
const GRANT_LOCK = 0x6a6f6273;

/** `short` lets one job wait per key; jobs without a key get their own. A dead process is noticed after 15 to 30 s. */
const QUEUE_SETTINGS = {
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  retryBackoff: true,
  heartbeatSeconds: 15,
  expireInSeconds: 6 * 3600,
  deleteAfterSeconds: 24 * 3600,
  notify: true,
} as const satisfies Omit<Queue, 'name'>;

export interface RunningJobQueue extends JobQueue {
  /** Whether the queue's tables answer. */
  ping(): Promise<void>;
  /** Stops taking jobs, waits for those that run (20 s at most), closes the connections. */
  stop(): Promise<void>;
}

export interface JobQueueOptions {
  /** Connection string of the owner. */
  url: string;
  log: Logger;
  /** No other process works on this database: jobs that are marked as running belonged to one that was killed. */
  isAlone?: boolean;
}

const runSql = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** The application's role may add jobs inside its transactions; it can neither read nor change any. */
const grantEnqueue = (url: string): Promise<void> =>
  // two processes that grant at once would fail with "tuple concurrently updated"
  runSql(
    url,
    `begin;
     select pg_advisory_xact_lock(${GRANT_LOCK});
     grant usage on schema ${SCHEMA} to ${APP_ROLE};
     grant insert, select (id, start_after) on ${SCHEMA}.job, ${SCHEMA}.job_common to ${APP_ROLE};
     grant select on ${SCHEMA}.queue to ${APP_ROLE};
     commit;`,
  );

/** Gives jobs of a killed process back at once, instead of when their heartbeat is missed. */
const takeUpOrphans = async (boss: PgBoss, url: string): Promise<void> => {
  await runSql(
    url,
    `update ${SCHEMA}.job set heartbeat_on = now() - interval '1 day'
     where state = 'active' and heartbeat_seconds is not null`,
  );
  await boss.supervise();
};

const installed = async (options: JobQueueOptions): Promise<PgBoss> => {
  const boss = new PgBoss({
    connectionString: options.url,
    schema: SCHEMA,
    application_name: 'breakwater-jobs',
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    schedule: false,
  });
  boss.on('error', (error) => options.log.warn({ err: error }, 'job queue'));
  boss.on('warning', (warning) => options.log.warn({ warning }, 'job queue'));
  await boss.start();
  await grantEnqueue(options.url);
  if (options.isAlone === true) await takeUpOrphans(boss, options.url);
  return boss;
};

/** Starts the queue over pg-boss; installs or updates its schema first. */
export const startJobQueue = async (options: JobQueueOptions): Promise<RunningJobQueue> => {
  const boss = await installed(options);
  const known = new Map<string, Promise<void>>();
  const ensure = (name: string): Promise<void> => {
    const making = known.get(name) ?? boss.createQueue(name, QUEUE_SETTINGS);
    known.set(name, making);
    // a failure must not be remembered: the next caller tries again
    making.catch(() => known.delete(name));
    return making;
  };

  return {
    enqueue: async (db, name, data, settings: EnqueueOptions = {}) => {
      await ensure(name);
      const id = await boss.send(name, data, {
        db: fromKysely(db),
        singletonKey: settings.singletonKey ?? randomUUID(),
        ...(settings.priority === undefined ? {} : { priority: settings.priority }),
        ...(settings.startAfterSeconds === undefined ? {} : { startAfter: settings.startAfterSeconds }),
      });
      return id ?? undefined;
    },
    work: async <T extends object>(
      name: string,
      handler: Parameters<typeof startWorker<T>>[2],
      settings: { concurrency: number },
    ) => {
      await ensure(name);
      await startWorker(boss, name, handler, settings.concurrency);
    },
    depth: async () => {
      const queues = await boss.getQueues([...known.keys()]);
      return queues.map((queue) => ({ name: queue.name, waiting: queue.queuedCount, active: queue.activeCount }));
    },
    ping: async () => {
      await boss.getQueues();
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  };
};

type Handler<T> = (run: { id: string; data: T; attempt: number; signal: AbortSignal }) => Promise<void>;

const startWorker = async <T extends object>(
  boss: PgBoss,
  name: string,
  handler: Handler<T>,
  concurrency: number,
): Promise<void> => {
  const options = { batchSize: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 3 };
  for (let index = 0; index < concurrency; index += 1) {
    let workerId = '';
    workerId = await boss.work<T, void>(name, options, async (jobs: Job<T>[]) => {
      // else a worker sleeps after each job, however many wait
      boss.notifyWorker(workerId);
      for (const job of jobs) {
        await handler({ id: job.id, data: job.data, attempt: job.retryCount + 1, signal: job.signal });
      }
    });
  }
};
