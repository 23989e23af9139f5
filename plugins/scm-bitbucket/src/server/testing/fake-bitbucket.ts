import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What Bitbucket knows of one token. */
export interface FakeBitbucket {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly workspaces: readonly string[];
  /** In each workspace. */
  readonly repositories: number;
  readonly branches: number;
}

/**
 * Bitbucket Cloud as its REST reference 2.0 describes it; `GET /workspaces` is gone (410, CHANGE-2770). Each answer's shape is held against
 * the provider's own document by the test.
 */
export function fakeBitbucket(bitbucket: FakeBitbucket): (request: TestRequest) => TestAnswer {
  return (request) => {
    if (request.headers['authorization'] !== `Bearer ${bitbucket.token}`) {
      return { status: 401, json: error('Access token expired. Use your refresh token to obtain a new access token.') };
    }
    const path = request.path.replace(/^\/2\.0/, '');
    if (path === '/workspaces') return { status: 410, json: error('CHANGE-2770: this endpoint is gone') };
    if (path === '/user') return withScopes(bitbucket, 'account', { json: ACCOUNT });
    if (path === '/user/workspaces') {
      return withScopes(bitbucket, 'account', page(request, bitbucket.workspaces.map(workspaceAccess)));
    }
    const [, workspace, rest = ''] = /^\/repositories\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (workspace === undefined || !bitbucket.workspaces.includes(workspace)) {
      return { status: 404, json: error(`No workspace with identifier '${workspace}'.`) };
    }
    if (rest === '') {
      const all = Array.from({ length: bitbucket.repositories }, (_, index) => repository(workspace, index));
      return withScopes(bitbucket, 'repository', page(request, all));
    }
    if (!/^\/%7B[0-9a-f-]{36}%7D\/refs\/branches$/.test(rest))
      return { status: 404, json: error('Repository not found') };
    const all = Array.from({ length: bitbucket.branches }, (_, index) => branch(index));
    return withScopes(bitbucket, 'repository', page(request, all));
  };
}

const ACCOUNT: Json = {
  type: 'user',
  uuid: '{470c176d-3574-44ea-bb41-89e8638bcca4}',
  display_name: 'Erik van Zijst',
  username: 'evzijst',
  created_on: '2012-01-09T02:02:12.000000+00:00',
};

const uuidOf = (index: number): string => `{${String(index).padStart(8, '0')}-3574-44ea-bb41-89e8638bcca4}`;

function workspaceAccess(slug: string, index: number): Json {
  return {
    type: 'workspace_access',
    administrator: false,
    workspace: { type: 'workspace_base', uuid: uuidOf(index), slug },
  };
}

function repository(workspace: string, index: number): Json {
  const name = `${workspace}/repo-${index}`;
  return {
    type: 'repository',
    uuid: uuidOf(index),
    full_name: name,
    is_private: true,
    ...(index === 1 ? {} : { mainbranch: { type: 'branch', name: 'main' } }),
    links: {
      html: { href: `https://bitbucket.org/${name}` },
      clone: [
        { name: 'https', href: `https://evzijst@bitbucket.org/${name}.git` },
        { name: 'ssh', href: `git@bitbucket.org:${name}.git` },
      ],
    },
  };
}

function branch(index: number): Json {
  return { type: 'branch', name: `branch-${index}`, target: { type: 'commit', hash: String(index).padStart(40, 'a') } };
}

function page({ path, query, headers }: TestRequest, all: readonly Json[]): TestAnswer {
  const size = Math.min(Number(query.get('pagelen') ?? 10), 100);
  const number = Number(query.get('page') ?? 1);
  const next = new URLSearchParams({ pagelen: String(size), page: String(number + 1) });
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

function withScopes({ scopes }: FakeBitbucket, needed: string, answer: TestAnswer): TestAnswer {
  const headers = { 'x-oauth-scopes': scopes.join(', ') };
  if (scopes.includes(needed)) return { ...answer, headers };
  const message = 'Your credentials lack one or more required privilege scopes.';
  return {
    status: 403,
    headers,
    json: { type: 'error', error: { message, detail: { granted: [...scopes], required: [needed] } } },
  };
}

function error(message: string): Json {
  return { type: 'error', error: { message } };
}
