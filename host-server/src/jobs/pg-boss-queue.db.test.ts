import { defineJob } from '@breakwater/core/platform/server/jobs/define-job.ts';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { startRelay } from '../../../tools/testing/relay.ts';
import { type RunningJobQueue, startJobQueue } from './pg-boss-queue.ts';

let scene: TestDatabase;
let queue: RunningJobQueue;
const job = (name: string) => ({ name, retry: { limit: 5 } });
const clientId = '0192f000-0000-7000-8000-000000000001';

beforeAll(async () => {
  scene = await createTestDatabase();
  queue = await startJobQueue({ url: scene.url, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await queue.stop();
  await scene.drop();
});

test('a job exists when its transaction commits, and only then', async () => {
  const seen: string[] = [];
  const said = defineJob({
    ...job('test-commit'),
    input: Type.Object({ text: Type.String() }),
    run: async (to: string[], { data }) => to.push(data.text),
  });
  await said.start(queue, seen);
  const failure = scene.database.forClient(clientId, async (db) => {
    await queue.enqueue(db, said, { text: 'rolled back' });
    throw new Error('no');
  });
  await expect(failure).rejects.toThrow('no');
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, said, { text: 'kept' }));
  await vi.waitFor(() => expect(seen).toEqual(['kept']), { timeout: 120_000 });
});

test('a job with the key of a waiting one is not added again', async () => {
  const keyed = job('test-key');
  const ids = await scene.database.forClient(clientId, async (db) => [
    await queue.enqueue(db, keyed, {}, { key: 'a' }),
    await queue.enqueue(db, keyed, {}, { key: 'a' }),
    await queue.enqueue(db, keyed, {}, { key: 'b' }),
    await queue.enqueue(db, keyed, {}),
    await queue.enqueue(db, keyed, {}),
  ]);
  expect(ids.map((id) => id !== undefined)).toEqual([true, false, true, true, true]);
});

test('a failed job is tried again', async () => {
  const attempts: number[] = [];
  await queue.work(job('test-retry'), async ({ attempt }) => {
    attempts.push(attempt);
    if (attempt === 1) throw new Error('first try');
  });
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, job('test-retry'), {}));
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), { timeout: 120_000 });
});

test('the application role cannot read the payload of jobs', async () => {
  const reading = scene.database.forClient(clientId, async (db) => {
    const { sql } = await import('kysely');
    return sql`select data from pgboss.job`.execute(db);
  });
  await expect(reading).rejects.toThrow(/permission denied/);
});

test('jobs that wait behind another one follow at once', async () => {
  const done: number[] = [];
  await scene.database.forClient(clientId, async (db) => {
    for (let n = 0; n < 6; n += 1) await queue.enqueue(db, job('test-backlog'), { n });
  });
  await queue.work(job('test-backlog'), async () => void done.push(1));
  await vi.waitFor(() => expect(done).toHaveLength(6), { timeout: 120_000 });
});

