import type { Json } from '@breakwater/sdk';
import {
  type LazyRepository,
  lazyRepository,
  repositoryWithBranches,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';

export interface FakeOptions {
  readonly token: string;
  /** Whether a person is asked when they sign in. */
  readonly asksConsent?: boolean;
  readonly scopes: readonly string[];
  readonly workspaces: readonly string[];
  /** In each workspace: `repo-<n>`, of which `repo-1` is empty. */
  readonly repositories: number;
}

/** A pull request or an issue. */
export interface FakeThread {
  readonly id: number;
  /** Uuid of who wrote it. */
  readonly author: string;
  title: string;
  text: string;
  state: string;
  readonly source: string;
  readonly target: string;
}

export interface FakeComment {
  readonly id: number;
  readonly author: string;
  readonly on: number;
  text: string;
}

/** A repository as a test sets it up, and what has become of it. */
export interface FakeRepository extends LazyRepository {
  /** Where the server is: part of every address of the repository. */
  server: string;
  readonly uuid: string;
  readonly workspace: string;
  readonly slug: string;
  mainBranch: string | null;
  /** Of the token's user. */
  right: 'read' | 'write' | 'admin';
  hasIssues: boolean;
  readonly pullRequests: FakeThread[];
  readonly issues: FakeThread[];
  readonly comments: FakeComment[];
  /** By commit and key. */
  readonly statuses: Map<string, Json>;
  readonly hooks: Map<string, Json>;
  /** Of each hook; Bitbucket never tells it. */
  readonly hookSecrets: Map<string, string>;
  restrictions: Json[];
  deployKeys: Json[];
}

/** A request that may be answered, with the parts of its path. */
export interface Call {
  readonly request: TestRequest;
  readonly repository: FakeRepository;
  readonly parts: readonly string[];
  /** The JSON body. */
  readonly body: Json;
}

export const OWN_UUID = '{470c176d-3574-44ea-bb41-89e8638bcca4}';
export const DATE = '2026-01-01T00:00:00.000000+00:00';

const uuidOf = (index: number): string => `{${String(index).padStart(8, '0')}-3574-44ea-bb41-89e8638bcca4}`;

export function createRepository(workspace: string, index: number): FakeRepository {
  return {
    server: 'https://bitbucket.org',
    uuid: uuidOf(index),
    workspace,
    slug: `repo-${index}`,
    mainBranch: index === 1 ? null : 'main',
    right: 'admin',
    hasIssues: true,
    pullRequests: [],
    issues: [],
    comments: [],
    statuses: new Map(),
    hooks: new Map(),
    hookSecrets: new Map(),
    restrictions: [],
    deployKeys: [],
    ...lazyRepository(() => repositoryWithBranches(index === 1 ? 0 : 1, `# ${workspace}/repo-${index}\n`)),
  };
}

export const webOf = ({ server, workspace, slug }: FakeRepository): string => `${server}/${workspace}/${slug}`;

export function repositoryJson(repository: FakeRepository): Json {
  const { workspace, slug, uuid, mainBranch, hasIssues } = repository;
  const name = `${workspace}/${slug}`;
  return {
    type: 'repository',
    uuid,
    full_name: name,
    is_private: true,
    has_issues: hasIssues,
    ...(mainBranch === null ? {} : { mainbranch: { type: 'branch', name: mainBranch } }),
    links: {
      html: { href: webOf(repository) },
      clone: [
        { name: 'https', href: `${webOf(repository).replace('://', '://evzijst@')}.git` },
        { name: 'ssh', href: `git@bitbucket.org:${name}.git` },
      ],
    },
  };
}

export function accountJson(uuid: string): Json {
  const isOwn = uuid === OWN_UUID;
  return {
    type: 'user',
    uuid,
    display_name: isOwn ? 'Erik van Zijst' : 'Another',
    username: isOwn ? 'evzijst' : 'another',
  };
}

export function refuse(status: number, message: string): TestAnswer {
  return { status, json: { type: 'error', error: { message } } };
}

export function paged({ path, query, headers }: TestRequest, all: readonly Json[]): TestAnswer {
  const size = Math.min(Number(query.get('pagelen') ?? 10), 100);
  const number = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(number + 1));
  const isLast = number * size >= all.length;
  return {
    json: {
      pagelen: size,
      page: number,
      size: all.length,
      values: all.slice((number - 1) * size, number * size),
      ...(isLast ? {} : { next: `http://${headers['host']}${path}?${next}` }),
    },
  };
}
