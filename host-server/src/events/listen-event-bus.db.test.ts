import { randomUUID } from 'node:crypto';
import type { ClientEvent } from '@breakwater/core/platform/server/events.ts';
import { publish } from '@breakwater/core/platform/server/events.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { startRelay } from '../../../tools/testing/relay.ts';
import { ListenEventBus } from './listen-event-bus.ts';

const ours = '0192f000-0000-7000-8000-000000000001';
const theirs = '0192f000-0000-7000-8000-000000000002';
let scene: TestDatabase;
let bus: ListenEventBus;

const collect = (clientId: string, from = bus) => {
  const seen: ClientEvent[] = [];
  const ending = new AbortController();
  const read = async (): Promise<void> => {
    for await (const event of from.subscribe(clientId, ending.signal)) seen.push(event);
  };
  return { seen, ended: read(), stop: () => ending.abort() };
};

const publishStep = (clientId: string, step: number): Promise<void> =>
  scene.database.forClient(clientId, (db) =>
    publish(db, { clientId, type: 'scan.progress', data: { step }, audience: 'everyone' }),
  );

beforeAll(async () => {
  scene = await createTestDatabase();
  bus = new ListenEventBus({ url: scene.url, log: pino({ level: 'silent' }) });
  await bus.start();
});
afterAll(async () => {
  await bus.stop();
  await scene.drop();
});

test('subscribers get the events of their own client, in order', async () => {
  const mine = collect(ours);
  const other = collect(theirs);
  await publishStep(ours, 1);
  await publishStep(theirs, 2);
  await publishStep(ours, 3);
  await vi.waitFor(() => expect(mine.seen.map((event) => event.data['step'])).toEqual([1, 3]), { timeout: 30_000 });
  await vi.waitFor(() => expect(other.seen.map((event) => event.data['step'])).toEqual([2]), { timeout: 30_000 });
  mine.stop();
  other.stop();
});

test('a transaction that rolls back tells nothing', async () => {
  const mine = collect(ours);
  const failing = scene.database.forClient(ours, async (db) => {
    await publish(db, { clientId: ours, type: 'scan.progress', data: { step: 99 }, audience: 'everyone' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await publishStep(ours, 4);
  await vi.waitFor(() => expect(mine.seen.map((event) => event.data['step'])).toEqual([4]), { timeout: 30_000 });
  mine.stop();
});

test('an audience that is too large for one message hears of it in parts, everybody once', async () => {
  const mine = collect(ours);
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
  const [people, repositories] = [ids(450), ids(250)];
  await scene.database.forClient(ours, async (db) => {
    await publish(db, { clientId: ours, type: 'people', data: {}, audience: { userIds: people } });
    await publish(db, { clientId: ours, type: 'nobody', data: {}, audience: { userIds: [] } });
    const audience = { repositoryIds: repositories, userIds: people };
    await publish(db, { clientId: ours, type: 'repositories', data: {}, audience });
  });
  await publishStep(ours, 6);
  await vi.waitFor(() => expect(mine.seen.at(-1)?.data['step']).toBe(6), { timeout: 30_000 });
  const named = (type: string, kind: 'userIds' | 'repositoryIds') =>
    mine.seen
      .filter((event) => event.type === type)
      .flatMap(({ audience }) => Reflect.get(Object(audience), kind) ?? []);
  expect(named('people', 'userIds')).toEqual(people);
  expect(named('repositories', 'repositoryIds')).toEqual(repositories);
  expect(named('repositories', 'userIds')).toEqual(people);
  expect(named('nobody', 'userIds')).toEqual([]);
  mine.stop();
});

/** Until a new subscriber hears of something again. */
const untilHeard = (): Promise<void> =>
  vi.waitFor(
    async () => {
      const mine = collect(ours);
      await publishStep(ours, 5);
      await vi.waitFor(() => expect(mine.seen).not.toEqual([]), { timeout: 200, interval: 10 }).finally(mine.stop);
    },
    { timeout: 120_000, interval: 200 },
  );

test('a lost connection comes back by itself, and ends what was subscribed: who connects again reads anew', async () => {
  const mine = collect(ours);
  await scene.owner.query(
    // of this test alone: others run on the same server
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'breakwater-events' and datname = current_database()`,
  );
  await mine.ended;
  await untilHeard();
});

test('a server that vanishes without a word is noticed', async () => {
  const relay = await startRelay(scene.url);
  const other = new ListenEventBus({ url: relay.url, log: pino({ level: 'silent' }), heartbeatMs: 1000 });
  await other.start();
  const mine = collect(ours, other);
  relay.silence();
  await mine.ended;
  await other.stop();
  await relay.close();
});
