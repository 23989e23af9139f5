import type { Json } from '@breakwater/sdk';
import { createEgressGate, refreshOAuth } from '@breakwater/sdk/host';
import { checkPlugin, collect, refusalOf, startTestService, type TestAnswers } from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import type { FakeBitbucket } from './testing/fake-bitbucket.ts';
import { openFake, values } from './testing/open-fake.ts';
import type { FakeOptions, FakeRepository } from './testing/state.ts';
import { workspacesOf } from './workspaces.ts';

const code = server.connectors['bitbucket_cloud']!;
const open = (differs: Partial<FakeOptions> = {}, entered: Partial<typeof values> = {}) =>
  openFake(plugin.connectors[0], differs, { entered });
const REPOSITORY = 'acme/{00000000-3574-44ea-bb41-89e8638bcca4}';
const EMPTY = 'acme/{00000001-3574-44ea-bb41-89e8638bcca4}';
const targetOf = ({ repositories }: FakeBitbucket) =>
  repositories.find((one) => one.workspace === 'acme' && one.slug === 'repo-0')!;

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('check', () => {
  it('says whose token it is and what it may', async () => {
    const { ctx } = await open({ scopes: ['account', 'repository'] });
    expect(await code.check!(ctx)).toEqual({ identity: 'evzijst', scopes: ['account', 'repository'] });
  });

  it('finds a workspace on a later page', async () => {
    const workspaces = [...Array.from({ length: 150 }, (_, index) => `ws-${index}`), 'acme', 'labs'];
    const { ctx } = await open({ workspaces, repositories: 0 });
    expect((await code.check!(ctx)).identity).toBe('evzijst');
  });

  it.each<[string, Partial<FakeOptions>, Partial<typeof values>, string, string]>([
    ['a wrong token', { token: 'another' }, {}, 'auth', ''],
    ['an unknown workspace', {}, { workspaces: 'acme, nowhere' }, 'config', '"nowhere"'],
    ['a token that may not see its user', { scopes: ['repository'] }, {}, 'scope', 'account'],
    ['a token that may not read repositories', { scopes: ['account'] }, {}, 'scope', 'repository'],
  ])('reports %s', async (_, differs, change, errorCode, words) => {
    const { ctx } = await open(differs, change);
    expect(await refusalOf(code.check!(ctx))).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
    });
  });
});

describe('signing in', () => {
  /** Source: Bitbucket Cloud, "OAuth on Bitbucket Cloud", refresh tokens: the client goes in basic authorization. */
  it.each([undefined, 'next-refresh'])(
    'renews the token; a refresh token of the answer is kept: %s',
    async (rotated) => {
      const basic = `Basic ${btoa('app:app-secret')}`;
      const service = await startTestService(({ path, headers, body }) => {
        const form = new URLSearchParams(body);
        if (path !== '/site/oauth2/access_token' || headers['authorization'] !== basic)
          return { status: 401, json: {} };
        if (form.get('refresh_token') !== values.refresh_token)
          return { status: 400, json: { error: 'invalid_grant' } };
        const token = { access_token: 'next', token_type: 'bearer', expires_in: 7200, scopes: 'account repository' };
        return { json: rotated === undefined ? token : { ...token, refresh_token: rotated } };
      });
      onTestFinished(() => service.close());
      const gate = createEgressGate({ allowPrivateHosts: false, trusted: [service.url.host] });
      const tokens = await refreshOAuth(gate, {
        connector: plugin.connectors[0],
        config: {},
        refreshToken: values.refresh_token,
        clientId: 'app',
        clientSecret: 'app-secret',
        baseUrlOverride: service.url,
      });
      expect(tokens.accessToken).toBe('next');
      expect(tokens.refreshToken).toBe(rotated);
    },
  );
});

