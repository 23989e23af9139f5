import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heardBy } from '../../../../../tools/testing/heard-by.ts';
import { startTestServer, type TestRequest, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUser, createUsers, type TestUser } from '../../../../../tools/testing/users.ts';
import { MAX_STARRED_VIEWS } from '../../model/saved-filters.ts';
import { MAX_SHARED_FILTERS } from './stored-filters.ts';

type As = NonNullable<TestRequest['as']>;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate finding_view_settings, saved_finding_filters cascade'));

const call = (method: string, path: string, body?: unknown, as: As = 'developer') =>
  server.call(method, `/findings-filter/${path}`, { as, ...(body === undefined ? {} : { body }) });
const save = async (name: string, as: As = 'developer'): Promise<string> =>
  (await call('POST', 'save', { name, filters: [{ severity: 'critical' }] }, as)).body.data._id;
const share = (id: string, shared = true, as: As = 'developer') => call('PUT', 'share', { id, shared }, as);
const star = (id: string, starred = true, as: As = 'developer') => call('PUT', 'star', { id, starred }, as);
const update = (id: string, name: string, as: As) =>
  call('PUT', `x/update-activate?id=${id}`, { name, filters: [{ severity: 'low' }] }, as);
const list = async (as: As = 'developer') => (await call('GET', 'selected', undefined, as)).body.data;
const colleague = async (role: 'developer' | 'cyberoper' = 'developer'): Promise<TestUser> =>
  createUser(server.scene.database, server.users.clientId, role);
const sharedNotes = async (): Promise<unknown[]> =>
  (
    await server.scene.owner.query(
      `select subject, details ->> 'shared_view' as change from audit_entries where details ? 'shared_view' order by id`,
    )
  ).rows;