test('the job of a killed process is taken up at once where nobody else can have it', async () => {
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, job('test-orphan'), {}));
  // what a worker leaves behind that was killed in the middle
  await scene.owner.query(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() where name = 'test-orphan'`,
  );
  const next = await startJobQueue({ url: scene.url, log: pino({ level: 'silent' }), isAlone: true });
  try {
    const attempts: number[] = [];
    await next.work(job('test-orphan'), async ({ attempt }) => void attempts.push(attempt));
    await vi.waitFor(() => expect(attempts).toEqual([2]), { timeout: 120_000 });
  } finally {
    await next.stop();
  }
});

test('a job on a short interval runs again and again, never twice at once, in whichever process', async () => {
  const other = await startJobQueue({ url: scene.url, log: pino({ level: 'silent' }) });
  let active = 0;
  const runs: { by: string; active: number }[] = [];
  const polled = (by: string) =>
    defineJob({
      name: 'test-interval',
      input: Type.Object({}),
      retry: { limit: 0 },
      schedule: { everySeconds: 1 },
      run: async () => {
        active += 1;
        runs.push({ by, active });
        await new Promise((resolve) => setTimeout(resolve, 200));
        active -= 1;
        if (runs.length === 2) throw new Error('the next run makes up for it');
      },
    });
  try {
    await Promise.all([polled('a').start(queue, undefined), polled('b').start(other, undefined)]);
    await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(4), { timeout: 120_000 });
    expect(runs.map((run) => run.active)).toEqual(runs.map(() => 1));
    const waiting = await scene.owner.query(
      `select 1 from pgboss.job where name = 'test-interval' and state in ('created', 'retry', 'active')`,
    );
    expect(waiting.rows.length).toBeLessThanOrEqual(2);
  } finally {
    await other.stop();
  }
});

test('a schedule by cron is kept by the database, once however many processes declare it', async () => {
  const hourly = { ...job('test-cron'), schedule: { cron: '23 * * * *' } };
  await Promise.all([queue.work(hourly, async () => undefined), queue.work(hourly, async () => undefined)]);
  const { rows } = await scene.owner.query(
    `select cron, options->>'missed' as missed from pgboss.schedule where name = 'test-cron'`,
  );
  expect(rows).toEqual([{ cron: '23 * * * *', missed: 'once' }]);
});

test('input that does not fit fails the job before it runs', async () => {
  const inputs: object[] = [];
  const typed = defineJob({
    name: 'test-input',
    input: Type.Object({ n: Type.Integer() }),
    retry: { limit: 0 },
    run: async (to: object[], { data }) => to.push(data),
  });
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, job('test-input'), { n: 'one' }));
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, typed, { n: 1 }));
  await typed.start(queue, inputs);
  await vi.waitFor(() => expect(inputs).toEqual([{ n: 1 }]), { timeout: 120_000 });
});

test('a queue that an earlier version made gets the settings of today', async () => {
  const before = { name: 'test-settings', retry: { limit: 1 } };
  const after = { ...before, retry: { limit: 7 }, schedule: { everySeconds: 3600 } };
  const settings = async () => {
    const { rows } = await scene.owner.query(
      `select policy, retry_limit, deletion_seconds from pgboss.queue where name = 'test-settings'`,
    );
    return rows[0];
  };
  await queue.work(before, async () => undefined);
  expect(await settings()).toEqual({ policy: 'short', retry_limit: 1, deletion_seconds: 24 * 3600 });
  const next = await startJobQueue({ url: scene.url, log: pino({ level: 'silent' }) });
  try {
    await next.work(after, async () => undefined);
    expect(await settings()).toEqual({ policy: 'stately', retry_limit: 2, deletion_seconds: 300 });
    const { rows } = await scene.owner.query(`select distinct policy from pgboss.job where name = 'test-settings'`);
    expect(rows).toEqual([{ policy: 'stately' }]);
  } finally {
    await next.stop();
  }
});

test('the schedule of a job that is no more is taken back, whatever its kind', async () => {
  const [daily, polled, kept] = ['test-daily', 'test-polled', 'test-kept'].map(job);
  if (daily === undefined || polled === undefined || kept === undefined) throw new Error('no jobs');
  const keptOnes = [{ ...kept, schedule: { cron: '1 1 * * *' } }];
  const jobs = [
    { ...daily, schedule: { cron: '2 2 * * *' } },
    { ...polled, schedule: { everySeconds: 60 } },
    ...keptOnes,
  ];
  for (const one of jobs) await queue.work(one, async () => undefined);
  await queue.keepSchedules(keptOnes);
  const { rows } = await scene.owner.query('select name from pgboss.schedule');
  expect(rows).toEqual([{ name: 'test-kept' }]);
});

test('jobs of one group leave a place to other groups, however many wait', async () => {
  const grouped = {
    ...job('test-groups'),
    concurrency: 3,
    groupConcurrency: 2,
    group: ({ group }: { group: string }) => group,
  };
  const gate = Promise.withResolvers<void>();
  const running: string[] = [];
  await scene.database.forClient(clientId, async (db) => {
    for (let n = 0; n < 9; n += 1) await queue.enqueue(db, grouped, { group: 'long' });
  });
  await queue.work(grouped, async ({ data }) => {
    running.push(JSON.stringify(data));
    await gate.promise;
  });
  await vi.waitFor(() => expect(running).toHaveLength(2), { timeout: 120_000 });
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, grouped, { group: 'other' }));
  await vi.waitFor(() => expect(running.slice(2)).toEqual(['{"group":"other"}']), { timeout: 120_000 });
  gate.resolve();
  await vi.waitFor(() => expect(running).toHaveLength(10), { timeout: 120_000 });
});

test('a connection that breaks while the queue is looked at fails that look, and ends no process', async () => {
  const relay = await startRelay(scene.url);
  const other = await startJobQueue({ url: relay.url, log: pino({ level: 'silent' }) });
  const lock = await scene.owner.connect();
  await lock.query('begin');
  await lock.query('lock table pgboss.job in access exclusive mode');
  const look = expect(other.overview()).rejects.toThrow('Connection terminated');
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%"waitingSince"%' and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await scene.owner.query(waiting)).rowCount).toBe(1);
  relay.leadTo(undefined);
  await look;
  await lock.query('rollback');
  lock.release();
  relay.leadTo(scene.url);
  await expect(other.overview()).resolves.toBeInstanceOf(Array);
  await other.stop();
  await relay.close();
});
