import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';
import type { ServiceAnswer, ServiceRequest } from '../../testing/connectors/fake-service.ts';

let scene: ConnectorScene;
beforeAll(async () => {
  scene = await startConnectorScene({ replacesProviders: true });
});
afterAll(() => scene.close());

const TOKEN = 'gitea-token-77aa';
const REPOSITORIES = [
  ['1', 'acme/first', 'https://git.example.com/acme/first.git'],
  ['2', 'acme/Second', 'ext::sh -c id'],
].map(([id, name, clone]) => ({
  id: Number(id),
  full_name: name,
  html_url: id === '1' ? `https://git.example.com/${name}` : 'javascript:alert(1)',
  clone_url: clone,
  default_branch: 'main',
  private: true,
  archived: false,
}));

/** As little of Gitea as is asked for here: 250 further branches over pages of 50. */
const gitea = ({ path }: ServiceRequest): ServiceAnswer => {
  const url = new URL(path, 'http://gitea');
  const page = Number(url.searchParams.get('page') ?? 1);
  if (url.pathname.endsWith('/user')) return { body: { id: 7, login: 'gopher' } };
  if (url.pathname.endsWith('/repos/search')) return { body: { ok: true, data: page === 1 ? REPOSITORIES : [] } };
  if (/\/repositories\/\d+$/.test(url.pathname)) return { body: REPOSITORIES[Number(url.pathname.at(-1)) - 1] };
  const rows = Array.from({ length: 50 }, (_, row) => ({ name: `b-${page}-${row}`, commit: { id: 'c' } }));
  return { body: page > 5 ? [] : rows };
};

const api = (method: string, path: string, body?: object, as: 'admin' | 'cyberoper' | 'developer' = 'admin') =>
  scene.server.call(method, path, { as, ...(body === undefined ? {} : { body }) });

beforeEach(async () => {
  for (const id of ['github', 'gitea', 'gitlab', 'bitbucket_cloud']) await scene.call('DELETE', id, '');
  scene.service.behave(gitea);
});

const connectGitea = () =>
  api('POST', '/api/oauth/gitea/connector', {
    oauth_token: TOKEN,
    protocol: 'https',
    hosted_domain: 'git.example.com',
    port: 443,
  });

describe('repositories and branches of a provider', () => {
  test('are read through the connection; what cannot be cloned or opened has no address', async () => {
    expect((await connectGitea()).body).toMatchObject({
      success: true,
      data: { state: 'connected', identity: 'gopher' },
    });
    const { body } = await api('GET', '/api/oauth/gitea/repos', undefined, 'cyberoper');
    expect(body.meta.pagination).toMatchObject({ page: 1, pageCount: 1, total: 2 });
    expect(body.data).toMatchObject([
      {
        _id: '1',
        attributes: { name: 'acme/first', clone_url: 'https://git.example.com/acme/first.git', is_private: true },
      },
      { _id: '2', attributes: { name: 'acme/Second', clone_url: null, url: '' } },
    ]);
    expect((await api('GET', '/api/oauth/gitea/repos', undefined, 'developer')).status).toBe(403);
  });

  test('owner and name, in any case, are translated to the id of the provider', async () => {
    await connectGitea();
    const { body } = await api('POST', '/api/oauth/gitea/branches', { owner: 'ACME', repo: 'second' });
    expect(body.data).toMatchObject({ repository_id: '2', default_branch: 'main' });
    expect(body.data.items).toHaveLength(250);
    const unknown = await api('POST', '/api/oauth/gitea/branches', { owner: 'acme', repo: '../first' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'repository_not_found']);
    expect((await scene.attributes('gitea')).gate.state).toBe('open');
  });

  test('that fail say which provider, and why', async () => {
    const before = await api('GET', '/api/oauth/gitlab/repos');
    expect([before.status, before.body.code]).toEqual([409, 'integration_not_configured']);
    await connectGitea();
    scene.service.behave(() => ({ status: 500, body: { message: `broken ${TOKEN}` } }));
    const { status, body } = await api('GET', '/api/oauth/gitea/repos');
    expect([status, body.code]).toEqual([409, 'upstream_failed']);
    expect(body.detail).toMatch(/^Failed to get repositories gitea\. Gitea: /);
    expect(body.detail).not.toContain(TOKEN);
  });
});

