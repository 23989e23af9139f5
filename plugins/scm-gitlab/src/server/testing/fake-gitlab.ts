import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What GitLab knows of one token. */
export interface FakeGitlab {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly projects: number;
  readonly branches: number;
}

/**
 * GitLab as its REST reference (v4) describes it: keyset pages of projects, numbered pages of branches, both by `Link`.
 * Answers after the examples of "Users", "Projects", "Branches" and "REST API authentication".
 */
export function fakeGitlab(gitlab: FakeGitlab): (request: TestRequest) => TestAnswer {
  return (request) => {
    if (request.headers['authorization'] !== `Bearer ${gitlab.token}`) {
      return { status: 401, json: { message: '401 Unauthorized' } };
    }
    const may = (...scopes: string[]): boolean => scopes.some((scope) => gitlab.scopes.includes(scope));
    if (request.path === '/api/v4/user') {
      return may('api', 'read_api', 'read_user') ? { json: USER } : insufficient('api read_api read_user');
    }
    if (!may('api', 'read_api')) return insufficient('api read_api');
    if (request.path === '/api/v4/projects') return projects(gitlab, request);
    if (/^\/api\/v4\/projects\/\d+\/repository\/branches$/.test(request.path)) return branches(gitlab, request);
    return { status: 404, json: { message: '404 Not found' } };
  };
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

function projects({ projects: count }: FakeGitlab, { query, headers, path }: TestRequest): TestAnswer {
  if (query.get('owned') !== 'true')
    return { status: 400, json: { error: 'owned is missing: another list was meant' } };
  const size = Number(query.get('per_page') ?? 20);
  const after = Number(query.get('id_after') ?? 0);
  const ids = Array.from({ length: count }, (_, index) => index + 1).filter((id) => id > after);
  const shown = ids.slice(0, size);
  const next = new URLSearchParams(query);
  next.set('id_after', String(shown.at(-1) ?? 0));
  const hasMore = query.get('pagination') === 'keyset' && shown.length === size;
  return { json: shown.map(project), headers: hasMore ? link(`http://${headers['host']}${path}?${next}`) : {} };
}

function project(id: number): Json {
  return {
    id,
    path_with_namespace: `acme/project-${id}`,
    web_url: `https://gitlab.example.com/acme/project-${id}`,
    http_url_to_repo: `https://gitlab.example.com/acme/project-${id}.git`,
    default_branch: id === 2 ? null : 'main',
    visibility: id === 1 ? 'public' : 'private',
    archived: false,
  };
}

function branches({ branches: count }: FakeGitlab, { query, headers, path }: TestRequest): TestAnswer {
  const size = Number(query.get('per_page') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const all = Array.from({ length: count }, (_, index) => branch(index));
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const isLast = page * size >= count;
  const json = all.slice((page - 1) * size, page * size);
  return { json, headers: isLast ? {} : link(`http://${headers['host']}${path}?${next}`) };
}

function branch(index: number): Json {
  const id = String(index).padStart(40, 'a');
  return {
    name: `branch-${index}`,
    merged: false,
    protected: index === 0,
    default: index === 0,
    commit: { id, short_id: id.slice(0, 8) },
  };
}

function link(address: string): Record<string, string> {
  return { link: `<${address}>; rel="next"` };
}
