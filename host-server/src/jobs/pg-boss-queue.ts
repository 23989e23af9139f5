import { randomUUID } from 'node:crypto';
import { APP_ROLE } from '@breakwater/core/platform/server/database.ts';
import type {
  JobQueue,
  JobRun,
  JobSettings,
  QueueState,
  Schedule,
} from '@breakwater/core/platform/server/jobs/define-job.ts';
import pg from 'pg';
import { fromKysely, type Job, PgBoss, type Queue, type WorkOptions } from 'pg-boss';
import type { Logger } from 'pino';

/** Where the queue keeps its tables. */
export const JOB_SCHEMA = 'pgboss';
const STOP_TIMEOUT_MS = 20_000;
const GRANT_LOCK = 0x6a6f6273;

/** A dead process is noticed after 15 to 30 s. */
const QUEUE_SETTINGS = {
  retryDelay: 2,
  retryDelayMax: 60,
  retryBackoff: true,
  heartbeatSeconds: 15,
  expireInSeconds: 6 * 3600,
  notify: true,
} as const satisfies Omit<Queue, 'name'>;

/** A run of an interval is over when the next begins; only a killed one is retried. */
const INTERVAL_RETRIES = 2;
/** Of what has ended. Intervals make tens of thousands of rows a day that nobody asks for. */
const KEEP_INTERVAL_SECONDS = 300;
const KEEP_SECONDS = 24 * 3600;
const CLEAN_EVERY_SECONDS = 300;

/**
 * `short` lets one job wait per key; jobs without a key get their own. `stately` also lets only one run at a time, in any process:
 * for what has a schedule.
 */
const settingsOf = ({ schedule, retry }: JobSettings) => ({
  ...QUEUE_SETTINGS,
  policy: schedule === undefined ? 'short' : 'stately',
  retryLimit: isInterval(schedule) ? INTERVAL_RETRIES : retry.limit,
  deleteAfterSeconds: isInterval(schedule) ? KEEP_INTERVAL_SECONDS : KEEP_SECONDS,
});

const isInterval = (schedule: Schedule | undefined): schedule is { everySeconds: number } =>
  schedule !== undefined && 'everySeconds' in schedule;

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

