import {
  checkPlugin,
  collect,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswers,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeGithub, type FakeGithubOptions } from './testing/fake-github.ts';

const values = { oauth_token: 'ghu_made_for_tests_only_0123', installation_id: '42' };
const permissions = { contents: 'read', metadata: 'read', pull_requests: 'write' };
const known: FakeGithubOptions = {
  token: values.oauth_token,
  isOfApp: true,
  installations: [{ id: 42, permissions }],
  repositories: 3,
  branches: 2,
};
const code = server.connectors['github']!;

function fakeGithub(options: FakeGithubOptions): TestAnswers {
  const github = createFakeGithub(options);
  onTestFinished(() => github.close());
  return github.answer;
}

async function open(answer: TestAnswers, change: Partial<typeof values> = {}) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const ctx = openTestConnection(plugin.connectors[0], { values: { ...values, ...change }, baseUrl: service.url });
  return { service, ctx };
}

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('check', () => {
  it('says whose token and which installation', async () => {
    const { ctx } = await open(fakeGithub(known));
    expect(await code.check!(ctx)).toEqual({
      identity: 'mona · octo-org',
      scopes: ['contents:read', 'metadata:read', 'pull_requests:write'],
    });
  });

  it('finds the installation on a later page', async () => {
    const others = Array.from({ length: 150 }, (_, index) => ({ id: 1000 + index, permissions }));
    const { ctx, service } = await open(fakeGithub({ ...known, installations: [...others, { id: 42, permissions }] }));
    expect((await code.check!(ctx)).identity).toBe('mona · octo-org');
    expect(service.requests.at(-1)?.query.get('page')).toBe('2');
  });

  it.each<[string, Partial<FakeGithubOptions>, Partial<typeof values>, string, string]>([
    ['a wrong token', { token: 'another' }, {}, 'auth', ''],
    ['an installation of somebody else', {}, { installation_id: '43' }, 'config', 'do not belong together'],
    ['a token that is of no app', { isOfApp: false }, {}, 'scope', 'no user access token of a GitHub App'],
    [
      'a missing permission',
      { installations: [{ id: 42, permissions: { metadata: 'read' } }] },
      {},
      'scope',
      'contents',
    ],
    ['a suspended app', { installations: [{ id: 42, permissions, suspended: true }] }, {}, 'scope', 'suspended'],
  ])('reports %s', async (_, differs, change, errorCode, words) => {
    const { ctx } = await open(fakeGithub({ ...known, ...differs }), change);
    expect(await refusalOf(code.check!(ctx))).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
      help: expect.stringMatching(/\.$/),
    });
  });

  it.each<[string, Record<string, string>]>([
    ['a used-up quota', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.now() / 1000 + 600) }],
    ['a secondary limit', { 'retry-after': '60' }],
  ])('takes %s for no missing right', async (_, headers) => {
    const real = fakeGithub(known);
    const { ctx } = await open((request) =>
      request.path === '/user' ? real(request) : { status: 403, headers, json: { message: 'API rate limit exceeded' } },
    );
    const error = await refusalOf(code.check!(ctx));
    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterMs).toBeGreaterThan(0);
  });
});

describe('scm', () => {
  it.each([0, 1, 100, 101, 250])('lists %i repositories, each once', async (repositories) => {
    const { ctx } = await open(fakeGithub({ ...known, repositories }));
    const found = await collect(code.scm!.listRepositories(ctx));
    expect(new Set(found.map(({ id }) => id)).size).toBe(repositories);
    expect(found).toHaveLength(repositories);
  });

  it('reports what there is to know of a repository', async () => {
    const { ctx } = await open(fakeGithub(known));
    const [first] = await collect(code.scm!.listRepositories(ctx));
    expect(first).toEqual({
      id: '1',
      name: 'octo-org/repo-1',
      url: 'https://github.com/octo-org/repo-1',
      cloneUrl: 'https://github.com/octo-org/repo-1.git',
      defaultBranch: 'main',
      isPrivate: true,
      isArchived: false,
    });
  });

  it.each([0, 100, 101])('lists %i branches', async (branches) => {
    const { ctx } = await open(fakeGithub({ ...known, branches }));
    expect(await collect(code.scm!.listBranches(ctx, '1'))).toHaveLength(branches);
  });

  it('knows the user', async () => {
    const { ctx } = await open(fakeGithub(known));
    expect(await code.scm!.user(ctx)).toEqual({ name: 'mona' });
  });
});
