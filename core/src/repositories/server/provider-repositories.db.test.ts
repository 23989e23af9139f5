import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';
import type { ServiceAnswer, ServiceRequest } from '../../testing/connectors/fake-service.ts';

interface Listed {
  id: number;
  full_name: string;
  clone_url?: string;
  html_url?: string;
  archived?: boolean;
  default_branch?: string;
}

let scene: ConnectorScene;
let repositories: Listed[] = [];
/** Answers a page with this instead. */
let fault: ((page: number) => ServiceAnswer | undefined) | undefined;

const PAGE = 50;

/** Gitea 1.22 as far as lists go: at most 50 rows a page, with the total. Source: its API document. */
const gitea = ({ path }: ServiceRequest): ServiceAnswer => {
  const { pathname, searchParams } = new URL(path, 'http://gitea.invalid');
  if (pathname === '/api/v1/user') return { body: { id: 7, login: 'gopher' } };
  if (pathname === '/api/v1/repositories/1') return { body: withAddress({ id: 1, full_name: 'acme/repo-1' }) };
  if (pathname === '/api/v1/repos/acme/repo-1/branches') {
    const rows = searchParams.get('page') === '1' ? ['main', 'feature/a b', 'evil\u202ename'] : [];
    return { body: rows.map((name) => ({ name, commit: { id: 'a'.repeat(40) }, protected: name === 'main' })) };
  }
  const page = Number(searchParams.get('page') ?? 1);
  const instead = fault?.(page);
  if (instead !== undefined) return instead;
  const data = repositories.slice((page - 1) * PAGE, page * PAGE).map(withAddress);
  return { body: { ok: true, data }, headers: { 'x-total-count': String(repositories.length) } };
};

const withAddress = (repository: Listed) => ({
  html_url: `https://gitea.example.test/${repository.full_name}`,
  clone_url: `https://gitea.example.test/${repository.full_name}.git`,
  default_branch: 'main',
  ...repository,
});

const some = (count: number): Listed[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, full_name: `acme/repo-${index + 1}` }));

beforeAll(async () => {
  scene = await startConnectorScene();
  scene.service.behave(gitea);
  const address = { protocol: 'http', hosted_domain: '127.0.0.1', port: scene.service.port };
  const saved = await scene.save('gitea', { oauth_token: 'gitea-token-1', ...address });
  expect(saved.body.data.attributes.state).toBe('connected');
});
afterAll(() => scene.close());

const list = async () => {
  const { status, body } = await scene.server.call('GET', '/sources_control/gitea/repositories', { as: 'cyberoper' });
  return { status, body };
};

const create = (data: object[], as: 'admin' | 'cyberoper' = 'admin') =>
  scene.server.call('POST', '/create_repository_with_list', { as, body: { source_control: 'gitea', data } });

/** As the screen imports what was listed. */
const toImport = ({ _id, attributes }: { _id: string; attributes: { name: string; url: string } }) => ({
  nickname: attributes.name,
  url: attributes.url,
  external_id: _id,
  repository_branch: 'main',
});

test('250 repositories over five pages are listed, imported by two people at once, and then known', async () => {
  repositories = some(250);
  const listed = await list();
  expect([listed.status, listed.body.data.length, listed.body.meta.problem]).toEqual([200, 250, null]);
  const data = listed.body.data.map(toImport);
  const answers = await Promise.all([
    create(data),
    create([...data].reverse(), 'cyberoper'),
    create(data, 'cyberoper'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [{ count } = { count: 0 }] = await scene.rows<{ count: number }>(
    `select count(*)::integer as count from repositories where source_control = 'gitea'`,
  );
  expect(count).toBe(250);
  const again = await list();
  const known = again.body.data.filter(
    (row: { attributes: { repository_id: string | null } }) => row.attributes.repository_id,
  );
  expect(known.length).toBe(250);
});

test('a repository that was renamed at its provider is the same one, with its new address', async () => {
  repositories = [{ id: 9001, full_name: 'acme/before' }];
  const before = await create([toImport((await list()).body.data[0])]);
  repositories = [{ id: 9001, full_name: 'acme/after' }];
  const listed = await list();
  expect(listed.body.data[0].attributes.repository_id).toBe(before.body.data[0]._id);
  const after = await create([toImport(listed.body.data[0])]);
  expect(after.body.data[0]._id).toBe(before.body.data[0]._id);
  expect(after.body.data[0].attributes).toMatchObject({
    nickname: 'acme/before',
    url: 'https://gitea.example.test/acme/after.git',
  });
});

test('what a provider says is judged like what people type', async () => {
  repositories = [
    { id: 1, full_name: 'acme/\u0007bell' },
    { id: 2, full_name: 'acme/\u202egnp.exe' },
    { id: 3, full_name: 'acme/script', clone_url: 'javascript:alert(1)', html_url: 'javascript:alert(1)' },
    { id: 4, full_name: 'acme/option', clone_url: '--upload-pack=touch' },
    { id: 5, full_name: 'acme/secret', clone_url: 'https://user:hunter2@gitea.example.test/acme/secret.git' },
    { id: 6, full_name: `acme/${'x'.repeat(300)}` },
    { id: 7, full_name: 'acme/sound', archived: true },
    { id: 7, full_name: 'acme/sound', archived: true },
  ];
  const { body } = await list();
  expect(body.data.map((row: { attributes: { problem: string | null } }) => row.attributes.problem === null)).toEqual([
    ...Array.from({ length: 6 }, () => false),
    true,
  ]);
  expect(JSON.stringify(body)).not.toContain('hunter2');
  expect(JSON.stringify(body)).not.toContain('javascript:');
  expect(body.data[1].attributes.name).toContain('\\u202E');
  expect(body.data[6].attributes).toMatchObject({ is_archived: true, default_branch: 'main' });
  // a client that imports them nevertheless
  const refused = await create([{ nickname: 'acme/\u0007bell', url: '', external_id: '1' }]);
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'data', 0, 'nickname']]);
});

