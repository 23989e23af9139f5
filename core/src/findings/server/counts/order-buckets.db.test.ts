import { createTestDatabase, type TestDatabase } from '@breakwater/tools/testing/database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CVSS_TENTHS, EPSS_STEPS, type OrderBuckets, secondsOf } from './order-buckets.ts';

let scene: TestDatabase;
beforeAll(async () => {
  scene = await createTestDatabase();
});
afterAll(() => scene.drop());

/** Every tenth and hundredth, and the numbers next to them that a column of scores can hold. */
const scores = (most: number, step: number): number[] =>
  Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step).flatMap((value) => {
    const stored = Math.fround(value);
    return [stored, Math.fround(stored * (1 + 2 ** -23)), Math.fround(stored * (1 - 2 ** -23))];
  });

/** Values of which the row is not in the range that its bucket stands for. */
const misplaced = (column: string, type: string, bucketOf: string, buckets: OrderBuckets, values: unknown[]) =>
  scene.database.forClient('00000000-0000-4000-8000-000000000001', async (db) => {
    const counted = await sql<{ value: unknown; bucket: number }>`
      select value, ${sql.raw(bucketOf)}(value) as bucket from unnest(${values}::${sql.raw(type)}[]) value`.execute(db);
    const wrong: unknown[] = [];
    for (const { value, bucket } of counted.rows) {
      const found =
        await sql`select 1 from (select ${value}::${sql.raw(type)} as ${sql.ref(column)}) f where ${buckets.within(bucket)}`.execute(
          db,
        );
      if (found.rows.length !== 1) wrong.push([value, bucket]);
    }
    return wrong;
  });

test('a score lies in the range that its bucket stands for, also right beside a bound', async () => {
  expect(await misplaced('cvss', 'real', 'cvss_bucket', CVSS_TENTHS, scores(10, 0.1))).toEqual([]);
  expect(
    await misplaced('epss', 'real', 'epss_bucket', EPSS_STEPS, [...scores(0.02, 0.0001), ...scores(1, 0.01)]),
  ).toEqual([]);
});

test('an id lies in the second that its bucket stands for, first and last millisecond alike', async () => {
  const ids = [0, 999, 1000, 1_795_375_000_000, 1_795_375_000_999, 2 ** 41].flatMap((milliseconds) => {
    const digits = milliseconds.toString(16).padStart(12, '0');
    return ['7000-8000-000000000000', '7fff-bfff-ffffffffffff'].map(
      (rest) => `${digits.slice(0, 8)}-${digits.slice(8)}-${rest}`,
    );
  });
  expect(await misplaced('id', 'uuid', 'id_bucket', secondsOf('id'), ids)).toEqual([]);
});
