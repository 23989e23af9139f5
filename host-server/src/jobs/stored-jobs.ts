import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { StoredJob } from '../backup/backup-file.ts';
import { JOB_SCHEMA } from './pg-boss-queue.ts';

interface JobRow {
  id: string;
  queue: string;
  policy: string;
  data: unknown;
  priority: number;
  retry_limit: number;
  start_after: Date;
  singleton_key: string | null;
  group_id: string | null;
}

/** Waiting ones first: where one of the same key runs too, the waiting one does its work. */
const WAITING = `
  select j.id, j.name as queue, q.policy, j.data, j.priority, j.retry_limit, j.start_after, j.singleton_key, j.group_id
  from ${JOB_SCHEMA}.job j join ${JOB_SCHEMA}.queue q on q.name = j.name
  where j.state in ('created', 'retry', 'active') and j.name not like '\\_\\_pgboss\\_\\_%'
  order by j.state = 'active', j.created_on, j.id`;

/** Jobs that have not ended, of a queue of any version: how the queue keeps them is its own affair. */
export const readWaitingJobs = async (client: pg.ClientBase): Promise<StoredJob[]> => {
  const installed = await client.query('select from pg_tables where schemaname = $1 and tablename = $2', [
    JOB_SCHEMA,
    'queue',
  ]);
  if (installed.rowCount === 0) return [];
  const { rows } = await client.query<JobRow>(WAITING);
  return rows.map(({ retry_limit, start_after, singleton_key, group_id, ...job }) => ({
    ...job,
    retryLimit: retry_limit,
    startAfter: start_after.toISOString(),
    singletonKey: singleton_key,
    groupId: group_id,
  }));
};

/** Adds jobs to a queue that no process works on yet. Settings of their queues are the server's, at its start. */
export const addStoredJobs = async (url: string, jobs: readonly StoredJob[]): Promise<void> => {
  const boss = new PgBoss({ connectionString: url, schema: JOB_SCHEMA, supervise: false, schedule: false, max: 2 });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const queues = Map.groupBy(jobs, ({ queue }) => queue);
    for (const [queue, waiting] of queues) {
      await boss.createQueue(queue, { policy: waiting[0]?.policy === 'stately' ? 'stately' : 'short' });
      // what is there already, or waits under the same key, is left as it is
      await boss.insert(
        queue,
        waiting.map(({ id, data, priority, retryLimit, startAfter, singletonKey, groupId }) => ({
          ...{ id, priority, retryLimit, startAfter, data: Object(data) },
          ...(singletonKey === null ? {} : { singletonKey }),
          ...(groupId === null ? {} : { group: { id: groupId } }),
        })),
      );
    }
  } finally {
    await boss.stop({ graceful: false });
  }
};