describe('scm', () => {
  it.each([0, 1, 100, 101, 250])('lists %i repositories of each workspace, each once', async (repositories) => {
    const { ctx } = await open({ repositories });
    const found = await collect(code.scm!.listRepositories(ctx));
    expect(found).toHaveLength(2 * repositories);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2 * repositories);
  });

  it('reports what there is to know of a repository, but not who asks', async () => {
    const { ctx } = await open();
    const [first, second] = await collect(code.scm!.listRepositories(ctx));
    expect(first).toEqual({
      id: 'acme/{00000000-3574-44ea-bb41-89e8638bcca4}',
      name: 'acme/repo-0',
      url: 'https://bitbucket.org/acme/repo-0',
      cloneUrl: 'https://bitbucket.org/acme/repo-0.git',
      defaultBranch: 'main',
      isPrivate: true,
    });
    expect(second).not.toHaveProperty('defaultBranch');
  });

  it.each([0, 1, 101])('lists %i branches besides the main one', async (branches) => {
    const { ctx, fake } = await open();
    const git = await targetOf(fake).git();
    const head = await git.resolve('main');
    for (let index = 0; index < branches; index += 1) await git.setBranch(`team/ü-${index}`, head);
    const found = await collect(code.scm!.listBranches(ctx, REPOSITORY));
    expect(found).toHaveLength(branches + 1);
    expect(found).toContainEqual({ name: 'main', commit: head });
  });

  it('refuses an id that is none of Bitbucket', async () => {
    const { ctx } = await open();
    expect(await refusalOf(collect(code.scm!.listBranches(ctx, '42')))).toMatchObject({ code: 'config' });
  });

  it('does not carry the token to a next page elsewhere', async () => {
    const elsewhere = await startTestService(() => ({ json: { values: [] } }));
    onTestFinished(() => elsewhere.close());
    const lead =
      (answer: TestAnswers): TestAnswers =>
      async (request) => {
        const given = await answer(request);
        const text = JSON.stringify(given.json ?? null).replace(
          /"next":"http:\/\/[^/]+/,
          `"next":"${elsewhere.url.origin}`,
        );
        return { ...given, json: JSON.parse(text) };
      };
    const { ctx } = await openFake(plugin.connectors[0], { repositories: 101 }, { around: lead });
    expect(await refusalOf(collect(code.scm!.listRepositories(ctx)))).toMatchObject({ code: 'upstream' });
    expect(elsewhere.requests).toHaveLength(0);
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
    const git = await targetOf(fake).git();
    const at = await git.commitFiles({ branch: 'main', message: 'file', files: { [path]: content } });
    await git.setBranch('team/one', at);
    for (const ref of ['team/one', at]) {
      const read = await code.scm!.readFile!(ctx, { repository: REPOSITORY, path, at: ref });
      expect(Buffer.from(read!).equals(Buffer.from(content))).toBe(true);
    }
  });

  it.each([
    ['there is no such file', REPOSITORY, 'nowhere.md', 'main'],
    ['it is a folder', REPOSITORY, 'docs', 'main'],
    ['there is no such branch', REPOSITORY, 'README.md', 'nowhere'],
    ['the path leads out', REPOSITORY, '../../repo-1', 'main'],
    ['the repository is empty', EMPTY, 'README.md', 'main'],
  ])('gives null where %s', async (_, repository, path, at) => {
    const { ctx, fake } = await open();
    await (await targetOf(fake).git()).commitFiles({ branch: 'main', message: 'x', files: { 'docs/a': 'a' } });
    expect(await code.scm!.readFile!(ctx, { repository, path, at })).toBeNull();
  });

  it('says that there is no such repository', async () => {
    const { ctx } = await open();
    const read = code.scm!.readFile!(ctx, { repository: 'acme/nowhere', path: 'README.md', at: 'main' });
    expect(await refusalOf(read)).toMatchObject({ code: 'config', message: expect.stringContaining('acme/nowhere') });
  });
});