test('what came before the provider failed is listed with the reason; where nothing came it is refused', async () => {
  repositories = some(120);
  fault = (page) => (page === 3 ? { status: 500, body: { message: 'broken' } } : undefined);
  const partial = await list();
  expect([partial.status, partial.body.data.length]).toEqual([200, 100]);
  expect(partial.body.meta.problem).toContain('Gitea');
  fault = () => ({ status: 500, body: {} });
  const none = await list();
  fault = undefined;
  expect([none.status, none.body.code]).toEqual([409, 'upstream_failed']);
});

test('branches are those that can be named here', async () => {
  const call = (repository: string) =>
    scene.server.call('GET', `/sources_control/gitea/branches?repository=${encodeURIComponent(repository)}`, {
      as: 'admin',
    });
  expect((await call('1')).body.data).toEqual([
    { name: 'main', is_protected: true },
    { name: 'feature/a b', is_protected: false },
  ]);
  expect((await call('../../user')).status).toBe(409);
});

test('source controls say how they stand; those without an account are named by address', async () => {
  const { body } = await scene.server.call('GET', '/sources_control', { as: 'developer' });
  const of = (id: string) => body.data.find((row: { _id: string }) => row._id === id).attributes;
  expect(of('gitea')).toMatchObject({ title: 'Gitea', is_connected: true, has_account: true, problem: null, count: 0 });
  expect(of('github')).toMatchObject({ is_connected: false, problem: 'GitHub is not connected yet.' });
  expect(of('git')).toMatchObject({ is_connected: false, has_account: false, problem: null });
  expect(of('local').problem).not.toBeNull();
  const unlisted = await scene.server.call('GET', '/sources_control/git/repositories', { as: 'admin' });
  expect([unlisted.status, unlisted.body.code]).toEqual([409, 'conflict']);
  const closed = await scene.server.call('GET', '/sources_control/github/repositories', { as: 'admin' });
  expect([closed.status, closed.body.code]).toEqual([409, 'integration_not_configured']);
  expect((await scene.server.call('GET', '/sources_control/gitea/repositories', { as: 'developer' })).status).toBe(403);
});

test('a body that names owner/repo gets the id and address of the provider, by one listing', async () => {
  repositories = some(60).map((one) => ({ ...one, id: one.id + 900, full_name: `Named/Repo-${one.id}` }));
  const listings = () => scene.service.requests.filter(({ path }) => path.includes('/repos/search')).length;
  const before = listings();
  const { status, body } = await create([
    { nickname: 'a', url: 'named/repo-3' },
    { nickname: 'b', url: 'Named/Repo-4', repository_branch: 'next' },
    { nickname: 'c', url: 'named/repo-3' },
  ]);
  expect(status, JSON.stringify(body)).toBe(200);
  // of two pages the first is enough
  expect(listings() - before).toBe(1);
  expect(body.data[0]._id).toBe(body.data[2]._id);
  expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
    { nickname: 'a', url: 'https://gitea.example.test/Named/Repo-3.git', repository_branch: 'main' },
    { url: 'https://gitea.example.test/Named/Repo-4.git', repository_branch: 'next' },
    { nickname: 'a' },
  ]);
  const ids = await scene.rows(`select external_id from repositories where nickname in ('a', 'b') order by 1`);
  expect(ids).toEqual([{ external_id: '903' }, { external_id: '904' }]);
});

