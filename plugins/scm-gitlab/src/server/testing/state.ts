import type { Json } from '@breakwater/sdk';
import {
  type FakeTokens,
  type LazyRepository,
  lazyRepository,
  repositoryWithBranches,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';

/** Roles of GitLab. */
export const ROLE = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const;

export interface FakeOptions {
  readonly token: string;
  /** Whether a person is asked when they sign in. */
  readonly asksConsent?: boolean;
  readonly scopes: readonly string[];
  /** Owned projects `acme/project-<n>`; the first is public, the second empty. */
  readonly projects: number;
}

/** A merge request or an issue. */
export interface FakeThread {
  readonly iid: number;
  /** Id of the user who wrote it; the token's is 1. */
  readonly author: number;
  title: string;
  description: string;
  state: 'opened' | 'closed' | 'merged';
  readonly labels: readonly string[];
  readonly source: string;
  readonly target: string;
}

export interface FakeNote {
  readonly id: number;
  readonly author: number;
  readonly iid: number;
  body: string;
}

/** A project as a test sets it up, and what has become of it. */
export interface FakeProject extends LazyRepository {
  readonly id: number;
  /** Where the server is: part of every address of the project. */
  server: string;
  readonly path: string;
  readonly visibility: 'public' | 'private';
  defaultBranch: string | null;
  /** Of the token's user. */
  role: number;
  issuesEnabled: boolean;
  forkPipelines: boolean;
  readonly mergeRequests: FakeThread[];
  readonly issues: FakeThread[];
  readonly notes: FakeNote[];
  readonly statuses: { readonly id: number; readonly sha: string; readonly name: string; readonly fields: Json }[];
  readonly hooks: Map<number, Readonly<Record<string, Json>>>;
  /** Of each hook; GitLab never tells it. */
  readonly hookSecrets: Map<number, string>;
  protectedBranches: Json[];
  /** Null: the edition does not have it. */
  approvalRules: Json[] | null;
  /** Undefined: the edition does not have it; null: the project has no rule. */
  pushRule: Json | undefined;
  deployKeys: Json[];
  jobTokensLimited: boolean;
}

/** What all routes share. */
export interface Gitlab {
  readonly scopes: readonly string[];
  readonly tokens: FakeTokens;
  readonly projects: FakeProject[];
  /** Groups that require a second factor, by path. */
  readonly groups: Map<string, boolean>;
  nextId(): number;
}

/** A request that may be answered, with the parts of its path. */
export interface Call {
  readonly gitlab: Gitlab;
  readonly request: TestRequest;
  readonly project: FakeProject;
  readonly parts: readonly string[];
  /** Fields of the JSON body. */
  readonly body: ReadonlyMap<string, Json>;
}

export const WEB = 'https://gitlab.example.com';

export function createProject(id: number, path: string): FakeProject {
  return {
    id,
    server: WEB,
    path,
    visibility: id === 1 ? 'public' : 'private',
    defaultBranch: id === 2 ? null : 'main',
    role: ROLE.maintainer,
    issuesEnabled: true,
    forkPipelines: true,
    mergeRequests: [],
    issues: [],
    notes: [],
    statuses: [],
    hooks: new Map(),
    hookSecrets: new Map(),
    protectedBranches: [],
    approvalRules: null,
    pushRule: undefined,
    deployKeys: [],
    jobTokensLimited: true,
    ...lazyRepository(() => repositoryWithBranches(id === 2 ? 0 : 1, `# ${path}\n`)),
  };
}

export const addressOf = ({ server, path }: FakeProject): string => `${server}/${path}`;

export function projectJson(project: FakeProject): Json {
  const name = project.path.slice(project.path.lastIndexOf('/') + 1);
  const namespace = project.path.slice(0, project.path.lastIndexOf('/'));
  return {
    id: project.id,
    name,
    path: name,
    path_with_namespace: project.path,
    web_url: addressOf(project),
    http_url_to_repo: `${addressOf(project)}.git`,
    default_branch: project.defaultBranch,
    empty_repo: project.defaultBranch === null,
    visibility: project.visibility,
    archived: false,
    issues_enabled: project.issuesEnabled,
    namespace: { id: 7, name: namespace, path: namespace, kind: 'group', full_path: namespace },
    ci_allow_fork_pipelines_to_run_in_parent_project: project.forkPipelines,
  };
}

/** The person of this id: 1 is whose token it is. */
export function userJson(id: number): Json {
  const username = id === 1 ? 'john_smith' : `user_${id}`;
  return { id, username, name: username, state: 'active' };
}

export const DATE = '2026-01-01T00:00:00.000Z';

export const refuse = (status: number, message: Json): TestAnswer => ({ status, json: { message } });
export const notFound = (what = ''): TestAnswer => refuse(404, `404 ${what === '' ? '' : `${what} `}Not Found`);
export const forbidden = (why = ''): TestAnswer => refuse(403, `403 Forbidden${why === '' ? '' : ` - ${why}`}`);

/** A text of the body, empty where it is none. */
export function text(body: Call['body'], name: string): string {
  const value = body.get(name);
  return typeof value === 'string' ? value : '';
}

/** Numbered pages, told by `Link`. */
export function paged({ query, headers, path }: TestRequest, all: readonly Json[]): TestAnswer {
  const size = Math.min(Number(query.get('per_page') ?? 20), 100);
  const page = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const json = all.slice((page - 1) * size, page * size);
  const isLast = page * size >= all.length;
  return { json, headers: isLast ? {} : { link: `<http://${headers['host']}${path}?${next}>; rel="next"` } };
}
