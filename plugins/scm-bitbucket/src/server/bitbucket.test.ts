import { readFile } from 'node:fs/promises';
import { readAnswer, Type } from '@breakwater/sdk';
import { createEgressGate, refreshOAuth } from '@breakwater/sdk/host';
import {
  checkPlugin,
  collect,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { type FakeBitbucket, fakeBitbucket } from './testing/fake-bitbucket.ts';
import { workspacesOf } from './workspaces.ts';

const values = { oauth_token: 'made-for-tests-only', refresh_token: 'refresh-for-tests', workspaces: 'acme, labs' };
const known: FakeBitbucket = {
  token: values.oauth_token,
  scopes: ['account', 'repository'],
  workspaces: ['labs', 'acme', 'other'],
  repositories: 3,
  branches: 2,
};
const code = server.connectors['bitbucket_cloud']!;

async function open(answer: (request: TestRequest) => TestAnswer, change: Partial<typeof values> = {}) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const ctx = openTestConnection(plugin.connectors[0], { values: { ...values, ...change }, baseUrl: service.url });
  return { service, ctx };
}

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('the fake', () => {
  it("answers in the shapes of the provider's own document", async () => {
    const file = new URL('./__fixtures__/openapi-shapes.json', import.meta.url);
    const { shapes } = JSON.parse(await readFile(file, 'utf8'));
    const ask = (path: string, token = known.token): TestAnswer =>
      fakeBitbucket(known)({
        method: 'GET',
        path: `/2.0${path}`,
        query: new URLSearchParams(),
        headers: { authorization: `Bearer ${token}`, host: 'localhost' },
        body: '',
        bytes: new Uint8Array(),
      });
    const rows = (answer: TestAnswer) =>
      readAnswer(Type.Object({ values: Type.Array(Type.Unsafe<object>({})) }), answer.json ?? null);
    const list = ask('/repositories/acme');
    const branches = ask('/repositories/acme/%7B00000000-3574-44ea-bb41-89e8638bcca4%7D/refs/branches');
    expect(() => readAnswer(Type.Unsafe(shapes.account), ask('/user').json ?? null)).not.toThrow();
    expect(() => readAnswer(Type.Unsafe(shapes.page), list.json ?? null)).not.toThrow();
    expect(() => readAnswer(Type.Unsafe(shapes.error), ask('/user', 'wrong').json ?? null)).not.toThrow();
    for (const row of rows(list).values) {
      expect(() =>
        readAnswer(Type.Array(Type.Unsafe(shapes.repository)), JSON.parse(JSON.stringify([row]))),
      ).not.toThrow();
    }
    for (const row of rows(branches).values) {
      expect(() => readAnswer(Type.Array(Type.Unsafe(shapes.branch)), JSON.parse(JSON.stringify([row])))).not.toThrow();
    }
  });
});

describe('check', () => {
  it('says whose token it is and what it may', async () => {
    const { ctx } = await open(fakeBitbucket(known));
    expect(await code.check!(ctx)).toEqual({ identity: 'evzijst', scopes: ['account', 'repository'] });
  });

  it('finds a workspace on a later page', async () => {
    const workspaces = [...Array.from({ length: 150 }, (_, index) => `ws-${index}`), 'acme', 'labs'];
    const { ctx } = await open(fakeBitbucket({ ...known, workspaces }));
    expect((await code.check!(ctx)).identity).toBe('evzijst');
  });

  it.each<[string, Partial<FakeBitbucket>, Partial<typeof values>, string, string]>([
    ['a wrong token', { token: 'another' }, {}, 'auth', ''],
    ['an unknown workspace', {}, { workspaces: 'acme, nowhere' }, 'config', '"nowhere"'],
    ['a token that may not see its user', { scopes: ['repository'] }, {}, 'scope', 'account'],
    ['a token that may not read repositories', { scopes: ['account'] }, {}, 'scope', 'repository'],
  ])('reports %s', async (_, differs, change, errorCode, words) => {
    const { ctx } = await open(fakeBitbucket({ ...known, ...differs }), change);
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
    const { ctx } = await open(fakeBitbucket({ ...known, repositories }));
    const found = await collect(code.scm!.listRepositories(ctx));
    expect(found).toHaveLength(2 * repositories);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2 * repositories);
  });

  it('reports what there is to know of a repository, but not who asks', async () => {
    const { ctx } = await open(fakeBitbucket(known));
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

  it.each([0, 100, 101])('lists %i branches', async (branches) => {
    const { ctx } = await open(fakeBitbucket({ ...known, branches }));
    const found = await collect(code.scm!.listBranches(ctx, 'acme/{00000000-3574-44ea-bb41-89e8638bcca4}'));
    expect(found).toHaveLength(branches);
  });

  it('refuses an id that is none of Bitbucket', async () => {
    const { ctx } = await open(fakeBitbucket(known));
    expect(await refusalOf(collect(code.scm!.listBranches(ctx, '42')))).toMatchObject({ code: 'config' });
  });

  it('does not carry the token to a next page elsewhere', async () => {
    const elsewhere = await startTestService(() => ({ json: { values: [] } }));
    onTestFinished(() => elsewhere.close());
    const real = fakeBitbucket({ ...known, repositories: 101 });
    const { ctx } = await open((request) => {
      const answer = real(request);
      const text = JSON.stringify(answer.json).replace(/"next":"http:\/\/[^/]+/, `"next":"${elsewhere.url.origin}`);
      return { ...answer, json: JSON.parse(text) };
    });
    await refusalOf(collect(code.scm!.listRepositories(ctx)));
    expect(elsewhere.requests).toHaveLength(0);
  });
});

it.each([
  ['acme', ['acme']],
  [' Acme , labs,,acme ', ['acme', 'labs']],
])('reads the workspaces "%s"', (entered, slugs) => {
  expect(workspacesOf(entered)).toEqual(slugs);
});
