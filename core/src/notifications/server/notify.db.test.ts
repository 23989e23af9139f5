import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { type Notice, notify } from './index.ts';

let scene: TestDatabase;
let ours: TestUsers;
let others: TestUsers;
beforeAll(async () => {
  scene = await createTestDatabase();
  ours = await createUsers(scene.database);
  others = await createUsers(scene.database);
});
afterAll(() => scene.drop());
beforeEach(() => scene.owner.query('truncate notifications'));

const notifyAll = (to: Notice['to']): Promise<number> =>
  scene.database.forClient(ours.clientId, (db) =>
    notify(db, { clientId: ours.clientId, type: 'scan_finished', title: 'Scan finished', link: '/findings', to }),
  );
const recipients = async (): Promise<string[]> =>
  (await scene.owner.query('select user_id from notifications order by user_id')).rows.map((row) => row.user_id);

test('all active users with the permission are notified', async () => {
  expect(await notifyAll({ permission: 'findings.triage' })).toBe(2);
  expect(await recipients()).toEqual([ours.admin.id, ours.cyberoper.id].sort());
});

test('named users are notified, those of other organisations are not', async () => {
  expect(await notifyAll({ userIds: [ours.cyberoper.id, others.admin.id] })).toBe(1);
  expect(await recipients()).toEqual([ours.cyberoper.id]);
});

test('nobody is notified where nobody is named or has the permission', async () => {
  expect(await notifyAll({ userIds: [] })).toBe(0);
  expect(await notifyAll({ permission: 'clients.manage' })).toBe(0);
  expect(await recipients()).toEqual([]);
});

test('what would turn the direction of the text is written as an escape', async () => {
  const notice = { clientId: ours.clientId, type: 'scan_failed', link: '/findings' } as const;
  await scene.database.forClient(ours.clientId, (db) =>
    notify(db, {
      ...notice,
      title: 'Import failed: shop\u202Egpj',
      message: 'At src/\u2066a',
      to: { userIds: [ours.admin.id] },
    }),
  );
  const { rows } = await scene.owner.query('select title, message from notifications');
  expect(rows).toEqual([{ title: 'Import failed: shop\\u202Egpj', message: 'At src/\\u2066a' }]);
});
