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
  scopes: readonly string[];
  readonly login: string;
  readonly repositories: FakeRepository[];
  /** `MAX_RESPONSE_ITEMS` of the server. */
  readonly mostRows: number;
  /** False for servers that leave `X-Total-Count` out. */
  readonly tellsTotal: boolean;
}

/** An issue or a pull request: Gitea counts both together. */
export interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly user: string;
  readonly labels: readonly number[];
  state: string;
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

export interface FakeRepository {
  readonly id: number;
  readonly owner: string;
  /** Where the server is: part of every address of the repository. */
  server: string;
  name: string;
  readonly isEmpty: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** Role of the token's user. */
  permissions: { admin: boolean; push: boolean; pull: boolean };
  readonly issues: FakeIssue[];
  readonly comments: FakeComment[];
  readonly labels: { readonly id: number; readonly name: string }[];
  readonly statuses: { readonly commit: string; readonly status: Readonly<Record<string, Json>> }[];
  readonly hooks: FakeHook[];
  /** Of the default branch; null for none. */
  protection: Readonly<Record<string, Json>> | null;
  keys: readonly Json[];
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
    owner: 'acme',
    server: 'https://gitea.example.com',
    name: `repo-${id}`,
    isEmpty: id === 2,
    isArchived: false,
    hasIssues: true,
    permissions: { admin: true, push: true, pull: true },
    issues: [],
    comments: [],
    labels: [],
    statuses: [],
    hooks: [],
    protection: null,
    keys: [],
    ...lazyRepository(() => template?.copy() ?? repositoryWithBranches(id === 2 ? 0 : branches)),
  };
}

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
  /** Name of a shape of Gitea's document that a good answer has; with `isList` its rows, below the key that it names. */
  readonly shape?: string;
  readonly isList?: string;
}

export type Route =
  | (RouteFacts & {
      readonly of: 'account';
      readonly scope: string;
      answer(call: Call): TestAnswer | Promise<TestAnswer>;
    })
  | (RouteFacts & {
      readonly of: 'repository';
      /** Family of scopes; default `repository`. */
      readonly scope?: 'issue';
      /** Role that the user needs in the repository. */
      readonly role?: 'push' | 'admin';
      answer(call: RepositoryCall): TestAnswer | Promise<TestAnswer>;
    });

export function refusal(status: number, message: string): TestAnswer {
  return { status, json: { message, url: 'https://gitea.example.com/api/swagger' } };
}

/** One page of a list, capped as servers cap it. */
export function page(
  { known, request }: Call,
  all: readonly Json[],
  body: (rows: Json[]) => Json = (rows) => rows,
): TestAnswer {
  const size = Math.min(Number(request.query.get('limit') ?? 30), known.mostRows);
  const number = Number(request.query.get('page') ?? 1);
  const headers: Record<string, string> = known.tellsTotal ? { 'x-total-count': String(all.length) } : {};
  return { json: body(all.slice((number - 1) * size, number * size)), headers };
}

export function account(login: string): Json {
  return {
    id: 7,
    login,
    full_name: 'Go Pher',
    email: `${login}@example.com`,
    html_url: `https://gitea.example.com/${login}`,
    is_admin: false,
    active: true,
  };
}

export function addressOf({ server, owner, name }: FakeRepository): string {
  return `${server}/${owner}/${name}`;
}
