import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';

let it: TestDatabase;
beforeAll(async () => {
  it = await createTestDatabase();
});
afterAll(() => it.drop());

const NOBODY = '00000000-0000-7000-8000-000000000000';

test('a connection that breaks while a transaction rests between two queries fails that transaction, and nothing else', async () => {
  const broken = it.database.forClient(NOBODY, async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    await it.owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // Long enough for the news to arrive while no query waits for it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await sql`select 1`.execute(db);
  });
  await expect(broken).rejects.toThrow();
  await expect(it.database.ping()).resolves.toBeUndefined();
});
