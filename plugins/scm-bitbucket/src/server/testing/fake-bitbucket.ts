import { readFileSync } from 'node:fs';
import { type Json, readAnswer, Type } from '@breakwater/sdk';
import {
  type FakeProvider,
  type FakeTokens,
  type StartedProvider,
  startFakeProvider,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import { fakeOAuth } from './fake-oauth.ts';
import * as source from './repository-routes.ts';
import * as settings from './settings-routes.ts';
import {
  accountJson,
  type Call,
  createRepository,
  type FakeOptions,
  type FakeRepository,
  OWN_UUID,
  paged,
  refuse,
  repositoryJson,
} from './state.ts';
import * as threads from './thread-routes.ts';

/** Bitbucket with what it keeps. */
export interface FakeBitbucket extends FakeProvider {
  /** Of all workspaces, in their order. */
  readonly repositories: readonly FakeRepository[];
}

type Right = FakeRepository['right'];

interface Route {
  readonly method: string;
  /** Below the repository. Each group is a part of the path, decoded. */
  readonly path: RegExp;
  readonly scope: string;
  readonly right: Right;
  /** Of one row, where the answer is a list. */
  readonly shape: string;
  answer(call: Call): TestAnswer | Promise<TestAnswer>;
}

const route = (
  method: string,
  path: RegExp,
  needs: readonly [scope: string, right: Right],
  shape: string,
  answer: Route['answer'],
): Route => ({
  method,
  path,
  scope: needs[0],
  right: needs[1],
  shape,
  answer,
});

const READ = ['repository', 'read'] as const;
const WRITE = ['repository:write', 'write'] as const;
const PULL_REQUEST = ['pullrequest', 'read'] as const;
const HOOK = ['webhook', 'admin'] as const;
const ADMIN = ['repository:admin', 'admin'] as const;
const BRANCHES = /^\/refs\/branches$/;
const COMMENTS = /^\/pullrequests\/(\d+)\/comments$/;

const ROUTES: readonly Route[] = [
  route('GET', /^$/, READ, 'repository', source.getRepository),
  route('GET', BRANCHES, READ, 'branch', source.listBranches),
  route('POST', BRANCHES, WRITE, 'branch', source.createBranch),
  route('GET', /^\/refs\/branches\/([^/]+)$/, READ, 'branch', source.getBranch),
  route('GET', /^\/refs\/tags\/([^/]+)$/, READ, 'branch', source.getTag),
  route('GET', /^\/commits$/, READ, 'commit', source.listCommits),
  route('GET', /^\/commit\/([^/]+)$/, READ, 'commit', source.getCommit),
  route('GET', /^\/src\/([^/]+)\/(.+)$/, READ, 'source', source.getSource),
  route('POST', /^\/src$/, WRITE, 'commit', source.createCommit),
  route('GET', /^\/pullrequests$/, PULL_REQUEST, 'pullrequest', threads.listPullRequests),
  route('POST', /^\/pullrequests$/, ['pullrequest:write', 'read'], 'pullrequest', threads.createPullRequest),
  route('GET', /^\/pullrequests\/(\d+)$/, PULL_REQUEST, 'pullrequest', threads.getPullRequest),
  route('GET', COMMENTS, PULL_REQUEST, 'comment', threads.listComments),
  route('POST', COMMENTS, PULL_REQUEST, 'comment', threads.createComment),
  route('PUT', /^\/pullrequests\/(\d+)\/comments\/(\d+)$/, PULL_REQUEST, 'comment', threads.updateComment),
  route('GET', /^\/issues$/, ['issue', 'read'], 'issue', threads.listIssues),
  route('GET', /^\/issues\/(\d+)$/, ['issue', 'read'], 'issue', threads.getIssue),
  route('POST', /^\/issues$/, ['issue:write', 'read'], 'issue', threads.createIssue),
  route('POST', /^\/commit\/([^/]+)\/statuses\/build$/, READ, 'status', threads.createStatus),
  route('GET', /^\/hooks$/, HOOK, 'hook', settings.listHooks),
  route('POST', /^\/hooks$/, HOOK, 'hook', settings.createHook),
  route('PUT', /^\/hooks\/([^/]+)$/, HOOK, 'hook', settings.updateHook),
  route('DELETE', /^\/hooks\/([^/]+)$/, HOOK, 'hook', settings.deleteHook),
  route('GET', /^\/branch-restrictions$/, ADMIN, 'restriction', settings.listRestrictions),
  route('POST', /^\/branch-restrictions$/, ADMIN, 'restriction', settings.createRestriction),
  route('PUT', /^\/branch-restrictions\/(\d+)$/, ADMIN, 'restriction', settings.changeRestriction),
  route('GET', /^\/branching-model$/, READ, 'branchingModel', settings.getBranchingModel),
  route('GET', /^\/deploy-keys$/, ADMIN, 'deployKey', settings.listDeployKeys),
];

/**
 * Bitbucket Cloud as its REST reference 2.0 describes it; `GET /workspaces` and `GET /repositories` are gone (410, CHANGE-2770). Branches, files and
 * commits are those of a real git repository. Every answer has the shape of the provider's own document.
 */
export function createFakeBitbucket(options: FakeOptions): FakeBitbucket {
  const repositories = options.workspaces.flatMap((workspace) =>
    Array.from({ length: options.repositories }, (_, index) => createRepository(workspace, index)),
  );
  const oauth = fakeOAuth(options);
  return {
    tokens: oauth.tokens,
    answer: async (request) =>
      oauth.answer(request) ?? checked(await answerOf({ options, tokens: oauth.tokens, all: repositories }, request)),
    git: {
      folderOf: async (path) =>
        (await repositories.find(({ workspace, slug }) => path === `${workspace}/${slug}`)?.git())?.folder ?? null,
      allows: (user) => user?.password === oauth.tokens.access,
    },
    repositories,
    close: async () => {
      await Promise.all(repositories.map((repository) => repository.remove()));
    },
  };
}

/** The same as a server of its own. Its repositories are cloned from there. */
export const startFakeBitbucket = (
  options: FakeOptions,
  at: { readonly port?: number } = {},
): Promise<StartedProvider<FakeBitbucket>> => startFakeProvider(createFakeBitbucket(options), at);

interface Shaped {
  readonly answer: TestAnswer;
  readonly shape: string;
}

interface Bitbucket {
  readonly options: FakeOptions;
  readonly tokens: FakeTokens;
  readonly all: readonly FakeRepository[];
}

async function answerOf({ options, tokens, all }: Bitbucket, request: TestRequest): Promise<Shaped> {
  const refused = (status: number, message: string): Shaped => ({ answer: refuse(status, message), shape: 'error' });
  if (request.headers['authorization'] !== `Bearer ${tokens.access}`) {
    return refused(401, 'Access token expired. Use your refresh token to obtain a new access token.');
  }
  const path = request.path.replace(/^\/2\.0/, '');
  if (path === '/workspaces' || path === '/repositories') return refused(410, 'CHANGE-2770: this endpoint is gone');
  if (path === '/user') return withScope(options, 'account', 'account', () => ({ json: accountJson(OWN_UUID) }));
  if (path === '/user/workspaces') {
    return withScope(options, 'account', 'workspaceAccess', () =>
      paged(request, options.workspaces.map(workspaceAccess)),
    );
  }
  const [, encoded = '', name, rest = ''] = /^\/repositories\/([^/]+)(?:\/([^/]+)(\/.*)?)?$/.exec(path) ?? [];
  const workspace = decodeURIComponent(encoded);
  if (!options.workspaces.includes(workspace)) return refused(404, `No workspace with identifier '${workspace}'.`);
  const mine = all.filter((one) => one.workspace === workspace);
  if (name === undefined) {
    return withScope(options, 'repository', 'repository', () => paged(request, mine.map(repositoryJson)));
  }
  const named = decodeURIComponent(name);
  const repository = mine.find(({ uuid, slug }) => uuid === named || slug === named);
  if (repository === undefined) return refused(404, `Repository ${workspace}/${named} not found`);
  return toRepository(options, { request, repository }, rest);
}

const RANKS = { read: 0, write: 1, admin: 2 } as const;

async function toRepository(
  options: FakeOptions,
  call: Pick<Call, 'request' | 'repository'>,
  rest: string,
): Promise<Shaped> {
  const found = ROUTES.find(({ method, path }) => method === call.request.method && path.test(rest));
  if (found === undefined) return { answer: refuse(404, 'Resource not found'), shape: 'error' };
  if (RANKS[call.repository.right] < RANKS[found.right]) {
    return { answer: refuse(403, 'Your credentials lack the permission to do this.'), shape: 'error' };
  }
  const parts = (found.path.exec(rest) ?? []).slice(1).map(decodeURIComponent);
  const isJson = call.request.headers['content-type'] === 'application/json';
  const body: Json = isJson ? JSON.parse(call.request.body) : null;
  return withScope(options, found.scope, found.shape, () => found.answer({ ...call, parts, body }));
}

function workspaceAccess(slug: string, index: number): Json {
  const uuid = `{${String(index).padStart(8, '0')}-3574-44ea-bb41-89e8638bcca4}`;
  return { type: 'workspace_access', administrator: false, workspace: { type: 'workspace_base', uuid, slug } };
}

/** Scopes include the ones that they build on: `repository:admin` may do what `repository` may. */
async function withScope(
  { scopes }: FakeOptions,
  needed: string,
  shape: string,
  answer: () => TestAnswer | Promise<TestAnswer>,
): Promise<Shaped> {
  const headers = { 'x-oauth-scopes': scopes.join(', ') };
  const [area] = needed.split(':');
  const isGranted = scopes.some((scope) => scope === needed || (needed === area && scope.startsWith(`${area}:`)));
  if (isGranted) {
    const given = await answer();
    return { answer: { ...given, headers: { ...given.headers, ...headers } }, shape };
  }
  const message = 'Your credentials lack one or more required privilege scopes.';
  const json = { type: 'error', error: { message, detail: { granted: [...scopes], required: [needed] } } };
  return { answer: { status: 403, headers, json }, shape: 'refusal' };
}

const { shapes } = readAnswer(
  Type.Object({ shapes: Type.Record(Type.String(), Type.Unsafe<object>({})) }),
  JSON.parse(readFileSync(new URL('../__fixtures__/openapi-shapes.json', import.meta.url), 'utf8')),
);

const Rows = Type.Object({ values: Type.Array(Type.Unsafe<Json>({})) });

/** @throws where an answer has not the shape of Bitbucket's own */
function checked({ answer, shape }: Shaped): TestAnswer {
  const { status = 200, json } = answer;
  if (json === undefined || shape === 'refusal') return answer;
  const isList = typeof json === 'object' && json !== null && 'values' in json;
  const known = (name: string) => Type.Unsafe(shapes[name] ?? { not: {} });
  if (isList) readAnswer(known('page'), json);
  const one = status >= 300 ? 'error' : shape;
  for (const row of isList ? readAnswer(Rows, json).values : [json]) readAnswer(known(one), row);
  return answer;
}
