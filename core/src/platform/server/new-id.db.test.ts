import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';

let it: TestDatabase;
beforeAll(async () => {
  it = await createTestDatabase();
});
afterAll(() => it.drop());

test('ids that SQL makes are of version 7 and in the order of their microseconds', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 300; i += 1)
    ids.push((await it.owner.query<{ id: string }>('select new_id() as id')).rows[0]?.id ?? '');
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(300);
  const { rows } = await it.owner.query<{ distance: number }>(
    `select abs(extract(epoch from now()) * 1000 - ('x' || substr(replace(new_id()::text, '-', ''), 1, 12))::bit(48)::bigint)::float as distance`,
  );
  expect(rows[0]?.distance).toBeLessThan(60_000);
});
