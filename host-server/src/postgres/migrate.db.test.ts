import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { migrate } from './migrate.ts';

let it: TestDatabase;
beforeAll(async () => {
  it = await createTestDatabase();
});
afterAll(() => it.drop());

test('a database that is up to date is left alone; rollups.sql is applied again when its text has changed', async () => {
  expect(await migrate(it.url)).toEqual([]);
  await it.owner.query(`update schema_migrations set sha256 = 'of another text' where name = 'rollups.sql'`);
  expect(await migrate(it.url)).toEqual(['rollups.sql']);
  expect(await migrate(it.url)).toEqual([]);
});

test('a database of before the baseline, or of another one, is refused with what to do', async () => {
  const refusal = /development version.*Delete the data folder .*start again/;
  await it.owner.query(`update schema_migrations set sha256 = 'of another text' where name = 'baseline'`);
  await expect(migrate(it.url)).rejects.toThrow(refusal);
  await it.owner.query(`update schema_migrations set name = '20261121000000_foundation.sql' where name = 'baseline'`);
  await expect(migrate(it.url)).rejects.toThrow(refusal);
});
