import { readFileSync } from 'node:fs';
import { type Json, readAnswer, Type } from '@breakwater/sdk';
import {
  type BareRepository,
  type FakeProvider,
  type StartedProvider,
  startFakeProvider,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import { fakeOAuth } from './fake-oauth.ts';
import { PROTECTION_ROUTES } from './protection-routes.ts';
import { READ_ROUTES } from './read-routes.ts';
import { createRepository, type FakeRepository, type Known, type Route, refusal } from './state.ts';
import { WRITE_ROUTES } from './write-routes.ts';

/** What a Gitea server knows of one token. */
export interface FakeGiteaOptions {
  readonly token: string;
  /** Whether a person is asked when they sign in. */
  readonly asksConsent?: boolean;
  /** Default: what reading and writing needs. */
  readonly scopes?: readonly string[];
  /** How many there are; the second one is empty. Each is a real git repository from the first time that its content is asked for. */
  readonly repositories?: number;
  readonly branches?: number;
  /** What each of them holds from the beginning, instead. */
  readonly template?: BareRepository;
  readonly mostRows?: number;
  readonly tellsTotal?: boolean;
}

export interface FakeGitea extends FakeProvider {
  readonly repositories: FakeRepository[];
  /** Change it and the next request meets it. */
  readonly known: Known;
}

/**
 * Gitea 1.22 with state: branches and commits are git's own, issues, pull requests, comments, statuses and hooks are kept. Every answer is
 * held against the server's own document; one that does not fit is an error of the fake and answered with 500. That pages are
 * capped is in its configuration cheat sheet (`[api] MAX_RESPONSE_ITEMS`).
 */
export function createFakeGitea(options: FakeGiteaOptions): FakeGitea {
  const { repositories: count = 1, branches = 1, template, mostRows = 50, tellsTotal = true } = options;
  const oauth = fakeOAuth(options);
  const known: Known = {
    tokens: oauth.tokens,
    scopes: options.scopes ?? ['read:user', 'write:repository', 'write:issue'],
    login: 'gopher',
    repositories: Array.from({ length: count }, (_, index) => createRepository(index + 1, { branches, template })),
    mostRows,
    tellsTotal,
  };
  const all = [...known.repositories];
  return {
    known,
    tokens: oauth.tokens,
    repositories: known.repositories,
    answer: (request) => oauth.answer(request) ?? answerApi(known, request),
    git: {
      folderOf: async (path) => (await findByPath(known, path)?.git())?.folder ?? null,
      allows: (user) => user?.password === known.tokens.access,
    },
    close: async () => {
      await Promise.all(all.map((repository) => repository.remove()));
    },
  };
}

/** The same as a server of its own: API, sign-in pages and git at one address. Its repositories are cloned from there. */
export const startFakeGitea = (
  options: FakeGiteaOptions,
  at: { readonly port?: number } = {},
): Promise<StartedProvider<FakeGitea>> => startFakeProvider(createFakeGitea(options), at);

function findByPath(known: Known, path: string): FakeRepository | undefined {
  return known.repositories.find(({ owner, name }) => `${owner}/${name}` === path);
}

const ROUTES: readonly Route[] = [...READ_ROUTES, ...PROTECTION_ROUTES, ...WRITE_ROUTES];

async function answerApi(known: Known, request: TestRequest): Promise<TestAnswer> {
  const { authorization } = request.headers;
  if (authorization !== `token ${known.tokens.access}` && authorization !== `Bearer ${known.tokens.access}`) {
    return refusal(401, 'invalid username, password or token');
  }
  const path = request.path.replace(/^\/api\/v1/, '');
  for (const route of ROUTES) {
    const found = route.method === request.method ? route.path.exec(path) : null;
    if (found === null) continue;
    const [, ...parts] = found.map((part) => decodeURIComponent(part ?? ''));
    return checked(route, await answerRoute(known, route, { request, parts }));
  }
  return refusal(404, "The target couldn't be found.");
}

interface Asked {
  readonly request: TestRequest;
  readonly parts: readonly string[];
}

function answerRoute(known: Known, route: Route, { request, parts }: Asked): TestAnswer | Promise<TestAnswer> {
  const body: Json = request.body === '' ? null : JSON.parse(request.body);
  const level = request.method === 'GET' ? 'read' : 'write';
  const needed = route.of === 'account' ? route.scope : `${level}:${route.scope ?? 'repository'}`;
  if (!known.scopes.includes(needed) && !known.scopes.includes(needed.replace('read:', 'write:'))) {
    return refusal(403, `token does not have at least one of required scope(s): [${needed}]`);
  }
  if (route.of === 'account') return route.answer({ known, request, parts, body });
  const [owner, name, ...rest] = parts;
  const repository = findByPath(known, `${owner}/${name}`);
  if (repository === undefined) return refusal(404, "The target couldn't be found.");
  if (level === 'write' && repository.isArchived) return refusal(423, 'repo is archived');
  if (route.role !== undefined && !repository.permissions[route.role]) {
    return refusal(403, `user should have a permission to ${route.role}`);
  }
  return route.answer({ known, repository, request, parts: rest, body });
}

const { shapes }: { shapes: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../__fixtures__/openapi-shapes.json', import.meta.url), 'utf8'),
);

/** @throws where the answer is not as Gitea's document says */
function checked({ shape, isList }: Route, answer: TestAnswer): TestAnswer {
  const { status = 200, json } = answer;
  if (shape === undefined || status >= 300 || json === undefined) return answer;
  const one = Type.Unsafe(shapes[shape] ?? { not: {} });
  readAnswer(isList === undefined ? one : listOf(one, isList), json);
  return answer;
}

function listOf(one: ReturnType<typeof Type.Unsafe>, at: string) {
  return at === '' ? Type.Array(one) : Type.Object({ [at]: Type.Array(one) });
}
