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
import { answerInstallation, fakeOAuth } from './fake-oauth.ts';
import { GIT_ROUTES } from './git-routes.ts';
import { READ_ROUTES } from './read-routes.ts';
import { SETTING_ROUTES } from './setting-routes.ts';
import { createRepository, type FakeRepository, type Known, type Route, refusal } from './state.ts';
import { WRITE_ROUTES } from './write-routes.ts';

/** What GitHub knows of one user access token. */
export interface FakeGithubOptions {
  readonly token: string;
  /** Whether a person is asked when they sign in. */
  readonly asksConsent?: boolean;
  /** False for a personal access token, which has no app. */
  readonly isOfApp?: boolean;
  readonly installations?: Known['installations'];
  /** How many there are. Each is a real git repository from the first time that its content is asked for. */
  readonly repositories?: number;
  /** How many branches each of them has. */
  readonly branches?: number;
  /** What each of them holds from the beginning, instead. */
  readonly template?: BareRepository;
}

export interface FakeGithub extends FakeProvider {
  readonly repositories: readonly FakeRepository[];
  /** Change it and the next request meets it. */
  readonly known: Known;
}

const WRITER = {
  contents: 'write',
  metadata: 'read',
  pull_requests: 'write',
  issues: 'write',
  statuses: 'write',
  repository_hooks: 'write',
  administration: 'read',
};

/**
 * GitHub as its REST reference of version 2022-11-28 describes it, with state: branches and commits are git's own, issues, pull
 * requests, comments, statuses and hooks are kept. Every answer is held against GitHub's own document; one that does not fit is
 * an error of the fake and answered with 500.
 */
export function createFakeGithub(options: FakeGithubOptions): FakeGithub {
  const { repositories: count = 1, branches = 1, template } = options;
  const oauth = fakeOAuth(options);
  const known: Known = {
    tokens: oauth.tokens,
    login: 'mona',
    isOfApp: options.isOfApp ?? true,
    installations: options.installations ?? [{ id: 42, permissions: WRITER }],
    repositories: Array.from({ length: count }, (_, index) => createRepository(index + 1, { branches, template })),
    ownersWithoutTwoFactor: [],
    setupUrl: null,
  };
  // Also those that a test takes away have a folder to remove.
  const made = [...known.repositories];
  const routes = [...READ_ROUTES, ...SETTING_ROUTES, ...GIT_ROUTES, ...WRITE_ROUTES];
  return {
    known,
    tokens: oauth.tokens,
    repositories: known.repositories,
    answer: (request) =>
      oauth.answer(request) ?? answerInstallation(known, request) ?? answerApi(known, routes, request),
    git: {
      folderOf: async (path) => {
        const repository = known.repositories.find(({ owner, name }) => `${owner}/${name}` === path);
        return repository === undefined ? null : (await repository.git()).folder;
      },
      allows: (user) => user?.password === known.tokens.access,
    },
    close: async () => {
      await Promise.all(made.map((repository) => repository.remove()));
    },
  };
}

/** The same as a server of its own: API, sign-in pages and git at one address. Its repositories are cloned from there. */
export const startFakeGithub = (
  options: FakeGithubOptions,
  at: { readonly port?: number } = {},
): Promise<StartedProvider<FakeGithub>> => startFakeProvider(createFakeGithub(options), at);

async function answerApi(known: Known, routes: readonly Route[], request: TestRequest): Promise<TestAnswer> {
  if (request.headers['authorization'] !== `Bearer ${known.tokens.access}`) return refusal(401, 'Bad credentials');
  if (request.headers['x-github-api-version'] !== '2022-11-28') return refusal(400, 'Unsupported version');
  for (const route of routes) {
    const found = route.method === request.method ? route.path.exec(request.path) : null;
    if (found === null) continue;
    const [, ...parts] = found.map((part) => decodeURIComponent(part ?? ''));
    const answer = await answerRoute(known, route, { request, parts });
    return checked(route, answer);
  }
  return refusal(404, 'Not Found');
}

interface Asked {
  readonly request: TestRequest;
  readonly parts: readonly string[];
}

function answerRoute(known: Known, route: Route, { request, parts }: Asked): TestAnswer | Promise<TestAnswer> {
  const body: Json = request.body === '' ? null : JSON.parse(request.body);
  if (route.of === 'account') return route.answer({ known, request, parts, body });
  const [id, ...rest] = parts;
  const repository = known.repositories.find((one) => String(one.id) === id);
  if (repository === undefined) return refusal(404, 'Not Found');
  const { needs } = route;
  if (needs !== undefined) {
    const [permission, level] = needs;
    const granted = known.installations[0]?.permissions[permission];
    if (granted !== 'write' && granted !== level) return refusal(403, 'Resource not accessible by integration');
    if (level === 'write' && repository.isArchived) return refusal(403, 'Repository was archived so is read-only.');
  }
  return route.answer({ known, repository, request, parts: rest, body });
}

const { shapes }: { shapes: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../__fixtures__/openapi-shapes.json', import.meta.url), 'utf8'),
);

/** @throws where the answer is not as GitHub's document says */
function checked({ shape, isList }: Route, answer: TestAnswer): TestAnswer {
  const { status = 200, json } = answer;
  if (shape === undefined || status >= 300 || json === undefined) return answer;
  const one = Type.Unsafe(shapes[shape] ?? { not: {} });
  readAnswer(isList === undefined ? one : listOf(one, isList), json);
  return answer;
}

function listOf(one: ReturnType<typeof Type.Unsafe>, at: string) {
  return at === '' ? Type.Array(one) : Type.Object({ [at]: Type.Array(one), total_count: Type.Integer() });
}