const runSql = async <R extends pg.QueryResultRow>(url: string, text: string, values?: string[]): Promise<R[]> => {
  const client = new pg.Client({ connectionString: url });
  // the statement fails; without a listener the process would end
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** The application's role may add jobs inside its transactions; it can neither read nor change any. */
const grantEnqueue = async (url: string): Promise<void> => {
  // two processes that grant at once would fail with "tuple concurrently updated"
  await runSql(
    url,
    `begin;
     select pg_advisory_xact_lock(${GRANT_LOCK});
     grant usage on schema ${JOB_SCHEMA} to ${APP_ROLE};
     grant insert, select (id, start_after) on ${JOB_SCHEMA}.job, ${JOB_SCHEMA}.job_common to ${APP_ROLE};
     grant select on ${JOB_SCHEMA}.queue to ${APP_ROLE};
     commit;`,
  );
};

/** Gives jobs of a killed process back at once, instead of when their heartbeat is missed. */
const takeUpOrphans = async (boss: PgBoss, url: string): Promise<void> => {
  await runSql(
    url,
    `update ${JOB_SCHEMA}.job set heartbeat_on = now() - interval '1 day'
     where state = 'active' and heartbeat_seconds is not null`,
  );
  await boss.supervise();
};

const installed = async (options: JobQueueOptions): Promise<PgBoss> => {
  const boss = new PgBoss({
    connectionString: options.url,
    schema: JOB_SCHEMA,
    application_name: 'breakwater-jobs',
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    maintenanceIntervalSeconds: CLEAN_EVERY_SECONDS,
    schedule: true,
  });
  boss.on('error', (error) => options.log.warn({ err: error }, 'job queue'));
  boss.on('warning', (warning) => options.log.warn({ warning }, 'job queue'));
  await boss.start();
  await grantEnqueue(options.url);
  if (options.isAlone === true) await takeUpOrphans(boss, options.url);
  return boss;
};

/**
 * Makes the queue of a job, or gives one that an earlier version made the settings of today. Jobs that wait keep theirs. pg-boss
 * itself does not change a policy; it is only a column that new jobs copy.
 */
const makeQueue = async (boss: PgBoss, url: string, job: JobSettings): Promise<void> => {
  const { policy, ...settings } = settingsOf(job);
  await boss.createQueue(job.name, { ...settings, policy });
  const stored = await boss.getQueue(job.name);
  if (stored?.policy !== policy) {
    await runSql(url, `update ${JOB_SCHEMA}.queue set policy = $2 where name = $1`, [job.name, policy]);
  }
  const isSame =
    stored?.retryLimit === settings.retryLimit && stored.deleteAfterSeconds === settings.deleteAfterSeconds;
  // it also forgets what the process knows of the queue
  if (!isSame || stored.policy !== policy) await boss.updateQueue(job.name, settings);
};

/** Exact, while the counts that pg-boss keeps are those of its last look. */
const readOverview = (url: string): Promise<QueueState[]> =>
  runSql<QueueState>(
    url,
    `select name, count(*) filter (where state < 'active' and start_after <= now())::integer as waiting,
       count(*) filter (where state = 'active')::integer as active,
       count(*) filter (where state = 'failed')::integer as failed,
       min(start_after) filter (where state < 'active' and start_after <= now()) as "waitingSince"
     from ${JOB_SCHEMA}.job where state <> 'completed' and name not like '\\_\\_pgboss%' group by name`,
  );

/** Starts the queue over pg-boss; installs or updates its schema first. */
export const startJobQueue = async (options: JobQueueOptions): Promise<RunningJobQueue> => {
  const boss = await installed(options);
  const known = new Map<string, Promise<void>>();
  const ensure = (job: JobSettings): Promise<void> => {
    const making = known.get(job.name) ?? makeQueue(boss, options.url, job);
    known.set(job.name, making);
    // a failure must not be remembered: the next caller tries again
    making.catch(() => known.delete(job.name));
    return making;
  };

  return {
    enqueue: async (db, job, input, { key = job.key?.(input) } = {}) => {
      await ensure(job);
      const group = job.group === undefined ? {} : { group: { id: job.group(input) } };
      const id = await boss.send(job.name, input, { db: fromKysely(db), singletonKey: key ?? randomUUID(), ...group });
      return id ?? undefined;
    },
    work: async (job, handler) => {
      await ensure(job);
      await startWorkers({ boss, job, handler, log: options.log });
      if (job.schedule !== undefined) await startSchedule(boss, job.name, job.schedule);
    },
    keepSchedules: async (jobs) => {
      const scheduled = new Set(jobs.filter((job) => job.schedule !== undefined).map((job) => job.name));
      for (const { name } of await boss.getSchedules()) if (!scheduled.has(name)) await boss.unschedule(name);
    },
    depth: async () => {
      const queues = await boss.getQueues([...known.keys()]);
      return queues.map((queue) => ({ name: queue.name, waiting: queue.queuedCount, active: queue.activeCount }));
    },
    overview: () => readOverview(options.url),
    purgeClient: async (clientId) => {
      await runSql(options.url, `delete from ${JOB_SCHEMA}.job where data->>'clientId' = $1`, [clientId]);
    },
    ping: async () => {
      await boss.getQueues();
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  };
};

/**
 * pg-boss keeps schedules by the minute. An interval is a job that adds its next one when it ends, so that it may be shorter; its
 * schedule by the minute begins it again where a killed process took it along, and adds nothing while the next one waits.
 */
const startSchedule = async (boss: PgBoss, name: string, schedule: Schedule): Promise<void> => {
  const options = { singletonKey: name };
  if (isInterval(schedule)) {
    await boss.schedule(name, '* * * * *', {}, options);
    // also where one waits: a process that starts does not wait for it
    await boss.upsert(name, {}, { ...options, startAfter: new Date() });
  } else {
    await boss.schedule(name, schedule.cron, {}, { ...options, missed: 'once' });
  }
};

interface WorkerOptions {
  boss: PgBoss;
  job: JobSettings;
  handler: (run: JobRun<unknown>) => Promise<void>;
  log: Logger;
}

/** What runs one job. Failures are logged; the queue tries again. */
const createRunner =
  ({ boss, job: { name, schedule }, handler, log }: WorkerOptions) =>
  async ({ id, data, retryCount, signal }: Job<unknown>): Promise<void> => {
    const attempt = retryCount + 1;
    const isRepeated = isInterval(schedule);
    try {
      await handler({ id, data, attempt, signal });
    } catch (error) {
      log.warn({ err: error, job: name, attempt }, 'a job failed');
      if (!isRepeated) throw error;
    }
    if (isRepeated) await boss.send(name, {}, { singletonKey: name, startAfter: schedule.everySeconds });
  };

/** Of a queue whose jobs come in groups, workers but the first are woken by new jobs and by this, not by the end of their last one. */
const GROUP_POLLING_SECONDS = 1;

/** Groups are counted by workers that are started together; the database's count lets two that fetch at the same moment both pass. */
const workOptions = ({ concurrency = 1, groupConcurrency }: JobSettings): WorkOptions[] => {
  const polling = { batchSize: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 3 };
  if (groupConcurrency === undefined) return Array.from({ length: concurrency }, () => polling);
  const often = { pollingIntervalSeconds: GROUP_POLLING_SECONDS, notifyPollingIntervalSeconds: GROUP_POLLING_SECONDS };
  return [{ ...polling, ...often, localConcurrency: concurrency, localGroupConcurrency: groupConcurrency }];
};

const startWorkers = async (options: WorkerOptions): Promise<void> => {
  const { boss, job } = options;
  const run = createRunner(options);
  for (const settings of workOptions(job)) {
    let workerId = '';
    workerId = await boss.work<unknown, void>(job.name, settings, async (jobs: Job<unknown>[]) => {
      // else a worker sleeps after each job, however many wait
      boss.notifyWorker(workerId);
      for (const one of jobs) await run(one);
    });
  }
};
