import { readFileSync } from 'node:fs';
import { type Json, readAnswer, Type } from '@breakwater/sdk';
import {
  type FakeProvider,
  type StartedProvider,
  startFakeProvider,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import { fakeOAuth } from './fake-oauth.ts';
import {
  createBranch,
  createCommit,
  getBranch,
  getCommit,
  getFile,
  listBranches,
  listCommits,
} from './repository-routes.ts';
import * as settings from './settings-routes.ts';
import {
  type Call,
  createProject,
  type FakeOptions,
  type FakeProject,
  forbidden,
  type Gitlab,
  notFound,
  projectJson,
  ROLE,
} from './state.ts';
import * as threads from './thread-routes.ts';

/** GitLab with what it keeps. */
export interface FakeGitlab extends FakeProvider {
  /** Its projects. */
  readonly repositories: readonly FakeProject[];
  readonly groups: Map<string, boolean>;
  /** One more project, such as `group/sub group/project`. */
  add(path: string): FakeProject;
}

interface Route {
  readonly method: string;
  /** Below the project. Each group is a part of the path, decoded. */
  readonly path: RegExp;
  /** Least role of the token's user. */
  readonly role: number;
  /** Of one row, where the answer is a list. */
  readonly shape: string;
  answer(call: Call): TestAnswer | Promise<TestAnswer>;
}

const read = (path: RegExp, shape: string, answer: Route['answer'], role: number = ROLE.guest): Route => ({
  method: 'GET',
  path,
  role,
  shape,
  answer,
});
const writes = (
  method: string,
  path: RegExp,
  shape: string,
  answer: Route['answer'],
  role: number = ROLE.developer,
): Route => ({
  method,
  path,
  role,
  shape,
  answer,
});

const FILE = /^\/repository\/files\/([^/]+)$/;
const BRANCHES = /^\/repository\/branches$/;
const MERGE_REQUESTS = /^\/merge_requests$/;
const NOTES = /^\/merge_requests\/(\d+)\/notes$/;

const ROUTES: readonly Route[] = [
  read(/^$/, 'project', ({ project }) => ({ json: projectJson(project) })),
  read(BRANCHES, 'branch', listBranches),
  read(/^\/repository\/branches\/([^/]+)$/, 'branch', getBranch),
  writes('POST', BRANCHES, 'branch', createBranch),
  read(/^\/repository\/commits$/, 'commit', listCommits),
  writes('POST', /^\/repository\/commits$/, 'commit', createCommit),
  read(FILE, 'file', getFile),
  writes('HEAD', FILE, 'file', getFile, ROLE.guest),
  read(MERGE_REQUESTS, 'mergeRequest', threads.listThreads('merge_requests')),
  read(/^\/merge_requests\/(\d+)$/, 'mergeRequest', threads.getThread('merge_requests')),
  writes('POST', MERGE_REQUESTS, 'mergeRequest', threads.createMergeRequest),
  read(/^\/issues\/(\d+)$/, 'issue', threads.getThread('issues')),
  read(/^\/repository\/commits\/([^/]+)$/, 'commit', getCommit),
  read(/^\/issues$/, 'issue', threads.listThreads('issues')),
  writes('POST', /^\/issues$/, 'issue', threads.createIssue, ROLE.guest),
  read(NOTES, 'note', threads.listNotes),
  writes('POST', NOTES, 'note', threads.createNote, ROLE.guest),
  writes('PUT', /^\/merge_requests\/(\d+)\/notes\/(\d+)$/, 'note', threads.updateNote, ROLE.guest),
  read(/^\/repository\/commits\/([^/]+)\/statuses$/, 'status', threads.listStatuses),
  writes('POST', /^\/statuses\/([^/]+)$/, 'status', threads.createStatus),
  read(/^\/hooks$/, 'hook', settings.listHooks, ROLE.maintainer),
  writes('POST', /^\/hooks$/, 'hook', settings.createHook, ROLE.maintainer),
  writes('PUT', /^\/hooks\/(\d+)$/, 'hook', settings.updateHook, ROLE.maintainer),
  writes('DELETE', /^\/hooks\/(\d+)$/, 'hook', settings.deleteHook, ROLE.maintainer),
  read(/^\/protected_branches$/, 'protectedBranch', settings.listProtectedBranches, ROLE.maintainer),
  writes('POST', /^\/protected_branches$/, 'protectedBranch', settings.protectBranch, ROLE.maintainer),
  writes('PATCH', /^\/protected_branches\/([^/]+)$/, 'protectedBranch', settings.changeBranchRule, ROLE.maintainer),
  writes('POST', /^\/approval_rules$/, 'approvalRule', settings.createApprovalRule, ROLE.maintainer),
  writes('PUT', /^\/approval_rules\/(\d+)$/, 'approvalRule', settings.changeApprovalRule, ROLE.maintainer),
  writes('POST', /^\/push_rule$/, 'pushRule', settings.keepPushRule(true), ROLE.maintainer),
  writes('PUT', /^\/push_rule$/, 'pushRule', settings.keepPushRule(false), ROLE.maintainer),
  writes('PATCH', /^\/job_token_scope$/, 'jobTokenScope', settings.changeJobTokenScope, ROLE.maintainer),
  read(/^\/approval_rules$/, 'approvalRule', settings.listApprovalRules),
  read(/^\/push_rule$/, 'pushRule', settings.getPushRule),
  read(/^\/job_token_scope$/, 'jobTokenScope', settings.getJobTokenScope, ROLE.maintainer),
  read(/^\/deploy_keys$/, 'deployKey', settings.listDeployKeys, ROLE.maintainer),
];

/**
 * GitLab as its REST reference (v4) describes it: keyset pages of projects, other lists in numbered pages, both by `Link`; branches, files
 * and commits are those of a real git repository. Every answer has the shape of the types of @gitbeaker.
 */
export function createFakeGitlab(options: FakeOptions): FakeGitlab {
  let lastId = 5000;
  const projects = Array.from({ length: options.projects }, (_, index) =>
    createProject(index + 1, `acme/project-${index + 1}`),
  );
  const oauth = fakeOAuth(options);
  const gitlab: Gitlab = {
    scopes: options.scopes,
    tokens: oauth.tokens,
    projects,
    groups: new Map([['acme', true]]),
    nextId: () => {
      lastId += 1;
      return lastId;
    },
  };
  return {
    tokens: oauth.tokens,
    answer: async (request) => oauth.answer(request) ?? checked(await answerOf(gitlab, request)),
    git: {
      folderOf: async (path) => (await projects.find((project) => project.path === path)?.git())?.folder ?? null,
      allows: (user, wants, path) => {
        const isPublic = projects.some((project) => project.path === path && project.visibility === 'public');
        return user?.password === oauth.tokens.access || (wants === 'read' && isPublic);
      },
    },
    repositories: projects,
    groups: gitlab.groups,
    add: (path) => {
      const project = createProject(projects.length + 1, path);
      projects.push(project);
      return project;
    },
    close: async () => {
      await Promise.all(projects.map((project) => project.remove()));
    },
  };
}

/** The same as a server of its own. Its projects are cloned from there. */
export const startFakeGitlab = (
  options: FakeOptions,
  at: { readonly port?: number } = {},
): Promise<StartedProvider<FakeGitlab>> => startFakeProvider(createFakeGitlab(options), at);

interface Shaped {
  readonly answer: TestAnswer;
  readonly shape: string | null;
}

async function answerOf(gitlab: Gitlab, request: TestRequest): Promise<Shaped> {
  const plain = (answer: TestAnswer): Shaped => ({ answer, shape: null });
  if (request.headers['authorization'] !== `Bearer ${gitlab.tokens.access}`) {
    return plain({ status: 401, json: { message: '401 Unauthorized' } });
  }
  const may = (...scopes: string[]): boolean => scopes.some((scope) => gitlab.scopes.includes(scope));
  const path = request.path.replace(/^\/api\/v4/, '');
  if (path === '/user') {
    return may('api', 'read_api', 'read_user')
      ? { answer: { json: USER }, shape: 'user' }
      : plain(insufficient('api read_api read_user'));
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const needed = isRead ? ['api', 'read_api'] : ['api'];
  if (!may(...needed)) return plain(insufficient(needed.join(' ')));
  if (path === '/projects') return { answer: listProjects(gitlab, request), shape: 'project' };
  const [, group] = /^\/groups\/([^/]+)$/.exec(path) ?? [];
  if (group !== undefined)
    return { answer: settings.groupAnswer(gitlab.groups, decodeURIComponent(group)), shape: 'group' };
  const [, id, rest = ''] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const named = id === undefined ? '' : decodeURIComponent(id);
  const project = gitlab.projects.find((one) => String(one.id) === named || one.path === named);
  if (project === undefined) return plain(notFound('Project'));
  return toProject({ gitlab, request, project }, rest);
}

async function toProject(call: Pick<Call, 'gitlab' | 'request' | 'project'>, rest: string): Promise<Shaped> {
  const route = ROUTES.find(({ method, path }) => method === call.request.method && path.test(rest));
  if (route === undefined) return { answer: { status: 404, json: { error: '404 Not Found' } }, shape: null };
  if (call.project.role < route.role) return { answer: forbidden(), shape: null };
  const parts = (route.path.exec(rest) ?? []).slice(1).map(decodeURIComponent);
  return { answer: await route.answer({ ...call, parts, body: bodyOf(call.request) }), shape: route.shape };
}

function bodyOf({ body }: TestRequest): ReadonlyMap<string, Json> {
  if (body === '') return new Map();
  return new Map(Object.entries(readAnswer(Type.Record(Type.String(), Type.Unsafe<Json>({})), JSON.parse(body))));
}

const USER: Json = { id: 1, username: 'john_smith', name: 'John Smith', state: 'active', email: 'john@example.com' };

function insufficient(scope: string): TestAnswer {
  return {
    status: 403,
    headers: {
      'www-authenticate': `Bearer realm="Protected by OAuth 2.0", error="insufficient_scope", scope="${scope}"`,
    },
    json: {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope,
    },
  };
}

function listProjects({ projects }: Gitlab, { query, headers, path }: TestRequest): TestAnswer {
  if (query.get('owned') !== 'true')
    return { status: 400, json: { error: 'owned is missing: another list was meant' } };
  const size = Number(query.get('per_page') ?? 20);
  const after = Number(query.get('id_after') ?? 0);
  const shown = projects.filter(({ id }) => id > after).slice(0, size);
  const next = new URLSearchParams(query);
  next.set('id_after', String(shown.at(-1)?.id ?? 0));
  const hasMore = query.get('pagination') === 'keyset' && shown.length === size;
  const link = { link: `<http://${headers['host']}${path}?${next}>; rel="next"` };
  return { json: shown.map(projectJson), headers: hasMore ? link : {} };
}

const { shapes } = readAnswer(
  Type.Object({ shapes: Type.Record(Type.String(), Type.Unsafe<object>({})) }),
  JSON.parse(readFileSync(new URL('../__fixtures__/gitbeaker-shapes.json', import.meta.url), 'utf8')),
);

/** @throws where a good answer has not the shape of GitLab's own */
function checked({ answer, shape }: Shaped): TestAnswer {
  const isGood = (answer.status ?? 200) < 300 && answer.json !== undefined && answer.json !== null;
  if (shape === null || !isGood) return answer;
  const known = shapes[shape];
  if (known === undefined) throw new Error(`The fake has no shape "${shape}".`);
  readAnswer(Array.isArray(answer.json) ? Type.Array(Type.Unsafe(known)) : Type.Unsafe(known), answer.json ?? null);
  return answer;
}
