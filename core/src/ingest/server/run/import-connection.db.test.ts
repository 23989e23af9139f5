import { createTestDatabase, type TestDatabase } from '@breakwater/tools/testing/database.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lendConnection } from './import-connection.ts';

const ONE = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

let scene: TestDatabase;
beforeAll(async () => {
  scene = await createTestDatabase();
});
afterAll(() => scene.drop());

const lend = (clientId: string, use: 'main' | 'side' = 'main') =>
  lendConnection({ connectionString: scene.url, options: '-c role=breakwater_app -c timezone=UTC' }, clientId, use);
const stateOf = async (client: pg.ClientBase) => {
  const { rows } = await client.query(
    `select pg_backend_pid() as pid, current_user as role, current_setting('app.client_id') as client,
       current_setting('temp_buffers') as buffers, current_setting('synchronous_commit') as commit`,
  );
  return rows[0];
};

test('the next import takes over what a clean one leaves, for its own organisation', async () => {
  const first = await lend(ONE);
  const before = await stateOf(first.client);
  expect(before).toMatchObject({ role: 'breakwater_app', client: ONE, buffers: '64MB' });
  await first.client.query('select pg_advisory_lock(7)');
  await first.giveBack(true);
  const between = await scene.owner.query(`select 1 from pg_locks where locktype = 'advisory' and pid = $1`, [
    before.pid,
  ]);
  expect(between.rows).toEqual([]);
  const second = await lend(OTHER);
  expect(await stateOf(second.client)).toEqual({ ...before, client: OTHER });
  // what is in use is lent to nobody else, and what one is for stays apart
  const third = await lend(OTHER);
  const side = await lend(OTHER, 'side');
  const pids = [before.pid, (await stateOf(third.client)).pid, (await stateOf(side.client)).pid];
  expect(new Set(pids).size).toBe(3);
  expect(await stateOf(side.client)).toMatchObject({ commit: 'off', client: OTHER });
  for (const one of [second, third, side]) await one.giveBack(true);
});

test('kept, it belongs to no organisation', async () => {
  const lent = await lend(ONE);
  await lent.giveBack(true);
  expect((await lent.client.query(`select current_setting('app.client_id') as client`)).rows).toEqual([{ client: '' }]);
});

test('what a failed import leaves is ended, and what ended meanwhile is replaced', async () => {
  const failed = await lend(ONE);
  const { pid } = await stateOf(failed.client);
  await failed.client.query('begin');
  await failed.client.query('select 1 / 0').catch(() => undefined);
  await failed.giveBack(false);
  const next = await lend(ONE);
  const { pid: kept } = await stateOf(next.client);
  expect(kept).not.toBe(pid);
  await next.giveBack(true);
  await scene.owner.query('select pg_terminate_backend($1, 5000)', [kept]);
  const replaced = await lend(OTHER);
  expect(await stateOf(replaced.client)).toMatchObject({ client: OTHER, buffers: '64MB' });
  expect((await stateOf(replaced.client)).pid).not.toBe(kept);
  await replaced.giveBack(true);
});
