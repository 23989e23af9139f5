import type { Json } from '@breakwater/sdk';
import {
  type BareRepository,
  type FakeTokens,
  lazyRepository,
  repositoryWithBranches,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';

/** All that the fake keeps. */
export interface Known {
  readonly tokens: FakeTokens;
  readonly login: string;
  isOfApp: boolean;
  installations: readonly { id: number; permissions: Readonly<Record<string, string>>; suspended?: boolean }[];
  readonly repositories: readonly FakeRepository[];
  /** Null: the connection may not see it. */
  ownersWithoutTwoFactor: readonly string[] | null;
  /** Where the app's settings send people who have installed it; null for nowhere. */
  setupUrl: string | null;
}

/** An issue or a pull request: GitHub counts both together. */
export interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly user: string;
  readonly labels: readonly string[];
  state: string;
  /** Why it was closed. */
  state_reason?: string;
  isMerged?: boolean;
  readonly head?: string;
  readonly base?: string;
}

export interface FakeComment {
  readonly id: number;
  readonly issue: number;
  readonly user: string;
  body: string;
}

export interface FakeHook {
  readonly id: number;
  events: readonly string[];
  active: boolean;
  config: Readonly<Record<string, string>>;
}

export interface FakeRuleset {
  readonly id: number;
  name: string;
  enforcement: string;
  conditions: Json;
  bypass_actors: readonly Json[];
  rules: readonly Json[];
}

/** What `posture` asks for; null: the connection may not see it. */
export interface FakeSettings {
  protection: Json;
  /** Of rulesets of the organisation. */
  rules: readonly Json[];
  /** The repository's own. */
  readonly rulesets: FakeRuleset[];
  actions: Json;
  workflow: Json;
  forks: Json;
  keys: readonly Json[] | null;
}

export interface FakeRepository {
  readonly id: number;
  readonly owner: string;
  /** Where the server is: part of every address of the repository. */
  server: string;
  name: string;
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** Role of the token's user. */
  permissions: { admin: boolean; push: boolean; pull: boolean };
  readonly issues: FakeIssue[];
  readonly comments: FakeComment[];
  readonly statuses: { readonly commit: string; readonly status: Readonly<Record<string, Json>> }[];
  readonly hooks: FakeHook[];
  readonly settings: FakeSettings;
  git(): Promise<BareRepository>;
  remove(): Promise<void>;
}

export const MADE_AT = '2026-01-09T02:02:12Z';

interface Content {
  readonly branches: number;
  readonly template: BareRepository | undefined;
}

export function createRepository(id: number, { branches, template }: Content): FakeRepository {
  return {
    id,
    owner: 'octo-org',
    server: 'https://github.com',
    name: `repo-${id}`,
    isPrivate: true,
    isArchived: false,
    hasIssues: true,
    permissions: { admin: true, push: true, pull: true },
    issues: [],
    comments: [],
    statuses: [],
    hooks: [],
    settings: {
      protection: null,
      rules: [],
      rulesets: [],
      actions: { enabled: true, allowed_actions: 'all', sha_pinning_required: false },
      workflow: { default_workflow_permissions: 'read', can_approve_pull_request_reviews: false },
      forks: {
        run_workflows_from_fork_pull_requests: false,
        send_write_tokens_to_workflows: false,
        send_secrets_and_variables: false,
        require_approval_for_fork_pr_workflows: true,
      },
      keys: [],
    },
    ...lazyRepository(() => template?.copy() ?? repositoryWithBranches(branches)),
  };
}

/** What a route gets: `parts` of its path after the repository's number. */
export interface Call {
  readonly known: Known;
  readonly request: TestRequest;
  readonly parts: readonly string[];
  readonly body: Json;
}

export interface RepositoryCall extends Call {
  readonly repository: FakeRepository;
}

interface RouteFacts {
  readonly method: string;
  readonly path: RegExp;
  /** Name of a shape of GitHub's document that a good answer has; with `isList` its rows, below the key that it names. */
  readonly shape?: string;
  readonly isList?: string;
}

export type Route =
  | (RouteFacts & { readonly of: 'account'; answer(call: Call): TestAnswer | Promise<TestAnswer> })
  | (RouteFacts & {
      readonly of: 'repository';
      /** Permission of the app and its level. */
      readonly needs?: readonly [string, 'read' | 'write'];
      answer(call: RepositoryCall): TestAnswer | Promise<TestAnswer>;
    });

export function refusal(status: number, message: string, errors?: readonly Json[]): TestAnswer {
  const more = errors === undefined ? {} : { errors };
  return {
    status,
    json: { message, ...more, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  };
}

/** One page of a list, by `per_page` and `Link`. */
export function page(
  request: TestRequest,
  all: readonly Json[],
  body: (rows: Json[]) => Json = (rows) => rows,
): TestAnswer {
  const size = Number(request.query.get('per_page') ?? 30);
  const number = Number(request.query.get('page') ?? 1);
  const next = new URL(`http://${request.headers['host']}${request.path}`);
  next.search = new URLSearchParams({ ...Object.fromEntries(request.query), page: String(number + 1) }).toString();
  const isLast = number * size >= all.length;
  const headers: Record<string, string> = isLast ? {} : { link: `<${next}>; rel="next", <${next}>; rel="last"` };
  return { json: body(all.slice((number - 1) * size, number * size)), headers };
}

export function account(login: string): Json {
  return { login, id: login === 'octo-org' ? 2 : 1, type: login === 'octo-org' ? 'Organization' : 'User' };
}

export function addressOf({ server, owner, name }: FakeRepository): string {
  return `${server}/${owner}/${name}`;
}
