import { createTestDatabase, type TestDatabase } from '@breakwater/tools/testing/database.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remindOfSetUp } from './remind-admins.ts';

let scene: TestDatabase;
let idle: TestUsers;
let busy: TestUsers;
let young: TestUsers;
beforeAll(async () => {
  scene = await createTestDatabase();
  [idle, busy, young] = [
    await createUsers(scene.database, 'Idle'),
    await createUsers(scene.database, 'Busy'),
    await createUsers(scene.database, 'Young'),
  ];
  const old = [idle.clientId, busy.clientId];
  await scene.owner.query(
    `update clients set account_setup_at = now() - interval '73 hours' where id = any($1::uuid[])`,
    [old],
  );
  await scene.owner.query(`insert into repositories (client_id, nickname, source_control) values ($1, 'shop', 'git')`, [
    busy.clientId,
  ]);
});
afterAll(() => scene.drop());

test('admins of an account without a repository are reminded once, three days after its set-up', async () => {
  const sent = await Promise.all([remindOfSetUp(scene.database), remindOfSetUp(scene.database)]);
  expect(sent.reduce((sum, count) => sum + count)).toBe(1);
  const { rows } = await scene.owner.query('select client_id, recipient, subject from mails');
  expect(rows).toEqual([
    { client_id: idle.clientId, recipient: idle.admin.email, subject: 'Idle has no findings yet' },
  ]);
  expect(await remindOfSetUp(scene.database)).toBe(0);
  const marked = await scene.owner.query('select id from clients where reminder_sent_at is not null');
  expect(marked.rows).toEqual([{ id: idle.clientId }]);
  expect(young.clientId).not.toBe(idle.clientId);
});
