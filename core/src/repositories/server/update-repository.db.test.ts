import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const create = async (nickname: string, extra: object = {}): Promise<string> => {
  const { body } = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname, url: '', ...extra }] },
  });
  return body.data[0]._id;
};
const change = (id: string, body: object, as: 'admin' | 'cyberoper' | 'developer' = 'admin') =>
  server.call('PUT', `/repositories/${id}`, { as, body });
const history = async (id: string) =>
  (await server.call('GET', `/repositories/${id}/history`, { as: 'admin' })).body.data;
const names = async (query: string) => {
  const { body } = await server.call('GET', `/repositories?${query}`, { as: 'admin' });
  return body.data.map((item: { attributes: { nickname: string } }) => item.attributes.nickname);
};

test('what is set is answered and written into the history; the same again changes nothing', async () => {
  const { admin, developer } = server.users;
  const id = await create('settings');
  const all = {
    ...{
      nickname: 'settings 2',
      repository_branch: 'develop',
      owner: developer.id,
      tags: [' payments ', 'payments', 'eu'],
    },
    ...{ exposure: 'internet', data_class: 'sensitive', schedule: 'weekly' },
  };
  const changed = await change(id, all);
  expect(changed.status).toBe(200);
  expect(changed.body.data.attributes).toMatchObject({ ...all, tags: ['payments', 'eu'] });
  const events = await history(id);
  expect(events.map(({ field, from, to, by }: Record<string, string>) => [field, from, to, by])).toEqual(
    [
      ['added', null, 'settings', admin.username],
      ['nickname', 'settings', 'settings 2', admin.username],
      ['repository_branch', 'main', 'develop', admin.username],
      ['owner', null, developer.username, admin.username],
      ['tags', null, 'payments, eu', admin.username],
      ['exposure', 'unknown', 'internet', admin.username],
      ['data_class', 'unknown', 'sensitive', admin.username],
      ['schedule', null, 'weekly', admin.username],
    ].reverse(),
  );
  expect((await change(id, { ...all, tags: ['payments', 'eu'] })).status).toBe(200);
  expect((await history(id)).length).toBe(events.length);
  expect((await change(id, { owner: null, schedule: null, tags: [] })).body.data.attributes).toMatchObject({
    ...{ owner: null, schedule: null, tags: [] },
  });
});

test('who may change what', async () => {
  const id = await create('roles', { owner: server.users.developer.id });
  expect((await change(id, { exposure: 'internal' }, 'developer')).status).toBe(403);
  expect((await change(id, { exposure: 'internal' }, 'cyberoper')).status).toBe(200);
  const refused = await change(id, { schedule: 'weekly', tags: ['x'] }, 'cyberoper');
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  const { body } = await server.call('GET', `/repositories/${id}`, { as: 'developer' });
  expect(body.data.attributes).toMatchObject({ exposure: 'internal', tags: [], schedule: null });
  expect((await server.call('GET', `/repositories/${id}/history`, { as: 'developer' })).body.data.length).toBe(2);
});

test('another organisation changes and reads nothing of it', async () => {
  const other = await createUsers(server.scene.database, 'Other');
  const id = await create('ours');
  const as = { token: other.admin.token };
  expect((await server.call('PUT', `/repositories/${id}`, { as, body: { nickname: 'theirs' } })).status).toBe(404);
  for (const what of ['history', 'branches']) {
    expect((await server.call('GET', `/repositories/${id}/${what}`, { as })).status).toBe(404);
  }
  const owner = await change(id, { owner: other.admin.id });
  expect([owner.status, owner.body.detail[0].type]).toEqual([422, 'unknown_user']);
});

test('a name that is taken and a branch that has findings of its own are refused, and nothing else is changed', async () => {
  await create('taken');
  const id = await create('free');
  const taken = await change(id, { nickname: 'TAKEN', exposure: 'internet' });
  expect([taken.status, taken.body.detail]).toEqual([409, 'There is a repository "TAKEN" already.']);
  await server.scene.owner.query(
    `insert into repository_branches (client_id, repository_id, name) values ($1, $2, 'release')`,
    [server.users.clientId, id],
  );
  const branch = await change(id, { repository_branch: 'release', exposure: 'internet' });
  expect([branch.status, branch.body.code]).toEqual([409, 'conflict']);
  const { body } = await server.call('GET', `/repositories/${id}/branches`, { as: 'admin' });
  expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
    { name: 'main', is_default: true },
    { name: 'release', is_default: false, last_scan: null },
  ]);
  expect((await server.call('GET', `/repositories/${id}`, { as: 'admin' })).body.data.attributes.exposure).toBe(
    'unknown',
  );
});

test('control characters, turned text and unknown fields are refused', async () => {
  const id = await create('clean');
  for (const body of [
    { nickname: 'a\u0000b' },
    { nickname: '\u202egnp' },
    { nickname: '  ' },
    { tags: ['line\nbreak'] },
    { tags: ['x'.repeat(101)] },
    { repository_branch: 'a\u0007' },
    { exposure: 'public' },
    { schedule: 'hourly' },
    { url: 'https://git.example.test/x.git' },
    { client_id: server.users.clientId },
  ]) {
    expect([body, (await change(id, body)).status]).toEqual([body, 422]);
  }
});

