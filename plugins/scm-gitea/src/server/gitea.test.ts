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
import { createFakeGitea, type FakeGiteaOptions } from './testing/fake-gitea.ts';

const values = { oauth_token: 'made-for-tests-only', protocol: 'https', hosted_domain: 'gitea.example.com', port: 443 };
const known: FakeGiteaOptions = {
  token: values.oauth_token,
  scopes: ['read:user', 'read:repository'],
  repositories: 3,
  branches: 2,
  mostRows: 50,
  tellsTotal: true,
};
const code = server.connectors['gitea']!;

function fakeGitea(options: FakeGiteaOptions): TestAnswers {
  const gitea = createFakeGitea(options);
  onTestFinished(() => gitea.close());
  return gitea.answer;
}

async function open(answer: TestAnswers) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  return { service, ctx: openTestConnection(plugin.connectors[0], { values, baseUrl: service.url }) };
}

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('check', () => {
  it('says whose token it is', async () => {
    const { ctx } = await open(fakeGitea(known));
    expect(await code.check!(ctx)).toEqual({ identity: 'gopher' });
  });

  it.each<[string, Partial<FakeGiteaOptions>, string, string]>([
    ['a wrong token', { token: 'another' }, 'auth', ''],
    ['a token that may not see its user', { scopes: ['read:repository'] }, 'scope', 'read:user'],
    ['a token that may not read repositories', { scopes: ['read:user'] }, 'scope', 'read:repository'],
  ])('reports %s', async (_, differs, errorCode, words) => {
    const { ctx } = await open(fakeGitea({ ...known, ...differs }));
    expect(await refusalOf(code.check!(ctx))).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
    });
  });

  it('reports an address at which there is no Gitea', async () => {
    const { ctx } = await open(() => ({ status: 404, body: '<html>nginx</html>' }));
    expect(await refusalOf(code.check!(ctx))).toMatchObject({ code: 'config', help: expect.stringContaining('port') });
  });
});

describe('scm', () => {
  // A server gives at most 50 rows although 100 are asked for: a short page is not the last one.
  it.each([0, 1, 50, 51, 100, 101, 250])('lists %i repositories, each once', async (repositories) => {
    for (const tellsTotal of [true, false]) {
      const { ctx } = await open(fakeGitea({ ...known, repositories, tellsTotal }));
      const found = await collect(code.scm!.listRepositories(ctx));
      expect(found).toHaveLength(repositories);
      expect(new Set(found.map(({ id }) => id)).size).toBe(repositories);
    }
  });

  it('reports what there is to know of a repository, also of an empty one', async () => {
    const { ctx } = await open(fakeGitea(known));
    const [first, second] = await collect(code.scm!.listRepositories(ctx));
    expect(first).toEqual({
      id: '1',
      name: 'acme/repo-1',
      url: 'https://gitea.example.com/acme/repo-1',
      cloneUrl: 'https://gitea.example.com/acme/repo-1.git',
      defaultBranch: 'main',
      isPrivate: true,
      isArchived: false,
    });
    expect(second).not.toHaveProperty('defaultBranch');
  });

  it.each([0, 50, 51])('lists %i branches', async (branches) => {
    const { ctx } = await open(fakeGitea({ ...known, branches }));
    expect(await collect(code.scm!.listBranches(ctx, '1'))).toHaveLength(branches);
  });

  it('knows the user', async () => {
    const { ctx } = await open(fakeGitea(known));
    expect(await code.scm!.user(ctx)).toEqual({ name: 'gopher', email: 'gopher@example.com' });
  });
});