test('a shared view is there for everyone of the organisation, and for nobody else', async () => {
  const id = await save('Release');
  await save('Mine alone');
  const { token } = await colleague();
  expect(await list({ token })).toEqual([]);
  const shared = await share(id);
  expect(shared.body).toMatchObject({
    data: { _id: id, shared: true, own: true, editable: true },
    message: 'Everyone in the organisation sees this view now.',
  });
  const { username: owner } = server.users.developer;
  expect(await list({ token })).toEqual([
    {
      ...{ _id: id, name: 'Release', scope: 'app', active: false, filters: [{ severity: 'critical' }] },
      ...{ shared: true, starred: false, own: false, owner, editable: false },
    },
  ]);
  expect(await list('admin')).toMatchObject([{ own: false, editable: true }]);
  const elsewhere = await createUsers(server.scene.database, 'Another Organisation');
  const foreign = { token: elsewhere.admin.token };
  expect(await list(foreign)).toEqual([]);
  for (const answer of [
    await call('POST', 'activate', { id }, foreign),
    await star(id, true, foreign),
    await share(id, false, foreign),
    await update(id, 'Taken', foreign),
    await call('DELETE', 'delete', { id }, foreign),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([404, 'saved_filter_not_found']);
  }
  expect(await list()).toMatchObject([{ name: 'Mine alone' }, { name: 'Release', shared: true }]);
});

test('everybody hears of a shared view that changes, and only who it belongs to of one that nobody else sees', async () => {
  const own = await save('Mine alone');
  const changed = (count: number) => Array.from({ length: count }, () => ({ event: 'saved_view.changed', data: {} }));
  const unshared = async () => {
    await update(own, 'Mine still', 'developer');
    await star(own);
    await call('DELETE', 'delete', { id: own });
    await save('Mine');
  };
  expect(await heardBy(server, 'cyberoper', unshared)).toEqual([]);
  const again = await save('Mine alone');
  const id = await save('Release');
  const shared = async () => {
    await share(id);
    // nothing is changed by saying it again
    await share(id);
    await update(id, 'Release 2', 'admin');
    await share(id, false);
  };
  expect(await heardBy(server, 'cyberoper', shared)).toEqual(changed(3));
  expect(await heardBy(server, 'developer', () => star(again))).toEqual(changed(1));
  await share(id);
  expect(await heardBy(server, 'admin', () => call('DELETE', 'delete', { id }))).toEqual(changed(1));
});

test('which view is active and which have a star is each person’s own', async () => {
  const id = await save('Release');
  await share(id);
  const { token } = await colleague();
  const own = await save('Own', { token });
  await call('POST', 'activate', { id });
  await star(own, true, { token });
  expect(await list()).toMatchObject([{ _id: id, active: true, starred: false }]);
  expect(await list({ token })).toMatchObject([
    { _id: own, active: false, starred: true },
    { _id: id, active: false, starred: false },
  ]);
  await call('POST', 'activate', { id: own }, { token });
  await call('POST', 'activate', { id }, { token });
  await star(id, true, { token });
  expect(await list({ token })).toMatchObject([
    { _id: own, active: false },
    { _id: id, active: true, starred: true },
  ]);
  await star(id, false, { token });
  expect((await list({ token }))[1]).toMatchObject({ active: true, starred: false });
});

test('its owner and admins change, delete and take it back; the audit log says so, of private views nothing', async () => {
  const before = (await sharedNotes()).length;
  const id = await save('Release');
  const operator: As = { token: (await colleague('cyberoper')).token };
  expect((await share(id, true, 'admin')).status).toBe(404);
  await share(id);
  await share(id);
  for (const answer of [
    await update(id, 'Taken', operator),
    await share(id, false, operator),
    await call('DELETE', 'delete', { id }, operator),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  }
  expect((await update(id, 'Next release', 'admin')).body).toMatchObject({
    data: { _id: id, name: 'Next release', active: true, own: false, owner: server.users.developer.username },
    message: 'Success update filter findings!',
  });
  expect(await list()).toMatchObject([{ name: 'Next release', active: false, filters: [{ severity: 'low' }] }]);
  await save('Other');
  expect((await update(id, 'OTHER', 'admin')).status).toBe(409);
  await call('POST', 'activate', { id }, operator);
  const taken = await share(id, false, 'admin');
  expect(taken.body).toMatchObject({ data: { shared: false }, message: 'Only its owner sees this view now.' });
  await share(id);
  expect(await list(operator)).toMatchObject([{ _id: id, active: false }]);
  expect((await call('DELETE', 'delete', { id }, 'admin')).status).toBe(200);
  expect(await list()).toMatchObject([{ name: 'Other' }]);
  expect((await sharedNotes()).slice(before)).toEqual([
    { subject: 'Release', change: 'shared' },
    { subject: 'Release', change: 'changed' },
    { subject: 'Next release', change: 'no longer shared' },
    { subject: 'Next release', change: 'shared' },
    { subject: 'Next release', change: 'deleted' },
  ]);
});

test('the shared views of who leaves go to another one or keep the name of who left; private ones go', async () => {
  const [heirless, leaver, heir] = [await colleague(), await colleague(), await colleague()];
  const kept = await save('Kept', { token: heirless.token });
  const given = await save('Given', { token: leaver.token });
  const double = await save('Double', { token: leaver.token });
  const own = await save('double', { token: heir.token });
  for (const [id, { token }] of [
    [kept, heirless],
    [given, leaver],
    [double, leaver],
  ] as const) {
    await share(id, true, { token });
  }
  await save('Private', { token: leaver.token });
  const remove = (id: string, query = '') => server.call('DELETE', `/team/${id}${query}`, { as: 'admin' });
  expect((await remove(heirless.id)).status).toBe(200);
  expect((await remove(leaver.id, `?hand_over_to=${heir.id}`)).status).toBe(200);
  expect(await list({ token: heir.token })).toMatchObject([
    { _id: own, own: true },
    { _id: given, own: true, owner: heir.username },
    { _id: double, own: false, owner: expect.stringContaining(leaver.username) },
    { _id: kept, own: false, owner: expect.stringContaining(heirless.username), editable: false },
  ]);
  expect((await list('admin')).map(({ editable }: { editable: boolean }) => editable)).toEqual([true, true, true]);
  const { rows } = await server.scene.owner.query('select name from saved_finding_filters where name = $1', [
    'Private',
  ]);
  expect(rows).toEqual([]);
});

test('there is an end to shared views and to stars', async () => {
  const { clientId, admin, developer } = server.users;
  const add = (user: string, count: number, isShared: boolean) =>
    server.scene.owner.query(
      `insert into saved_finding_filters (client_id, user_id, scope, name, filters, is_shared)
       select $1, $2, 'app', 'n' || n, '[]', $4 from generate_series(1, $3) n returning id`,
      [clientId, user, count, isShared],
    );
  const { rows } = await add(admin.id, MAX_SHARED_FILTERS, true);
  const id = await save('One more');
  expect((await share(id)).status).toBe(409);
  await share(rows[0].id, false, 'admin');
  expect((await share(id)).status).toBe(200);
  for (const { id: shared } of rows.slice(1, MAX_STARRED_VIEWS + 1)) expect((await star(shared)).status).toBe(200);
  expect((await star(id)).status).toBe(409);
  expect((await star(rows[1].id)).status).toBe(200);
  await star(rows[1].id, false);
  expect((await star(id)).status).toBe(200);
  await add(developer.id, 150, false);
  expect(await list()).toHaveLength(150 + MAX_SHARED_FILTERS);
});

test('shared, starred, taken back and deleted by many at once: nothing fails but what is gone', async () => {
  const id = await save('Busy');
  await share(id);
  const people = await Promise.all(Array.from({ length: 4 }, () => colleague()));
  await Promise.all(people.map(({ token }) => call('POST', 'activate', { id }, { token })));
  const answers = await Promise.all([
    ...people.map(({ token }) => call('POST', 'activate', { id }, { token })),
    ...people.map(({ token }) => star(id, true, { token })),
    share(id, false),
    share(id),
    call('DELETE', 'delete', { id }, 'admin'),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).toEqual([]);
});

test.each([
  ['share', {}],
  ['share', { id: 'x', shared: true }],
  ['share', { id: '0191c2e0-7b1a-7000-8000-00000000000a', shared: 'yes' }],
  ['star', { id: '0191c2e0-7b1a-7000-8000-00000000000a' }],
  ['star', { id: '0191c2e0-7b1a-7000-8000-00000000000a', starred: true, more: 1 }],
])('PUT %s %j is refused', async (path, body) => {
  expect((await call('PUT', path, body)).status).toBe(422);
});