describe('posture', () => {
  const rule = (kind: string, fields: object = {}): Json => ({
    type: 'branchrestriction',
    id: 1,
    kind,
    branch_match_kind: 'glob',
    pattern: 'main',
    users: [],
    groups: [],
    ...fields,
  });
  const key = (fields: object): Json => ({
    type: 'deploy_key',
    key: 'ssh-ed25519 x',
    label: 'deploy',
    created_on: '2026-11-01T00:00:00+00:00',
    ...fields,
  });
  const user = [{ type: 'user', uuid: '{1}' }];
  const statesWith = async (settings: Partial<FakeRepository>) => {
    const { ctx, fake } = await open();
    Object.assign(targetOf(fake), settings);
    const answers = await code.scm!.posture!(ctx, REPOSITORY);
    return Object.fromEntries(answers.map(({ check, state }) => [check, state]));
  };

  it.each<[string, Partial<FakeRepository>, string, string]>([
    ['a repository without rules', {}, 'branch-protection', 'at-risk'],
    ['a repository without rules', {}, 'force-pushes', 'at-risk'],
    ['a repository without rules', {}, 'required-reviews', 'at-risk'],
    ['a repository without keys', {}, 'stale-deploy-keys', 'ok'],
    ['a rule about pushes', { restrictions: [rule('push')] }, 'branch-protection', 'ok'],
    ['nobody who may push', { restrictions: [rule('push')] }, 'force-pushes', 'ok'],
    ['somebody who may push', { restrictions: [rule('push', { users: user })] }, 'force-pushes', 'at-risk'],
    ['a rule about force pushes', { restrictions: [rule('force')] }, 'force-pushes', 'ok'],
    ['a wildcard', { restrictions: [rule('push', { pattern: 'm*' })] }, 'branch-protection', 'ok'],
    ['a rule of another branch', { restrictions: [rule('push', { pattern: 'm.in' })] }, 'branch-protection', 'at-risk'],
    [
      'the development branch',
      { restrictions: [rule('push', { branch_match_kind: 'branching_model', branch_type: 'development' })] },
      'branch-protection',
      'ok',
    ],
    [
      'the production branch',
      { restrictions: [rule('push', { branch_match_kind: 'branching_model', branch_type: 'production' })] },
      'branch-protection',
      'at-risk',
    ],
    [
      'approvals that are only asked for',
      { restrictions: [rule('require_approvals_to_merge', { value: 1 })] },
      'required-reviews',
      'at-risk',
    ],
    [
      'approvals that are enforced',
      { restrictions: [rule('require_approvals_to_merge', { value: 1 }), rule('enforce_merge_checks')] },
      'required-reviews',
      'ok',
    ],
    [
      'a key that was never used',
      { deployKeys: [key({ created_on: '2020-01-01T00:00:00+00:00', last_used: null })] },
      'stale-deploy-keys',
      'at-risk',
    ],
    [
      'an old key in use',
      { deployKeys: [key({ created_on: '2020-01-01T00:00:00+00:00', last_used: '2026-11-20T00:00:00+00:00' })] },
      'stale-deploy-keys',
      'ok',
    ],
    [
      'a key in the words of the schema',
      {
        deployKeys: [{ type: 'deploy_key', key: 'ssh-ed25519 x', label: 'old', added_on: '2020-01-01T00:00:00+00:00' }],
      },
      'stale-deploy-keys',
      'at-risk',
    ],
    ['a token of no administrator', { right: 'write' }, 'branch-protection', 'unknown'],
    ['a token of no administrator', { right: 'write' }, 'stale-deploy-keys', 'unknown'],
  ])('judges %s', async (_, settings, check, state) => {
    expect((await statesWith(settings))[check]).toBe(state);
  });

  it('reads rules of a later page', async () => {
    const others = Array.from({ length: 100 }, () => rule('push', { pattern: 'release' }));
    expect((await statesWith({ restrictions: [...others, rule('push')] }))['branch-protection']).toBe('ok');
  });
});

it.each([
  ['acme', ['acme']],
  [' Acme , labs,,acme ', ['acme', 'labs']],
])('reads the workspaces "%s"', (entered, slugs) => {
  expect(workspacesOf(entered)).toEqual(slugs);
});
