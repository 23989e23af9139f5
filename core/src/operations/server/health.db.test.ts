import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { checkSampledRollups } from '../../findings/server/rollups/check-job.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
});
afterAll(() => server.close());

const health = async () => (await server.call('GET', '/platform/health', { as: 'superadmin' })).body.data;

test('a superadmin reads how every part is; nobody else does', async () => {
  const read = await health();
  expect(read.database).toMatchObject({ status: 'ok', version: expect.stringMatching(/^\d+/) });
  expect(read.database.size_bytes).toBeGreaterThan(1_000_000);
  expect(read.database.connections).toBeGreaterThan(1);
  expect(read.database.max_connections).toBeGreaterThan(read.database.connections);
  expect(read.rollups).toEqual({ status: 'ok', checked_at: null, clients: 0, differences: 0 });
  expect(read.feeds.items.map(({ id }: { id: string }) => id)).toEqual(['epss', 'kev']);
  expect(read.mail).toMatchObject({ is_configured: false });
  expect(read.scanners.items.length).toBeGreaterThan(5);
  for (const as of ['admin', 'cyberoper', 'developer'] as const)
    expect((await server.call('GET', '/platform/health', { as })).status).toBe(403);
  expect((await server.call('GET', '/platform/health')).status).toBe(401);
});

test('jobs that were given up and imports that wait are seen', async () => {
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'late', url: '' }] },
  });
  await server.scene.owner.query(
    `insert into scans (client_id, repository_id, requested_tool, status, created_at)
     values ($1, $2, 'auto', 'merging', now() - interval '2 hours')`,
    [server.users.clientId, made.body.data[0]._id],
  );
  const { rows } = await server.scene.owner.query(
    `select name from pgboss.queue where name like 'scan%' order by name limit 1`,
  );
  const name: string = rows[0].name;
  await server.scene.owner.query(
    `insert into pgboss.job (name, data, state, start_after)
     values ($1, '{}', 'failed', now()), ($1, '{}', 'created', now() + interval '1 day')`,
    [name],
  );
  const { queue } = await health();
  expect(queue.jobs.find((job: { name: string }) => job.name === name)).toMatchObject({ failed: 1 });
  expect(queue.imports.unfinished).toBe(1);
  expect(Date.parse(queue.imports.oldest_at)).toBeLessThan(Date.now() - 7_000_000);
  expect(queue.status).toBe('attention');
});

test('the last check of counts is kept, and differences are not in order', async () => {
  const { database } = server.scene;
  const rollupMetrics = { checked: () => undefined };
  const log = { error: () => undefined };
  await checkSampledRollups({ database, rollupMetrics, log });
  await checkSampledRollups({ database, rollupMetrics, log });
  const { rollups } = await health();
  expect(rollups).toMatchObject({ status: 'ok', clients: 2, differences: 0 });
  expect(Date.parse(rollups.checked_at)).toBeGreaterThan(Date.now() - 600_000);
});

test('a part that cannot be read is null, and the others are shown', async () => {
  await server.scene.owner.query('revoke select on mails from breakwater_app');
  const read = await health();
  await server.scene.owner.query('grant select on mails to breakwater_app');
  expect(read.mail).toBeNull();
  expect(read.database.status).toBe('ok');
  expect(server.logs.join('\n')).toContain('a part of the installation could not be read');
});
