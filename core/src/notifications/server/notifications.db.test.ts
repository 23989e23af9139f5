import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUser, type TestUsers } from '../../../../tools/testing/users.ts';
import type { NotificationType } from '../model/notification-types.ts';
import { sendDigests } from './digest.ts';
import { notify } from './index.ts';

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  server = await startTestServer();
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate notifications, notification_preferences, mails'));

const PATH = '/client/notifications';
const notifyOne = ({ clientId, id }: TestUser, title: string, type: NotificationType = 'scan_finished') =>
  server.scene.database.forClient(clientId, (db) =>
    notify(db, { clientId, type, title, link: '/findings', to: { userIds: [id] } }),
  );

interface Item {
  _id: string;
  attributes: Record<string, unknown>;
}
const read = async (query = '', as: 'admin' | 'developer' = 'developer') =>
  (await server.call('GET', `${PATH}${query}`, { as })).body as {
    data: Item[];
    meta: { pagination: Record<string, number> };
  };
const titles = async (query = ''): Promise<unknown[]> =>
  (await read(query)).data.map(({ attributes }) => attributes['title']);

test('the unread ones of the caller, 50 a page, oldest id first', async () => {
  const { developer, admin } = server.users;
  for (let index = 0; index < 52; index += 1) await notifyOne(developer, `Notice ${index}`);
  await notifyOne(admin, 'For the admin');
  const { data, meta } = await read();
  expect(meta.pagination).toEqual({ page: 1, pageSize: 50, pageCount: 2, total: 52 });
  const ids = data.map(({ _id }) => _id);
  expect(ids).toEqual([...ids].sort());
  expect(data[0]?.attributes).toMatchObject({
    notification_type: 'scan_finished',
    status: 'unread',
    link: '/findings',
  });
  expect((await read('?pagination_page=2')).data).toHaveLength(2);
  expect((await read('?pagination_active=false')).data).toHaveLength(52);
  const newest = await read('?sort_field=_id&sort=desc&pagination_pageSize=1');
  expect(newest.data[0]?._id).toBe([...ids, ...(await read('?page=2')).data.map(({ _id }) => _id)].sort().at(-1));
});

test('filters by type and status, and answers only the fields that were asked for', async () => {
  const { developer } = server.users;
  await notifyOne(developer, 'Done');
  await notifyOne(developer, 'Failed', 'scan_failed');
  expect(await titles('?notification_type=scan_failed,kev_match')).toEqual(['Failed']);
  expect((await read('?fields=title,date')).data.map(({ attributes }) => Object.keys(attributes).sort())).toEqual([
    ['date', 'title'],
    ['date', 'title'],
  ]);
  expect(await titles('?status=read')).toEqual([]);
  expect((await server.call('GET', `${PATH}?notification_type=nothing`, { as: 'developer' })).status).toBe(422);
  expect((await server.call('GET', `${PATH}?sort_field=title`, { as: 'developer' })).status).toBe(422);
});

test('an updated or deleted one leaves the unread view', async () => {
  const { developer } = server.users;
  await notifyOne(developer, 'First');
  await notifyOne(developer, 'Second');
  const byTitle = new Map((await read()).data.map(({ _id, attributes }) => [attributes['title'], _id]));
  const first = `${PATH}/${byTitle.get('First')}`;
  const updated = await server.call('PUT', first, { as: 'developer', body: { status: 'read' } });
  expect(updated.body).toMatchObject({ success: true, data: { attributes: { title: 'First', status: 'read' } } });
  expect(await titles()).toEqual(['Second']);
  expect(await titles('?status=read')).toEqual(['First']);
  expect((await server.call('DELETE', `${PATH}/${byTitle.get('Second')}`, { as: 'developer' })).body.success).toBe(
    true,
  );
  expect(await titles('?status=all')).toEqual(['First']);
  await server.call('PUT', first, { as: 'developer', body: { status: 'unread' } });
  expect((await server.call('PUT', PATH, { as: 'developer', body: { status: 'read' } })).body.data.changed).toBe(1);
  expect(await titles()).toEqual([]);
});

test('nobody reads, changes or deletes the notifications of another person', async () => {
  await notifyOne(server.users.developer, 'Mine');
  const [mine] = (await read()).data;
  for (const as of ['admin', 'cyberoper', { token: others.admin.token }] as const) {
    expect((await server.call('PUT', `${PATH}/${mine?._id}`, { as, body: { status: 'read' } })).status).toBe(404);
    expect((await server.call('DELETE', `${PATH}/${mine?._id}`, { as })).status).toBe(404);
    expect((await server.call('PUT', PATH, { as, body: { status: 'read' } })).body.data.changed).toBe(0);
  }
  expect(await titles()).toEqual(['Mine']);
});

