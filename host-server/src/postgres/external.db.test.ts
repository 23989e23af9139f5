import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { checkExternalPostgres } from './external.ts';

let scene: TestDatabase;
beforeAll(async () => {
  scene = await createTestDatabase();
});
afterAll(() => scene.drop());

/** The same server, as another user or with another database. */
const urlWith = (user: string, database?: string): string => {
  const [, rest = ''] = scene.url.split('@', 2);
  const url = `postgresql://${user}@${rest}`;
  return database === undefined ? url : url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
};

test('the test server itself can be used', async () => {
  await expect(checkExternalPostgres(scene.url)).resolves.toBeUndefined();
});

test('a server that is not there is said in words, without the password', async () => {
  const checking = checkExternalPostgres('postgresql://user:hunter2@127.0.0.1:1/db');
  await expect(checking).rejects.toThrow('nothing answers at its address');
  await expect(checking).rejects.not.toThrow(/hunter2/);
});

test('a database that is not there is said in words', async () => {
  await expect(checkExternalPostgres(urlWith('breakwater', 'no_such_database'))).rejects.toThrow(
    'no database of that name',
  );
});

test('a user without rights learns what an administrator has to run', async () => {
  const user = `poor_${Date.now()}`;
  await scene.owner.query(`create role ${user} login`);
  try {
    await expect(checkExternalPostgres(urlWith(user))).rejects.toThrow(
      /grant breakwater_app to <user>.*may not create tables/s,
    );
  } finally {
    const owner = new pg.Client({ connectionString: scene.url });
    await owner.connect();
    await owner.query(`drop role ${user}`);
    await owner.end();
  }
});
