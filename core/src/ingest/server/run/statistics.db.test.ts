import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { readDemo } from '../../../testing/import-scene.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  const { body } = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'shop', url: '' }] },
  });
  const file = Buffer.from(await readDemo('grype.json')).toString('base64');
  await server.call('POST', `/upload_scan/${body.data[0]._id}?wait=60`, {
    as: 'admin',
    body: { tool: 'grype', ext: 'json', file },
  });
});
afterAll(() => server.close());

const LISTED = ['aggregate_cells', 'finding_definitions', 'finding_details', 'finding_files', 'findings'];

/** What the planner believes that the tables of a list hold; -1: never sampled. */
const believed = async (): Promise<number[]> => {
  const { rows } = await server.scene.owner.query<{ reltuples: number }>(
    `select reltuples from pg_class where relname = any($1) and relkind = 'r' order by relname`,
    [LISTED],
  );
  return rows.map(({ reltuples }) => reltuples);
};

const sample = async (): Promise<number> => {
  const { rows } = await server.scene.owner.query<{ count: number }>('select refresh_statistics() as count');
  return rows[0]?.count ?? 0;
};

test('after the first import the planner knows every table that a list reads', async () => {
  await expect.poll(async () => Math.min(...(await believed())), { timeout: 60_000 }).toBeGreaterThan(0);
  const { rows } = await server.scene.owner.query<{ count: number }>('select count(*)::integer from findings');
  expect((await believed()).at(-1)).toBe(rows[0]?.count);
});

test('what was sampled is sampled again only after it grew by half', async () => {
  await sample();
  expect(await sample()).toBe(0);
  await server.scene.owner.query(`
    create table grown (n integer);
    insert into grown select generate_series(1, 100)`);
  expect([await sample(), await sample()]).toEqual([1, 0]);
  await server.scene.owner.query('insert into grown select generate_series(1, 2000)');
  await server.scene.owner.query('select pg_stat_force_next_flush()');
  await expect.poll(sample, { timeout: 60_000 }).toBe(1);
});
