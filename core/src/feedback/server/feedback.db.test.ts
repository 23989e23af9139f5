import { decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUser, createUsers, type TestUsers } from '../../../../tools/testing/users.ts';

const KEY = 'a-private-key-of-canny';

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  server = await startTestServer({ environment: { CANNY_PRIVATE_KEY: KEY, CANNY_BOARD_TOKEN: 'board-1' } });
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());

type As = NonNullable<Parameters<TestServer['call']>[2]>['as'];
const call = (method: string, path: string, body?: unknown, as: As = 'developer') =>
  server.call(method, path, { as, body });

const post = async (title: string, as: As = 'developer'): Promise<string> =>
  (await call('POST', '/feedback', { title }, as)).body.data._id;

const titlesOf = (body: { data: { attributes: { title: string } }[] }): string[] =>
  body.data.map(({ attributes }) => attributes.title);

test('who asks votes for it; others vote once and take it back; the most wanted comes first', async () => {
  const dark = await post('Darker dark mode');
  const light = await post('Lighter light mode', 'cyberoper');
  await post('Export as PDF');
  for (const voted of [true, true]) await call('PUT', `/feedback/${light}/vote`, { voted });
  const { body } = await call('PUT', `/feedback/${light}/vote`, { voted: true }, 'admin');
  expect(body.data.attributes).toMatchObject({ votes: 3, has_voted: true, is_removable: true, status: 'open' });
  const list = (await call('GET', '/feedback')).body;
  expect(titlesOf(list)).toEqual(['Lighter light mode', 'Export as PDF', 'Darker dark mode']);
  expect(list.meta.pagination.total).toBe(3);
  await call('PUT', `/feedback/${light}/vote`, { voted: false }, 'admin');
  await call('PUT', `/feedback/${light}/vote`, { voted: false });
  expect(titlesOf((await call('GET', '/feedback?sort=newest')).body)[0]).toBe('Export as PDF');
  expect(titlesOf((await call('GET', '/feedback?search=DARK')).body)).toEqual(['Darker dark mode']);
  expect(titlesOf((await call('GET', '/feedback?search=%25')).body)).toEqual([]);
  const own = (await call('GET', '/feedback?search=dark')).body.data[0];
  expect(own).toMatchObject({ _id: dark, attributes: { votes: 1, has_voted: true, is_removable: true } });
});

test('a wish is posted once, also by twenty at the same time', async () => {
  const people = await Promise.all(
    Array.from({ length: 20 }, () => createUser(server.scene.database, server.users.clientId, 'developer')),
  );
  const answers = await Promise.all(
    people.map(({ token }) => server.call('POST', '/feedback', { as: { token }, body: { title: 'Once only' } })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  expect((await call('POST', '/feedback', { title: '  once ONLY ' })).body.detail).toMatch(/Vote for that post/);
});

test.each([
  [{}],
  [{ title: 'ab' }],
  [{ title: '     ' }],
  [{ title: 'x'.repeat(121) }],
  [{ title: 'A title', details: 'x'.repeat(4001) }],
  [{ title: 'A title', status: 'done' }],
])('%j is no post', async (body) => {
  expect((await call('POST', '/feedback', body)).status).toBe(422);
});

test('another organisation sees, votes for and deletes nothing of it', async () => {
  const id = await post('Ours alone');
  const token = others.admin.token;
  expect((await server.call('GET', '/feedback', { as: { token } })).body.data).toEqual([]);
  expect((await server.call('PUT', `/feedback/${id}/vote`, { as: { token }, body: { voted: true } })).status).toBe(404);
  expect((await server.call('DELETE', `/feedback/${id}`, { as: { token } })).status).toBe(404);
});

test('who posted it, or an admin, deletes it; others are refused', async () => {
  const id = await post('To be deleted');
  expect((await call('DELETE', `/feedback/${id}`, undefined, 'cyberoper')).status).toBe(403);
  expect((await call('DELETE', `/feedback/${id}`)).body).toEqual({ success: true });
  expect((await call('DELETE', `/feedback/${id}`)).status).toBe(404);
  const second = await post('To be deleted by an admin');
  expect((await call('DELETE', `/feedback/${second}`, undefined, 'admin')).status).toBe(200);
});

test('a superadmin sees the posts of all organisations and answers; it is an entry of the audit log', async () => {
  const id = await post('Answer me');
  await server.call('POST', '/feedback', { as: { token: others.developer.token }, body: { title: 'Answer us' } });
  const all = (await call('GET', '/manage-feedback?search=answer', undefined, 'superadmin')).body;
  expect(titlesOf(all).toSorted()).toEqual(['Answer me', 'Answer us']);
  const { client } = all.data.find(({ _id }: { _id: string }) => _id === id).attributes;
  const path = `/manage-feedback/${client.client_id}/${id}`;
  const answered = await call('PUT', path, { status: 'done', answer: 'Since 2.1.' }, 'superadmin');
  expect(answered.body.data.attributes).toMatchObject({ status: 'done', answer: 'Since 2.1.', client });
  expect(titlesOf((await call('GET', '/feedback?search=answer')).body)).toEqual([]);
  const done = (await call('GET', '/feedback?status=done')).body.data;
  expect(done[0].attributes).toMatchObject({ title: 'Answer me', answer: 'Since 2.1.' });
  const { rows } = await server.scene.owner.query(
    "select subject, details from audit_entries where kind = 'superadmin.changed' and subject = 'Answer me'",
  );
  expect(rows).toEqual([
    { subject: 'Answer me', details: { organisation: client.name, status: 'done', answer: 'Since 2.1.' } },
  ]);
  expect(
    (await call('PUT', `/manage-feedback/${others.clientId}/${id}`, { status: 'open' }, 'superadmin')).status,
  ).toBe(404);
});

test('a person who is removed leaves their posts with their name, and their votes go', async () => {
  const { owner, database } = server.scene;
  const { token, id } = await createUser(database, server.users.clientId, 'developer');
  const { body } = await server.call('POST', '/feedback', { as: { token }, body: { title: 'Of somebody who leaves' } });
  const { name } = body.data.attributes.author;
  await owner.query('delete from users where id = $1', [id]);
  const [left] = (await call('GET', '/feedback?search=leaves')).body.data;
  expect(left.attributes).toMatchObject({ author: { user_id: null, name }, votes: 0 });
});

test('the token for Canny says who calls, signed by the key of the board', async () => {
  expect((await call('GET', '/feedback-options')).body.data).toEqual({
    canny: { script_url: 'https://canny.io/sdk.js', board_token: 'board-1' },
    measures_usage: false,
  });
  const { token } = (await call('POST', '/widget/generate-canny-token')).body.data;
  const { payload } = await jwtVerify(token, new TextEncoder().encode(KEY));
  expect(decodeProtectedHeader(token).alg).toBe('HS256');
  const { username, email, id } = server.users.developer;
  expect(payload).toEqual({ id, name: username, email });
});
