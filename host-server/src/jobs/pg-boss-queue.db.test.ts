import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { type RunningJobQueue, startJobQueue } from './pg-boss-queue.ts';

let scene: TestDatabase;
let queue: RunningJobQueue;
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
  await queue.work<{ text: string }>('test-commit', async (job) => void seen.push(job.data.text), { concurrency: 1 });
  const failure = scene.database.forClient(clientId, async (db) => {
    await queue.enqueue(db, 'test-commit', { text: 'rolled back' });
    throw new Error('no');
  });
  await expect(failure).rejects.toThrow('no');
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, 'test-commit', { text: 'kept' }));
  await vi.waitFor(() => expect(seen).toEqual(['kept']), { timeout: 5000 });
});

test('a job with the key of a waiting one is not added again', async () => {
  const ids = await scene.database.forClient(clientId, async (db) => [
    await queue.enqueue(db, 'test-key', {}, { singletonKey: 'a' }),
    await queue.enqueue(db, 'test-key', {}, { singletonKey: 'a' }),
    await queue.enqueue(db, 'test-key', {}, { singletonKey: 'b' }),
    await queue.enqueue(db, 'test-key', {}),
    await queue.enqueue(db, 'test-key', {}),
  ]);
  expect(ids.map((id) => id !== undefined)).toEqual([true, false, true, true, true]);
});

test('a failed job is tried again', async () => {
  const attempts: number[] = [];
  const work = async (job: { attempt: number }): Promise<void> => {
    attempts.push(job.attempt);
    if (job.attempt === 1) throw new Error('first try');
  };
  await queue.work('test-retry', work, { concurrency: 1 });
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, 'test-retry', {}));
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), { timeout: 20_000 });
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
    for (let n = 0; n < 6; n += 1) await queue.enqueue(db, 'test-backlog', { n });
  });
  await queue.work<{ n: number }>('test-backlog', async (job) => void done.push(job.data.n), { concurrency: 1 });
  await vi.waitFor(() => expect(done).toHaveLength(6), { timeout: 5000 });
});

test('the job of a killed process is taken up at once where nobody else can have it', async () => {
  await scene.database.forClient(clientId, (db) => queue.enqueue(db, 'test-orphan', {}));
  // what a worker leaves behind that was killed in the middle
  await scene.owner.query(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() where name = 'test-orphan'`,
  );
  const next = await startJobQueue({ url: scene.url, log: pino({ level: 'silent' }), isAlone: true });
  try {
    const attempts: number[] = [];
    await next.work('test-orphan', async (job) => void attempts.push(job.attempt), { concurrency: 1 });
    await vi.waitFor(() => expect(attempts).toEqual([2]), { timeout: 15_000 });
  } finally {
    await next.stop();
  }
});