test('a name that the connection does not see is refused, and nothing is added', async () => {
  repositories = some(3);
  const count = () => scene.rows('select count(*) from repositories');
  const before = await count();
  const refused = await create([
    { nickname: 'seen', url: 'acme/repo-2' },
    { nickname: 'unseen', url: 'acme/none' },
  ]);
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain('sees no repository \\"acme/none\\"');
  expect((await create([{ nickname: 'x', url: '../../etc' }])).status).toBe(422);
  expect(await count()).toEqual(before);
});

test('what a provider says of a named repository is judged like what a person types', async () => {
  const [one] = some(1);
  repositories = [
    { ...one, id: 951, full_name: 'acme/branch', default_branch: `b${'r'.repeat(300)}` },
    { ...one, id: 952, full_name: 'acme/clone', clone_url: 'ext::sh -c id' },
  ];
  const long = await create([{ nickname: 'long', url: 'acme/branch' }]);
  expect([long.status, JSON.stringify(long.body)]).toEqual([422, expect.stringContaining('Name a branch')]);
  const named = await create([{ nickname: 'long', url: 'acme/branch', repository_branch: 'next' }]);
  expect(named.body.data, JSON.stringify(named.body)).toMatchObject([{ attributes: { repository_branch: 'next' } }]);
  const helper = await create([{ nickname: 'helper', url: 'acme/clone' }]);
  expect([helper.status, JSON.stringify(helper.body)]).toEqual([422, expect.stringContaining('clone address')]);
});

const link = (id: string, externalId: string, as: 'admin' | 'cyberoper' | 'developer' = 'admin') =>
  scene.server.call('PUT', `/repositories/${id}/source`, {
    as,
    body: { source_control: 'gitea', external_id: externalId },
  });

const application = async (nickname: string): Promise<string> => {
  const body = { source_control: 'git', data: [{ nickname, url: '' }] };
  const made = await scene.server.call('POST', '/create_repository_with_list', { as: 'admin', body });
  return made.body.data[0]._id;
};

test('an application of uploads becomes the repository of a provider; who did it is in its history', async () => {
  fault = undefined;
  repositories = [{ id: 7001, full_name: 'acme/uploaded', default_branch: 'trunk' }];
  const id = await application('uploaded');
  const linked = await link(id, '7001', 'cyberoper');
  expect(linked.body.data.attributes).toMatchObject({
    ...{ nickname: 'uploaded', source_control: 'gitea', repository_branch: 'trunk' },
    url: 'https://gitea.example.test/acme/uploaded.git',
  });
  const history = await scene.server.call('GET', `/repositories/${id}/history`, { as: 'admin' });
  expect(history.body.data[0]).toMatchObject({ field: 'source', from: null, to: 'acme/uploaded' });
  // an import of the same one finds it
  expect((await list()).body.data[0].attributes.repository_id).toBe(id);
  const again = await link(id, '7001');
  expect([again.status, again.body.detail]).toEqual([409, '“uploaded” comes from a source control already.']);
});

test('what the connection does not see, what is here already, what others own and sample data are not linked', async () => {
  fault = undefined;
  repositories = [
    { id: 7002, full_name: 'acme/taken' },
    { id: 7003, full_name: 'acme/script', clone_url: 'javascript:alert(1)' },
    { id: 7004, full_name: 'acme/branch', default_branch: 'evil\u202ename' },
  ];
  const [{ _id: taken } = { _id: '' }] = (await create([toImport((await list()).body.data[0])])).body.data;
  const id = await application('alone');
  const conflict = await link(id, '7002');
  expect([conflict.status, conflict.body.detail]).toEqual([
    409,
    '“acme/taken” is here already as “acme/taken”. Upload the reports there, or delete it first.',
  ]);
  expect(taken).not.toBe(id);
  for (const unseen of ['9999', '7003', '7004']) {
    const refused = await link(id, unseen);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'external_id']]);
  }
  expect((await link(id, '7002', 'developer')).status).toBe(403);
  expect((await link('0191c2e0-7b1a-7000-8000-00000000dead', '7002')).status).toBe(404);
  const sample = await application('sample');
  await scene.rows(`update repositories set is_sample = true where id = '${sample}' returning id`);
  expect((await link(sample, '7002')).status).toBe(409);
  const kept = await scene.rows<{ source_control: string }>(
    `select source_control from repositories where id in ('${id}', '${sample}')`,
  );
  expect(kept.map(({ source_control }) => source_control)).toEqual(['git', 'git']);
});

test('two people who link one application at once make one link; the other is told', async () => {
  fault = undefined;
  repositories = [
    { id: 7010, full_name: 'acme/first' },
    { id: 7011, full_name: 'acme/second' },
  ];
  const id = await application('raced');
  const answers = await Promise.all([link(id, '7010'), link(id, '7011', 'cyberoper')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
