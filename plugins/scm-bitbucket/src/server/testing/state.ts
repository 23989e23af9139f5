import type { Json } from '@breakwater/sdk';
import { type BareRepository, createBareRepository, type TestAnswer, type TestRequest } from '@breakwater/sdk/testing';

export interface FakeOptions {
  readonly token: string;
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
export interface FakeRepository {
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
  restrictions: Json[];
  deployKeys: Json[];
  /** Its git repository, made at the first use. */
  repository(): Promise<BareRepository>;
  /** Folder of the repository, null before its first use. */
  folder(): string | null;
  remove(): Promise<void>;
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
  let made: Promise<BareRepository> | null = null;
  let folder: string | null = null;
  const fake: FakeRepository = {
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
    restrictions: [],
    deployKeys: [],
    repository: () => {
      made ??= (async () => {
        const repository = await createBareRepository();
        folder = repository.folder;
        const files = { 'README.md': `# ${workspace}/repo-${index}\n` };
        if (fake.mainBranch !== null) {
          await repository.commitFiles({ branch: fake.mainBranch, message: 'feat: begin', files });
        }
        return repository;
      })();
      return made;
    },
    folder: () => folder,
    remove: async () => (await made)?.remove(),
  };
  return fake;
}

export const webOf = ({ workspace, slug }: FakeRepository): string => `https://bitbucket.org/${workspace}/${slug}`;

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
        { name: 'https', href: `https://evzijst@bitbucket.org/${name}.git` },
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