const written = (as: 'admin' | 'cyberoper', body: object) =>
  server.call('POST', PATH, {
    as,
    body: { user_id: server.users.developer.id, notification_type: 'finding_assigned', title: 'Look at this', ...body },
  });

test('an admin writes one for a person of their own organisation, with a link inside the application', async () => {
  expect((await written('admin', { link: '/findings/all?severity=high' })).status).toBe(201);
  expect(await titles()).toEqual(['Look at this']);
  expect((await written('cyberoper', {})).status).toBe(403);
  expect((await written('admin', { user_id: others.developer.id })).body.code).toBe('user_not_found');
  for (const link of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/a\nb']) {
    expect((await written('admin', { link })).status, link).toBe(422);
  }
  expect(await titles()).toEqual(['Look at this']);
});

test('a person chooses by type where notices reach them', async () => {
  const { developer } = server.users;
  const choose = (body: object) => server.call('PUT', '/client/notification-preferences', { as: 'developer', body });
  const preferences = async (as: 'developer' | 'admin') =>
    (await server.call('GET', '/client/notification-preferences', { as })).body.data as Record<string, unknown>[];
  expect(await preferences('developer')).toContainEqual({
    notification_type: 'scan_finished',
    in_app: true,
    email: 'off',
  });
  await choose({ notification_type: 'scan_finished', in_app: false });
  await choose({ notification_type: 'kev_match', email: 'daily' });
  await choose({ notification_type: 'kev_match', in_app: false });
  await choose({ notification_type: 'kev_match' });
  expect(await preferences('developer')).toEqual(
    expect.arrayContaining([
      { notification_type: 'scan_finished', in_app: false, email: 'off' },
      { notification_type: 'kev_match', in_app: false, email: 'daily' },
    ]),
  );
  expect((await preferences('admin')).every(({ in_app }) => in_app === true)).toBe(true);
  expect(await notifyOne(developer, 'Muted')).toBe(1);
  await notifyOne(developer, 'For the day', 'kev_match');
  await notifyOne(developer, 'Shown', 'scan_failed');
  expect(await titles('?status=all')).toEqual(['Shown']);
  const { rows } = await server.scene.owner.query(
    'select title, is_shown, is_digest_due from notifications order by title',
  );
  expect(rows).toEqual([
    { title: 'For the day', is_shown: false, is_digest_due: true },
    { title: 'Shown', is_shown: true, is_digest_due: false },
  ]);
});

const mails = async () =>
  (await server.scene.owner.query('select recipient, subject, content from mails order by created_at, subject')).rows;

test('who chose so is mailed at once, or once a day or week with all that came', async () => {
  const { developer } = server.users;
  const choose = (body: object) => server.call('PUT', '/client/notification-preferences', { as: 'developer', body });
  await choose({ notification_type: 'scan_failed', email: 'immediate' });
  await choose({ notification_type: 'kev_match', email: 'daily' });
  await choose({ notification_type: 'critical_found', email: 'daily', in_app: false });
  await choose({ notification_type: 'sla_due', email: 'weekly', in_app: false });
  await notifyOne(developer, 'It failed', 'scan_failed');
  expect(await mails()).toEqual([
    {
      recipient: developer.email,
      subject: 'It failed',
      content: { paragraphs: ['It failed'], link: { label: 'Open it', path: '/findings' } },
    },
  ]);
  await notifyOne(developer, 'Exploited', 'kev_match');
  await notifyOne(developer, 'Critical', 'critical_found');
  await notifyOne(developer, 'Due soon', 'sla_due');
  const { database } = server.scene;
  const counts = await Promise.all([sendDigests(database, 'day'), sendDigests(database, 'day')]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(2);
  const [digest, ...none] = (await mails()).filter(({ subject }) => subject === '2 notifications of the day');
  expect(none).toEqual([]);
  expect(digest).toMatchObject({
    recipient: developer.email,
    content: { link: { path: '/notifications?status=all' } },
  });
  expect([...digest.content.paragraphs].sort()).toEqual(['Critical', 'Exploited']);
  expect(await sendDigests(database, 'day')).toBe(0);
  expect(await sendDigests(database, 'week')).toBe(1);
  expect((await mails()).map(({ subject }) => subject)).toContain('1 notification of the week');
  expect(await sendDigests(database, 'week')).toBe(0);
  expect((await titles('?status=all')).sort()).toEqual(['Exploited', 'It failed']);
});
