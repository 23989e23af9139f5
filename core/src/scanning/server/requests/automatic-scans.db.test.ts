import type { ScmEvent } from '@breakwater/sdk';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestScansAfter, requestScheduledScans } from './automatic-scans.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.scene.owner.query('delete from scan_requests');
  await server.scene.owner.query('delete from repositories');
});

/** Scans wait; nobody runs them here. */
const jobs = { enqueue: async () => undefined };
const owner = () => server.scene.owner;

const add = async (
  nickname: string,
  values: { schedule?: string; url?: string; sourceControl?: string; clientId?: string } = {},
): Promise<string> => {
  const { schedule = null, url = `https://git.example.test/${nickname}`, sourceControl = 'gitea' } = values;
  const { rows } = await owner().query(
    `insert into repositories (client_id, nickname, url, source_control, external_id, schedule) values ($1, $2, $3, $4, $2, $5) returning id`,
    [values.clientId ?? server.users.clientId, nickname, url, sourceControl, schedule],
  );
  return rows[0].id;
};

const organisation = (change: { schedule_scan?: string; autonomous_scan?: boolean }) =>
  server.call('PUT', '/client', { as: 'admin', body: change });

const requests = async () => {
  const { rows } = await owner().query(
    `select r.nickname, q.trigger, q.branch, q.pull_request from scan_requests q join repositories r on r.id = q.repository_id
     order by r.nickname, q.branch nulls first`,
  );
  return rows;
};

const schedule = () =>
  requestScheduledScans({
    database: server.scene.database,
    jobs,
    canScan: (sourceControl) => sourceControl !== 'local',
  });

test('what its schedule asks for is scanned once in its time, its own schedule before the organisation’s', async () => {
  await organisation({ schedule_scan: 'none' });
  const weekly = await add('weekly', { schedule: 'weekly' });
  const monthly = await add('monthly', { schedule: 'monthly' });
  await add('as-organisation');
  await add('never', { schedule: 'none' });
  await add('no-address', { schedule: 'weekly', url: '' });
  await add('local', { schedule: 'weekly', sourceControl: 'local', url: '/srv/x' });
  expect(await schedule()).toBe(2);
  expect((await requests()).map((one) => [one.nickname, one.trigger])).toEqual([
    ['monthly', 'schedule'],
    ['weekly', 'schedule'],
  ]);
  expect(await schedule()).toBe(0);
  await owner().query(`update scan_requests set status = 'done', created_at = now() - interval '8 days'`);
  expect(await schedule()).toBe(1);
  await owner().query(`update scan_requests set status = 'done', created_at = now() - interval '32 days'`);
  expect(await schedule()).toBe(2);
  await organisation({ schedule_scan: 'weekly' });
  expect(await schedule()).toBe(1);
  const { rows } = await owner().query('select distinct repository_id from scan_requests');
  expect(rows.map((row) => row.repository_id)).toEqual(expect.arrayContaining([weekly, monthly]));
  await organisation({ schedule_scan: 'none' });
});

test('any number of repositories that cannot be scanned here hold up none that can', async () => {
  await owner().query(
    `insert into repositories (client_id, nickname, url, source_control, schedule)
     select $1, 'folder ' || n, '/srv/' || n, 'local', 'weekly' from generate_series(1, 60) n`,
    [server.users.clientId],
  );
  await add('late', { schedule: 'weekly' });
  expect(await schedule()).toBe(1);
  expect(await requests()).toMatchObject([{ nickname: 'late', trigger: 'schedule' }]);
});

const push = (repository: string, branch: string): ScmEvent => ({
  kind: 'push',
  repository,
  branch,
  commit: 'a'.repeat(40),
});
const pull = (change: Partial<Extract<ScmEvent, { kind: 'pull-request' }>> = {}): ScmEvent => ({
  ...{ kind: 'pull-request', repository: 'shop', number: 7, branch: 'feature', commit: 'b'.repeat(40), into: 'main' },
  ...{ isFromFork: false, action: 'opened' },
  ...change,
});
const deliver = (events: readonly ScmEvent[], connectorId = 'gitea') =>
  requestScansAfter(
    { database: server.scene.database, jobs },
    { clientId: server.users.clientId, connectorId },
    events,
  );

test('a push is scanned only where the organisation wants scans without being asked', async () => {
  await add('shop');
  await organisation({ autonomous_scan: false });
  await deliver([push('shop', 'main')]);
  expect(await requests()).toEqual([]);
  await organisation({ autonomous_scan: true });
  await deliver([push('shop', 'main')]);
  // the same again while it waits is not doubled
  await deliver([push('shop', 'main')]);
  expect(await requests()).toEqual([{ nickname: 'shop', trigger: 'push', branch: null, pull_request: null }]);
});

test('of other branches those of open pull requests are scanned, none of a fork, and nothing of another organisation or provider', async () => {
  await organisation({ autonomous_scan: true });
  const others = await createUsers(server.scene.database, 'Others');
  await add('shop');
  await add('shop', { clientId: others.clientId });
  const closed = [pull({ action: 'closed', number: 8 }), pull({ action: 'merged', number: 9 })];
  await deliver([
    push('shop', 'topic'),
    push('unknown', 'main'),
    pull(),
    pull({ isFromFork: true, number: 10 }),
    ...closed,
  ]);
  await deliver([push('shop', 'main')], 'gitlab');
  expect(await requests()).toEqual([{ nickname: 'shop', trigger: 'push', branch: 'feature', pull_request: 7 }]);
});
