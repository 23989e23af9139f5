import { createEgressGate, refreshOAuth } from '@breakwater/sdk/host';
import { checkPlugin, collect, openTestConnection, refusalOf, startTestService } from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { type FakeGitlab, fakeGitlab } from './testing/fake-gitlab.ts';

const values = {
  oauth_token: 'made-for-tests-only',
  refresh_token: 'refresh-for-tests',
  hosted_url: 'https://gitlab.example.com',
};
const known: FakeGitlab = { token: values.oauth_token, scopes: ['api'], projects: 3, branches: 2 };
const code = server.connectors['gitlab']!;

async function open(differs: Partial<FakeGitlab> = {}) {
  const service = await startTestService(fakeGitlab({ ...known, ...differs }));
  onTestFinished(() => service.close());
  return { service, ctx: openTestConnection(plugin.connectors[0], { values, baseUrl: service.url }) };
}

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('check', () => {
  it.each([['api'], ['read_api']])('says whose token it is, with the scope %s', async (scope) => {
    const { ctx } = await open({ scopes: [scope] });
    expect(await code.check!(ctx)).toEqual({ identity: 'john_smith' });
  });

  it.each<[string, Partial<FakeGitlab>, string, string]>([
    ['a wrong token', { token: 'another' }, 'auth', ''],
    ['a token without any scope', { scopes: [] }, 'scope', 'api, read_api, read_user'],
    ['a token that may only see its user', { scopes: ['read_user'] }, 'scope', 'api, read_api'],
  ])('reports %s', async (_, differs, errorCode, words) => {
    const { ctx } = await open(differs);
    expect(await refusalOf(code.check!(ctx))).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
    });
  });
});

describe('signing in', () => {
  /** Source: GitLab, "OAuth 2.0 identity provider API", refresh. A refresh token works once. */
  it('renews the token and keeps the new refresh token', async () => {
    const service = await startTestService(({ path, body }) => {
      const form = new URLSearchParams(body);
      const isRight =
        path === '/oauth/token' &&
        form.get('grant_type') === 'refresh_token' &&
        form.get('refresh_token') === values.refresh_token &&
        form.get('client_id') === 'app' &&
        form.get('client_secret') === 'app-secret';
      if (!isRight) return { status: 400, json: { error: 'invalid_grant' } };
      return { json: { access_token: 'next', refresh_token: 'next-refresh', expires_in: 7200, token_type: 'bearer' } };
    });
    onTestFinished(() => service.close());
    const gate = createEgressGate({ allowPrivateHosts: false, trusted: [service.url.host] });
    const client = {
      connector: plugin.connectors[0],
      config: { hosted_url: values.hosted_url },
      clientId: 'app',
      clientSecret: 'app-secret',
      baseUrlOverride: service.url,
    };
    const tokens = await refreshOAuth(gate, { ...client, refreshToken: values.refresh_token });
    expect(tokens).toMatchObject({ accessToken: 'next', refreshToken: 'next-refresh', expiresAt: expect.any(Date) });
    const used = refusalOf(refreshOAuth(gate, { ...client, refreshToken: 'used-before' }));
    expect(await used).toMatchObject({ code: 'auth' });
  });
});

describe('scm', () => {
  it.each([0, 1, 100, 101, 250])('lists %i projects, each once', async (projects) => {
    const { ctx } = await open({ projects });
    const found = await collect(code.scm!.listRepositories(ctx));
    expect(found).toHaveLength(projects);
    expect(new Set(found.map(({ id }) => id)).size).toBe(projects);
  });

  it('reports what there is to know of a project, also of an empty one', async () => {
    const { ctx } = await open();
    const [first, second] = await collect(code.scm!.listRepositories(ctx));
    expect(first).toEqual({
      id: '1',
      name: 'acme/project-1',
      url: 'https://gitlab.example.com/acme/project-1',
      cloneUrl: 'https://gitlab.example.com/acme/project-1.git',
      defaultBranch: 'main',
      isPrivate: false,
      isArchived: false,
    });
    expect(second).not.toHaveProperty('defaultBranch');
  });

  it.each([0, 100, 101])('lists %i branches', async (branches) => {
    const { ctx } = await open({ branches });
    expect(await collect(code.scm!.listBranches(ctx, '1'))).toHaveLength(branches);
  });

  it('knows the user', async () => {
    const { ctx } = await open();
    expect(await code.scm!.user(ctx)).toEqual({ name: 'john_smith', email: 'john@example.com' });
  });
});
