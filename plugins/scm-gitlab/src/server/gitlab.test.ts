import { createEgressGate, refreshOAuth } from '@breakwater/sdk/host';
import { checkPlugin, collect, refusalOf, startTestService } from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { openFake, values } from './testing/open-fake.ts';
import type { FakeOptions } from './testing/state.ts';

const code = server.connectors['gitlab']!;
const open = (differs: Partial<FakeOptions> = {}) => openFake(plugin.connectors[0], differs);

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('check', () => {
  it.each([['api'], ['read_api']])('says whose token it is, with the scope %s', async (scope) => {
    const { ctx } = await open({ scopes: [scope] });
    expect(await code.check!(ctx)).toEqual({ identity: 'john_smith' });
  });

  it.each<[string, Partial<FakeOptions>, string, string]>([
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

  it.each([0, 1, 101])('lists %i branches besides the default one', async (branches) => {
    const { ctx, fake } = await open();
    const repository = await fake.repositories[0]!.git();
    const head = await repository.resolve('main');
    for (let index = 0; index < branches; index += 1) await repository.setBranch(`team/ü-${index}`, head);
    const found = await collect(code.scm!.listBranches(ctx, '1'));
    expect(found).toHaveLength(branches + 1);
    expect(found.find(({ name }) => name === 'main')).toEqual({ name: 'main', commit: head, isProtected: false });
  });

  it('lists no branches of an empty repository', async () => {
    const { ctx } = await open();
    expect(await collect(code.scm!.listBranches(ctx, '2'))).toEqual([]);
  });

  it('knows the user', async () => {
    const { ctx } = await open();
    expect(await code.scm!.user(ctx)).toEqual({ name: 'john_smith', email: 'john@example.com' });
  });
});

describe('readFile', () => {
  const bytes = Uint8Array.from({ length: 1024 * 1024 }, (_, index) => (index * 7919) % 256);

  it.each([
    ['text', 'README.md', 'plain text\n'],
    ['an empty file', 'empty', ''],
    ['bytes, a megabyte of them', 'assets/image.png', bytes],
    ['a name with folders, blanks, umlauts and control characters', 'a b/ü#?%2F/tab\t\u0001.txt', 'x'],
    ['a name that begins like an option', '--help', 'x'],
  ])('reads %s', async (_, path, content) => {
    const { ctx, fake } = await open();
    const repository = await fake.repositories[0]!.git();
    const at = await repository.commitFiles({ branch: 'main', message: 'file', files: { [path]: content } });
    for (const ref of ['main', at]) {
      const read = await code.scm!.readFile!(ctx, { repository: '1', path, at: ref });
      expect(Buffer.from(read!).equals(Buffer.from(content))).toBe(true);
    }
  });

  it('takes a project in subgroups by its path', async () => {
    const { ctx, fake } = await open();
    fake.add('group/sub.group/deep/project');
    const file = { repository: 'group/sub.group/deep/project', path: 'README.md', at: 'main' };
    expect(Buffer.from((await code.scm!.readFile!(ctx, file))!).toString()).toBe('# group/sub.group/deep/project\n');
  });

  it.each([
    ['there is no such file', '1', 'nowhere.md', 'main'],
    ['it is a folder', '1', 'docs', 'main'],
    ['there is no such branch', '1', 'README.md', 'nowhere'],
    ['the repository is empty', '2', 'README.md', 'main'],
  ])('gives null where %s', async (_, repository, path, at) => {
    const { ctx, fake } = await open();
    await (await fake.repositories[0]!.git()).commitFiles({
      branch: 'main',
      message: 'x',
      files: { 'docs/a': 'a' },
    });
    expect(await code.scm!.readFile!(ctx, { repository, path, at })).toBeNull();
  });

  it('says that there is no such project', async () => {
    const { ctx } = await open();
    const read = code.scm!.readFile!(ctx, { repository: 'acme/nowhere', path: 'README.md', at: 'main' });
    expect(await refusalOf(read)).toMatchObject({ code: 'config', message: expect.stringContaining('acme/nowhere') });
  });
});

describe('posture', () => {
  const statesOf = async (ctx: Awaited<ReturnType<typeof open>>['ctx'], repository = '1') => {
    const answers = await code.scm!.posture!(ctx, repository);
    return Object.fromEntries(answers.map(({ check, state }) => [check, state]));
  };
  const rule = (fields: object) => ({
    id: 1,
    name: 'main',
    allow_force_push: false,
    code_owner_approval_required: false,
    ...fields,
  });
  const level = (access_level: number) => [{ id: 1, access_level, access_level_description: 'x' }];
  const key = (fields: object) => ({
    id: 1,
    title: 'deploy',
    key: 'ssh-ed25519 x',
    created_at: '2026-11-01T00:00:00Z',
    fingerprint: 'x',
    ...fields,
  });

  it('finds everything right where it is', async () => {
    const { ctx, fake } = await open();
    Object.assign(fake.repositories[0]!, {
      protectedBranches: [rule({ push_access_levels: level(40) })],
      approvalRules: [
        {
          id: 1,
          name: 'all',
          rule_type: 'regular',
          approvals_required: 2,
          contains_hidden_groups: false,
          overridden: false,
        },
      ],
      pushRule: { id: 1, reject_unsigned_commits: true },
      forkPipelines: false,
      deployKeys: [key({})],
    });
    expect(new Set(Object.values(await statesOf(ctx)))).toEqual(new Set(['ok']));
  });

  it('finds what is at risk, and says where it is set', async () => {
    const { ctx, fake } = await open();
    Object.assign(fake.repositories[0]!, {
      approvalRules: [],
      pushRule: null,
      jobTokensLimited: false,
      deployKeys: [key({ created_at: '2020-01-01T00:00:00Z' })],
    });
    fake.groups.set('acme', false);
    const answers = await code.scm!.posture!(ctx, '1');
    const risks = answers.filter(({ state }) => state === 'at-risk');
    expect(risks.map(({ check }) => check).toSorted()).toEqual([
      'branch-protection',
      'default-workflow-permissions',
      'force-pushes',
      'required-reviews',
      'secrets-in-forks',
      'signed-commits',
      'stale-deploy-keys',
    ]);
    expect(answers.every(({ url, detail }) => url?.startsWith('https://gitlab.example.com/') && detail !== '')).toBe(
      true,
    );
  });

  it('says unknown to who may not see it, and of what the edition lacks', async () => {
    const { ctx, fake } = await open();
    Object.assign(fake.repositories[0]!, { role: 20 });
    fake.groups.clear();
    const states = await statesOf(ctx);
    expect(states).toMatchObject({
      'branch-protection': 'unknown',
      'required-reviews': 'unknown',
      'signed-commits': 'unknown',
      'default-workflow-permissions': 'unknown',
      'admins-without-two-factor': 'unknown',
      'stale-deploy-keys': 'unknown',
    });
  });

  it.each<[string, object, string, string]>([
    ['a wildcard that covers the branch', { protectedBranches: [rule({ name: 'm*n' })] }, 'branch-protection', 'ok'],
    ['a wildcard of others', { protectedBranches: [rule({ name: 'release-*' })] }, 'branch-protection', 'at-risk'],
    [
      'a dot that is no wildcard',
      { defaultBranch: 'main', protectedBranches: [rule({ name: 'm.in' })] },
      'branch-protection',
      'at-risk',
    ],
    [
      'developers who push',
      { protectedBranches: [rule({ push_access_levels: level(30) })] },
      'branch-protection',
      'at-risk',
    ],
    [
      'a protected branch that is forced',
      { protectedBranches: [rule({ allow_force_push: true })] },
      'force-pushes',
      'at-risk',
    ],
    ['a push rule of a plan without signatures', { pushRule: { id: 1 } }, 'signed-commits', 'unknown'],
    [
      'a key that was used long ago',
      { deployKeys: [key({ last_used_at: '2026-01-01T00:00:00Z' })] },
      'stale-deploy-keys',
      'at-risk',
    ],
    [
      'an old key in use',
      { deployKeys: [key({ created_at: '2020-01-01T00:00:00Z', last_used_at: '2026-11-20T00:00:00Z' })] },
      'stale-deploy-keys',
      'ok',
    ],
    [
      'a key that expired',
      { deployKeys: [key({ expires_at: '2026-11-20T00:00:00Z' })] },
      'stale-deploy-keys',
      'at-risk',
    ],
  ])('judges %s', async (_, settings, check, state) => {
    const { ctx, fake } = await open();
    Object.assign(fake.repositories[0]!, settings);
    expect((await statesOf(ctx))[check]).toBe(state);
  });

  it('reads rules of a later page', async () => {
    const { ctx, fake } = await open();
    const others = Array.from({ length: 100 }, (_, index) => rule({ id: index, name: `release-${index}` }));
    Object.assign(fake.repositories[0]!, { protectedBranches: [...others, rule({})] });
    expect((await statesOf(ctx))['branch-protection']).toBe('ok');
  });
});
