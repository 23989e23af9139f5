import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const create = (data: unknown[], extra: object = {}) =>
  server.call('POST', '/create_repository_with_list', { as: 'admin', body: { source_control: 'git', data, ...extra } });

test('a repository that is there is returned, not doubled, even by twenty at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => create([{ nickname: 'shop', url: 'https://git.example.test/shop.git' }])),
  );
  const ids = new Set(answers.map((answer) => answer.body.data[0]._id));
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect(ids.size).toBe(1);
  const upper = await create([{ nickname: 'another name', url: 'https://git.example.test/SHOP.git' }]);
  expect(ids.has(upper.body.data[0]._id)).toBe(true);
});

test('without an address the name decides, and a list keeps its order', async () => {
  const first = await create([
    { nickname: 'zebra', url: '' },
    { nickname: 'apple', url: '' },
  ]);
  expect(first.body.data.map((item: { attributes: { nickname: string } }) => item.attributes.nickname)).toEqual([
    'zebra',
    'apple',
  ]);
  const again = await create([{ nickname: 'apple', url: '' }]);
  expect(again.body.data[0]._id).toBe(first.body.data[1]._id);
});

test('what cannot be cloned is refused, with the place of each; nothing of the list is made', async () => {
  const answer = await create([
    { nickname: 'sound', url: 'https://git.example.test/sound.git' },
    { nickname: 'script', url: 'javascript:alert(1)' },
    { nickname: 'option', url: '--upload-pack=touch' },
    { nickname: 'secret', url: 'https://user:hunter2@git.example.test/secret.git' },
  ]);
  expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
  expect(answer.body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual(
    [1, 2, 3].map((index) => ['body', 'data', index, 'url']),
  );
  expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  const { body } = await server.call('GET', '/repositories?search=sound', { as: 'admin' });
  expect(body.meta.pagination.total).toBe(0);
});

test('folders of the server are refused while its operator allows none', async () => {
  const answer = await create([{ nickname: 'folder', url: '' }], { source_control: 'local' });
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'source_control']]);
  expect(answer.body.detail[0].msg).toContain('operator');
});

test('a repository whose latest import failed says so, until another one is imported', async () => {
  const made = await create([{ nickname: 'failing', url: '' }]);
  const id = made.body.data[0]._id;
  await server.scene.owner.query(`update repositories set status = 'enriched' where id = $1`, [id]);
  const ended = async (status: string) => {
    await server.scene.owner.query(
      `insert into scans (client_id, repository_id, requested_tool, status, finished_at) values ($1, $2, 'auto', $3, now())`,
      [server.users.clientId, id, status],
    );
    const { body } = await server.call('GET', '/repositories?search=failing', { as: 'admin' });
    return body.data[0].attributes;
  };
  expect(await ended('done')).toMatchObject({ status: 'enriched', import_failed_at: null });
  await ended('failed');
  expect(await ended('failed')).toMatchObject({ status: 'enriched', import_failed_at: expect.any(String) });
  // one that nobody let end, or that runs, says nothing of the state
  expect((await ended('cancelled')).import_failed_at).not.toBeNull();
  expect((await ended('queued')).import_failed_at).not.toBeNull();
  expect((await ended('incomplete')).import_failed_at).toBeNull();
});

test('search takes what people type as text', async () => {
  await create([{ nickname: '100%_real\\name', url: '' }]);
  for (const search of ['100%', '%_real', '\\name']) {
    const { body } = await server.call('GET', `/repositories?search=${encodeURIComponent(search)}`, { as: 'admin' });
    expect(body.data.map((item: { attributes: { nickname: string } }) => item.attributes.nickname)).toEqual([
      '100%_real\\name',
    ]);
  }
  const none = await server.call('GET', '/repositories?search=zz%25', { as: 'admin' });
  expect(none.body.meta.pagination.total).toBe(0);
});

test('a developer sees and counts only what they own', async () => {
  const { developer } = server.users;
  const mine = await create([{ nickname: 'mine', url: '', owner: developer.id }]);
  const theirs = await create([{ nickname: 'theirs', url: '' }]);
  const list = await server.call('GET', '/repositories', { as: 'developer' });
  expect(list.body.data.map((item: { _id: string }) => item._id)).toEqual([mine.body.data[0]._id]);
  expect(list.body.meta.pagination.total).toBe(1);
  const other = await server.call('GET', `/repositories/${theirs.body.data[0]._id}`, { as: 'developer' });
  expect([other.status, other.body.code]).toEqual([404, 'repository_not_found']);
});

test('another organisation neither reads, removes nor owns', async () => {
  const other = await createUsers(server.scene.database, 'Other');
  const made = await create([{ nickname: 'ours', url: '' }]);
  const id = made.body.data[0]._id;
  const token = { as: { token: other.admin.token } };
  expect((await server.call('GET', `/repositories/${id}`, token)).status).toBe(404);
  expect((await server.call('DELETE', `/repositories/${id}`, token)).status).toBe(404);
  expect((await server.call('GET', `/repositories/${id}`, { as: 'admin' })).status).toBe(200);
  const stolen = await create([{ nickname: 'with their owner', url: '', owner: other.developer.id }]);
  expect([stolen.status, stolen.body.detail[0].type]).toEqual([422, 'unknown_user']);
});

test('what does not belong into a repository is refused and changes nothing', async () => {
  const before = (await server.call('GET', '/repositories', { as: 'admin' })).body.meta.pagination.total;
  const issues = [
    { nickname: 'x', url: '', client_id: '00000000-0000-4000-8000-000000000000' },
    { nickname: '', url: '' },
    { nickname: ['x'], url: '' },
    { nickname: 'x', url: '', owner: 'nobody' },
  ];
  for (const issue of issues) expect((await create([issue])).status).toBe(422);
  expect((await create([])).status).toBe(422);
  const after = (await server.call('GET', '/repositories', { as: 'admin' })).body.meta.pagination.total;
  expect(after).toBe(before);
});
