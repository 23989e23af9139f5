import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../platform/server/database.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../../testing/line-report.ts';
import { checkSampledRollups, createRollupMetrics } from './check-job.ts';
import { checkRollups, rebuildRollups } from './check-rollups.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
  await scene.import(
    'scanner',
    report(...Array.from({ length: 20 }, (_, line) => code(`r${line % 3}`, `a${line % 4}.js`, line, 'x'))),
  );
  await scene.import('other', report(dependency('CVE-2023-44487', 'lib', '1')));
});
afterAll(() => scene.test.drop());

const check = () => checkRollups(scene.test.database, scene.clientId);
const one = async (text: string): Promise<string> => Object.values((await scene.rows<object>(text))[0] ?? {}).join();
/** How many rows of rollups this connection has written and not yet reported. */
const written = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::integer as rows
    from pg_stat_xact_user_tables where relname like 'aggregate%'`.execute(db);
  return rows[0]?.rows ?? -1;
};

test('a rollup that was changed, lost or made up is found and made right', async () => {
  expect(await check()).toEqual([]);
  for (const damage of [
    'update aggregate_cells set count = count + 2',
    'delete from aggregate_sources',
    'delete from aggregate_dispositions',
    'update aggregate_dispositions set is_open = not is_open',
    'delete from aggregate_definitions where count > 1',
    'update aggregate_definition_dispositions set count = 0',
    'insert into aggregate_files select client_id, 999999, disposition, 3 from aggregate_files limit 1',
    'update aggregate_extensions set count = 1',
    'update aggregate_buckets set bucket = bucket + 1',
    'delete from aggregate_dates',
    'delete from aggregate_changes',
    'update aggregate_days set count = count - 1',
  ]) {
    await scene.rows(damage);
    expect(await check(), damage).not.toEqual([]);
    await rebuildRollups(scene.test.database, scene.clientId);
    expect(await check(), damage).toEqual([]);
  }
});

test('the nightly check names the organisation and counts what differs, for log and metric', async () => {
  const registry = new Registry();
  const said: object[] = [];
  const deps = {
    database: scene.test.database,
    rollupMetrics: createRollupMetrics(registry),
    log: { error: (data: object) => void said.push(data) },
  };
  await checkSampledRollups(deps);
  expect(said).toEqual([]);
  expect(await registry.metrics()).toContain('breakwater_rollup_differences 0');
  await scene.rows('update aggregate_dates set count = count + 1 where day = (select min(day) from aggregate_dates)');
  await checkSampledRollups(deps);
  expect(said).toEqual([{ clientId: scene.clientId, tables: ['aggregate_dates'], rows: expect.any(Number) }]);
  expect(await registry.metrics()).toMatch(/breakwater_rollup_differences [1-9]/);
  await rebuildRollups(scene.test.database, scene.clientId);
});

test('what changes while rollups are made anew is neither lost nor counted twice', async () => {
  await scene.rows('update aggregate_cells set count = count * 3');
  const owner = scene.test.owner;
  const changes = Array.from({ length: 10 }, (_, index) =>
    owner.query('update findings set verdict = $1 where id in (select id from findings order by id limit 5)', [
      index % 2 === 0 ? 'false_positive' : 'none',
    ]),
  );
  await Promise.all([rebuildRollups(scene.test.database, scene.clientId), ...changes]);
  expect(await check()).toEqual([]);
});

test('a statement that changes no counted column writes nothing to the rollups', async () => {
  await scene.test.database.forClient(scene.clientId, async (db) => {
    const before = await written(db);
    await sql`update findings set start_column = start_column + 3, content = gen_random_uuid(), last_seen = now()`.execute(
      db,
    );
    expect(await written(db)).toBe(before);
    await sql`update findings set verdict = 'valid' where id = (select min(id::text)::uuid from findings)`.execute(db);
    expect(await written(db)).toBeGreaterThan(before);
  });
});

test('deferred changes are applied once, at the end, and when nobody asks, at commit', async () => {
  const { database } = scene.test;
  await database.forClient(scene.clientId, async (db) => {
    const before = await written(db);
    await sql`select defer_rollups()`.execute(db);
    await sql`update findings set verdict = 'false_positive'`.execute(db);
    await sql`update findings set verdict = 'none'`.execute(db);
    expect(await written(db)).toBe(before);
    await sql`update findings set verdict = 'valid'`.execute(db);
    await sql`select apply_deferred_rollups()`.execute(db);
    await sql`update findings set is_duplicate = true where tool = 'other'`.execute(db);
  });
  expect(await check()).toEqual([]);
  await database.forClient(scene.clientId, async (db) => {
    await sql`select defer_rollups()`.execute(db);
    await sql`update findings set verdict = 'accepted_risk'`.execute(db);
  });
  expect(await check()).toEqual([]);
  await expect(
    database.forClient(scene.clientId, async (db) => {
      await sql`select defer_rollups()`.execute(db);
      await sql`update findings set verdict = 'none'`.execute(db);
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  expect(await check()).toEqual([]);
});

test('rows whose count falls to zero are gone', async () => {
  await scene.rows('delete from findings');
  expect(await check()).toEqual([]);
  for (const table of ['cells', 'definitions', 'definition_dispositions', 'files', 'extensions', 'buckets', 'dates'])
    expect(await one(`select count(*) from aggregate_${table}`), table).toBe('0');
});

test('keys of cells, sources and dispositions stay what they are', async () => {
  expect(
    await one(`select aggregate_key(source_dimensions('00000000-0000-7000-8000-000000000001', 'it''s', 'SAST', 'a,b', '', 3::smallint,
      false, true, false)), aggregate_key(disposition_dimensions('enriched', 'none', false, false, null, null, null))`),
  ).toMatchInlineSnapshot(`"-361760367145214500"`);
});