test('tags with commas, quotes and formulas are listed, filtered and written into CSV as they are', async () => {
  const long = `${'long, "quoted" '.repeat(6)}end`.padEnd(100, '!');
  const formula = '=HYPERLINK("https://evil.example.test")';
  await create('tagged one', { tags: [long, 'shared'] });
  await create('=1+1', { tags: [formula, 'shared'] });
  await create('untagged');
  const { body } = await server.call('GET', '/repo_tags', { as: 'admin' });
  const counts = new Map(
    body.data.map((row: { _id: string; attributes: { count: number } }) => [row._id, row.attributes.count]),
  );
  expect([counts.get(long), counts.get(formula), counts.get('shared')]).toEqual([1, 1, 2]);
  expect(await names(`filters[tags][]=${encodeURIComponent(long)}`)).toEqual(['tagged one']);
  expect(await names('filters[tags]=shared')).toEqual(['=1+1', 'tagged one']);
  expect(
    await names(`filters[tags][]=${encodeURIComponent(formula)}&filters[tags][]=${encodeURIComponent(long)}`),
  ).toHaveLength(2);
  const file = await server.call('POST', '/download_csv_repos?filters[tags]=shared', { as: 'admin' });
  expect(file.headers.get('content-disposition')).toContain('repositories-');
  const lines = String(file.body).replace('\ufeff', '').trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^'=1\+1,git,main,,queued,,"'=HYPERLINK\(""https/);
  expect(lines[2]).toContain(`"${long.replaceAll('"', '""')}, shared"`);
});

test('owners are named, and the list is narrowed and sorted by them', async () => {
  const { admin, developer } = server.users;
  const [own, its] = [await create('owned 1', { owner: admin.id }), await create('owned 2', { owner: developer.id })];
  await create('owned 3');
  const { body } = await server.call('GET', `/repositories/${its}`, { as: 'developer' });
  expect(body.data.attributes).toMatchObject({ owner: developer.id, owner_name: developer.username });
  expect(await names(`search=owned&filters[owner]=${admin.id},${developer.id}`)).toEqual(['owned 1', 'owned 2']);
  const isAdminFirst = admin.username.toLowerCase() < developer.username.toLowerCase();
  const sorted = isAdminFirst ? ['owned 1', 'owned 2'] : ['owned 2', 'owned 1'];
  expect(await names('search=owned&sort_field=owner')).toEqual([...sorted, 'owned 3']);
  expect(await names('search=owned&sort_field=owner&sort=desc')).toEqual([...sorted.toReversed(), 'owned 3']);
  await change(own, { owner: null });
  expect(await names(`search=owned&filters[owner]=${admin.id}`)).toEqual([]);
});

test('a developer exports and finds tags of only what is theirs', async () => {
  await create('mine', { owner: server.users.developer.id, tags: ['mine-tag'] });
  const tags = (await server.call('GET', '/repo_tags', { as: 'developer' })).body.data.map(
    ({ _id }: { _id: string }) => _id,
  );
  expect(tags).toEqual(['mine-tag']);
  const file = await server.call('POST', '/download_csv_repos', { as: 'developer' });
  expect(String(file.body)).not.toContain('untagged');
});

test('10,000 repositories are listed, without pages too', async () => {
  const { clientId } = server.users;
  await server.scene.owner.query(
    `insert into repositories (client_id, nickname, url, source_control, tags)
     select $1, 'bulk ' || n, 'https://git.example.test/' || n || '.git', 'gitlab', array['bulk'] from generate_series(1, 10000) n`,
    [clientId],
  );
  const all = await server.call('GET', '/repositories?pagination=false&filters[source_control]=gitlab', {
    as: 'admin',
  });
  expect([all.status, all.body.data.length]).toEqual([200, 10_000]);
  const last = await server.call(
    'GET',
    '/repositories?filters[tags]=bulk&pagination[page]=200&pagination[pageSize]=50',
    { as: 'admin' },
  );
  expect([last.body.data.length, last.body.meta.pagination.total]).toEqual([50, 10_000]);
  const file = await server.call('POST', '/download_csv_repos?filters[tags]=bulk', { as: 'admin' });
  expect(String(file.body).split('\r\n')).toHaveLength(10_002);
});

test('a repository that is deleted while it is changed answers that it is gone', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await create(`going ${round}`);
    const [changed, removed] = await Promise.all([
      change(id, { exposure: 'internet' }),
      server.call('DELETE', `/repositories/${id}`, { as: 'admin' }),
    ]);
    expect([200, 404]).toContain(changed.status);
    expect(removed.status).toBe(200);
    expect((await server.call('GET', `/repositories/${id}`, { as: 'admin' })).status).toBe(404);
  }
});
