import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUser, createUsers, type TestUser } from '../../../../tools/testing/users.ts';

let server: TestServer;
let second: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  second = await createUser(server.scene.database, server.users.clientId, 'developer');
  await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());

const ids = (answer: { body: { data: { _id: string }[] } }): string[] => answer.body.data.map((item) => item._id);

test('lists the developers of the own organisation, and nobody else', async () => {
  const answer = await server.call('GET', '/users-developer', { as: 'cyberoper' });
  expect(ids(answer).sort()).toEqual([server.users.developer.id, second.id].sort());
  expect(answer.body.data[0].attributes).toMatchObject({ role: 'developer', status: 'active' });
  expect(JSON.stringify(answer.body)).not.toMatch(/password|argon2/);
  expect(answer.body.meta.pagination).toEqual({ page: 1, pageSize: 50, pageCount: 1, total: 2 });
});

test('a developer sees names without e-mails, and cannot search by them', async () => {
  const { body } = await server.call('GET', '/users-developer', { as: 'developer' });
  expect(body.data.map(({ attributes }: { attributes: { email: unknown } }) => attributes.email)).toEqual([null, null]);
  expect(JSON.stringify(body)).not.toContain('@');
  const search = encodeURIComponent(second.email);
  expect(ids(await server.call('GET', `/users-developer?search=${search}`, { as: 'developer' }))).toEqual([]);
  expect(ids(await server.call('GET', `/users-developer?search=${search}`, { as: 'cyberoper' }))).toEqual([second.id]);
});

test('search takes signs literally; pages count also beyond the end', async () => {
  expect(
    ids(await server.call('GET', `/users-developer?search=${second.username.toUpperCase()}`, { as: 'admin' })),
  ).toEqual([second.id]);
  expect(ids(await server.call('GET', '/users-developer?search=%25', { as: 'admin' }))).toEqual([]);
  const beyond = await server.call('GET', '/users-developer?page=9&pagination_pageSize=1', { as: 'admin' });
  expect(beyond.body).toEqual({ data: [], meta: { pagination: { page: 9, pageSize: 1, pageCount: 2, total: 2 } } });
});