describe('GitHub', () => {
  const PERMISSIONS = { contents: 'read', metadata: 'read' };
  const github = ({ path }: ServiceRequest): ServiceAnswer =>
    path.includes('/installations')
      ? { body: { installations: [{ id: 42, account: { login: 'octo' }, permissions: PERMISSIONS }] } }
      : { body: { login: 'mona' } };
  const states = async () =>
    Promise.all(['git_token', 'git_app_token'].map(async (one) => (await api('GET', `/users/${one}`)).body.data));

  test('is configured with token and installation, of one another, and never shows the token', async () => {
    scene.service.behave(github);
    const none = { configured: false, hint: null, expires_at: null };
    expect(await states()).toEqual([none, none]);
    const half = await api('POST', '/save_token', { token: 'ghu_made_for_tests_9876', source_control: 'github' });
    expect(half.body.data).toMatchObject({ state: 'draft', is_configured: false });
    const token = { configured: true, hint: '9876', expires_at: null };
    expect(await states()).toEqual([token, { ...token, configured: false }]);

    const foreign = await api('POST', '/github/save-configuration', { installation_id: 43 });
    expect(foreign.body.data).toMatchObject({
      state: 'draft',
      message: expect.stringContaining('do not belong together'),
    });
    const own = await api('POST', '/api/oauth/github/connector', { installation_id: '42' });
    expect(own.body.data).toMatchObject({ state: 'connected', is_configured: true, identity: 'mona · octo' });
    expect(await states()).toEqual([token, token]);
    expect((await api('GET', '/github/installation_id')).body.data).toEqual({ installation_id: '42' });
    expect((await api('POST', '/api/oauth/test-connection', { provider: 'github' })).body).toMatchObject({
      success: true,
    });
    scene.service.behave(() => ({ status: 401 }));
    expect((await api('POST', '/api/oauth/test-connection', { provider: 'github' })).body).toMatchObject({
      success: false,
      data: { state: 'needsAuth' },
    });
    expect((await api('DELETE', '/github/delete-configuration')).body).toMatchObject({ success: true });
    expect(await states()).toEqual([none, none]);
  });
});

test('Bitbucket without a token that renews: cleared, said to the admins, and at the request itself', async () => {
  const text = 'Bitbucket cloud token expired, please create new one while redirecting to connector...';
  scene.service.behave(({ path }) =>
    path.includes('/user') && !path.includes('/workspaces')
      ? { body: { display_name: 'Ada', account_id: '1', uuid: '{1}', username: 'ada' } }
      : {
          body: {
            values: [
              {
                uuid: '{2}',
                full_name: 'acme/one',
                links: { html: { href: 'https://bitbucket.org/acme/one' } },
                workspace: { slug: 'acme', uuid: '{2}' },
                slug: 'acme',
              },
            ],
          },
        },
  );
  // the form asks for both; who has one token enters it twice
  const values = { oauth_token: 'workspace-token-1', refresh_token: 'workspace-token-1', workspaces: 'acme' };
  const saved = await scene.save('bitbucket_cloud', values);
  expect(saved.body.data.attributes.state_detail).toMatchObject({ message: null });
  expect(saved.body.data.attributes.state).toBe('connected');
  scene.service.behave(() => ({ status: 401 }));
  const refused = await api('GET', '/api/oauth/bitbucket/repos');
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([409, 'connection_expired', text]);
  expect(await scene.attributes('bitbucket_cloud')).toMatchObject({
    state: 'absent',
    fields: { workspaces: { set: false } },
  });
  const { body } = await api('GET', '/api/oauth/bitbucket/repos');
  expect(body.code).toBe('integration_not_configured');
  const told = await scene.rows(`select title, link from notifications where user_id = $1`, [
    scene.server.users.admin.id,
  ]);
  expect(told).toEqual([{ title: text, link: '/connector?source_control=bitbucket%20cloud' }]);
});

test.each([
  ['POST', '/api/oauth/token', { provider: 'svn', code: '1', state: '2' }],
  ['POST', '/api/oauth/token', { provider: 'opengrep', code: '1', state: '2' }],
  ['POST', '/api/oauth/test-connection', { provider: '__proto__' }],
  ['POST', '/save_token', { token: 'x', source_control: 'svn' }],
  ['POST', '/save_token', { token: 'x', source_control: 'probe-oauth' }],
])('%s %s %j: Oauth service not found', async (method, path, body) => {
  const answer = await api(method, path, body);
  expect([answer.status, answer.body.detail]).toEqual([404, 'Oauth service not found']);
});

test('unknown fields are refused, and a code without its state is no sign-in', async () => {
  expect((await api('POST', '/api/oauth/token', { provider: 'github', client_id: 'x' })).status).toBe(422);
  const { status, body } = await api('POST', '/api/oauth/github/token', { code: '1' });
  expect([status, body.success, body.error]).toEqual([400, false, 'invalid_state']);
});
