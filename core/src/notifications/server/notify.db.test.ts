import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { say, sayCount } from '../../platform/model/sentence.ts';
import { sendDigests } from './digest.ts';
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

test('a large organisation is told, though no message of the database holds so many ids', async () => {
  await scene.owner.query(
    `insert into users (client_id, email, username, password_hash, role)
     select $1, 'crew-' || n || '@example.test', 'crew-' || n, '', 'cyberoper' from generate_series(1, 400) n`,
    [ours.clientId],
  );
  try {
    expect(await notifyAll({ permission: 'findings.triage' })).toBe(402);
    expect(await recipients()).toHaveLength(402);
  } finally {
    await scene.owner.query(`delete from users where username like 'crew-%'`);
  }
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

describe('a notice in the language of its reader', () => {
  const notice = {
    type: 'sla_due',
    title: sayCount(3, '{count} finding of yours: {parts}', '{count} findings of yours: {parts}', {
      parts: [say('{count} overdue', { count: 3 })],
    }),
    message: say('It is refused from {moment} on. Make a new one and give it to whatever calls with it.', {
      moment: { at: '2026-11-24T12:30:00Z' },
    }),
  } as const;
  const tell = (said: Pick<Notice, 'title' | 'message'>) =>
    scene.database.forClient(ours.clientId, (db) =>
      notify(db, { clientId: ours.clientId, type: 'sla_due', to: { userIds: [ours.admin.id] }, ...said }),
    );

  test('keeps text and values beside the English text', async () => {
    await tell(notice);
    const { rows } = await scene.owner.query('select title, message, said from notifications');
    expect(rows).toEqual([
      {
        title: '3 findings of yours: 3 overdue',
        message: 'It is refused from 2026-11-24 12:30 UTC on. Make a new one and give it to whatever calls with it.',
        said: { title: notice.title, message: notice.message },
      },
    ]);
  });

  test('keeps nothing beside what a person wrote', async () => {
    await tell({ title: 'All notifications', message: 'Sign in' });
    expect((await scene.owner.query('select title, said from notifications')).rows).toEqual([
      { title: 'All notifications', said: null },
    ]);
  });

  test('values turn no direction and hold nothing that cannot be stored', async () => {
    await tell({ title: say('Import failed: {what}', { what: 'shop\u202Egpj\0' }) });
    expect((await scene.owner.query("select said->'title'->'values' as values from notifications")).rows).toEqual([
      { values: { what: 'shop\\u202Egpj' } },
    ]);
  });

  test('is mailed in German and in their time zone, at once and as a digest', async () => {
    await scene.owner.query("update users set language = 'de', time_zone = 'Pacific/Auckland' where id = $1", [
      ours.admin.id,
    ]);
    const choose = (email: string) =>
      scene.owner.query(
        `insert into notification_preferences (client_id, user_id, notification_type, in_app, email)
         values ($1, $2, 'sla_due', true, $3) on conflict (client_id, user_id, notification_type) do update set email = $3`,
        [ours.clientId, ours.admin.id, email],
      );
    const mails = async () =>
      (await scene.owner.query('select subject, content from mails order by id')).rows.map(({ subject, content }) => ({
        subject,
        paragraphs: content.paragraphs,
        label: content.link.label,
      }));
    await choose('immediate');
    await tell(notice);
    await choose('daily');
    await tell(notice);
    await scene.owner.query('update notifications set is_digest_due = false where not is_digest_due');
    expect(await sendDigests(scene.database, 'day')).toBe(1);
    expect(await mails()).toEqual([
      {
        subject: '3 Ihrer Befunde: 3 überfällig',
        paragraphs: [expect.stringMatching(/^Ab 25\.11\.2026, 01:30:00 .* wird es abgelehnt\. Erstellen Sie/)],
        label: 'Öffnen',
      },
      {
        subject: '1 Benachrichtigung des Tages',
        paragraphs: ['3 Ihrer Befunde: 3 überfällig'],
        label: 'Alle Benachrichtigungen',
      },
    ]);
  });
});
