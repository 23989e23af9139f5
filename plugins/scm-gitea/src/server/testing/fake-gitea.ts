import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What a Gitea server knows of one token. */
export interface FakeGitea {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly repositories: number;
  readonly branches: number;
  /** `MAX_RESPONSE_ITEMS` of the server. */
  readonly mostRows: number;
  /** False for servers that leave `X-Total-Count` out. */
  readonly tellsTotal: boolean;
}

/**
 * Gitea 1.22. Each answer's shape is held against the server's own document by the test; that pages are capped is in its configuration
 * cheat sheet (`[api] MAX_RESPONSE_ITEMS`).
 */
export function fakeGitea(gitea: FakeGitea): (request: TestRequest) => TestAnswer {
  return (request) => {
    if (request.headers['authorization'] !== `Bearer ${gitea.token}`)
      return refusal(401, 'invalid username, password or token');
    const path = request.path.replace(/^\/api\/v1/, '');
    const needed = path === '/user' ? 'read:user' : 'read:repository';
    if (!gitea.scopes.includes(needed)) {
      return refusal(403, `token does not have at least one of required scope(s): [${needed}]`);
    }
    if (path === '/user') return { json: USER };
    if (path === '/repos/search') {
      if (request.query.get('uid') !== '7') return refusal(422, 'everybody was asked for');
      const all = Array.from({ length: gitea.repositories }, (_, index) => repository(index + 1));
      return page(gitea, { request, all, body: (data) => ({ ok: true, data }) });
    }
    if (path === '/repositories/1') return { json: repository(1) };
    if (path === '/repos/acme/repo-1/branches') {
      return page(gitea, {
        request,
        all: Array.from({ length: gitea.branches }, (_, index) => branch(index)),
        body: (rows) => rows,
      });
    }
    return refusal(404, "The target couldn't be found.");
  };
}

const USER: Json = {
  id: 7,
  login: 'gopher',
  full_name: 'Go Pher',
  email: 'gopher@example.com',
  html_url: 'https://gitea.example.com/gopher',
  is_admin: false,
  active: true,
};

function repository(id: number): Json {
  return {
    id,
    name: `repo-${id}`,
    full_name: `acme/repo-${id}`,
    html_url: `https://gitea.example.com/acme/repo-${id}`,
    clone_url: `https://gitea.example.com/acme/repo-${id}.git`,
    ssh_url: `git@gitea.example.com:acme/repo-${id}.git`,
    default_branch: id === 2 ? '' : 'main',
    private: true,
    archived: false,
    empty: id === 2,
    fork: false,
  };
}

function branch(index: number): Json {
  const commit = { id: String(index).padStart(40, 'a'), message: 'Change', url: '', timestamp: '2026-01-09T02:02:12Z' };
  return { name: `branch-${index}`, commit, protected: index === 0, user_can_push: true };
}

interface List {
  readonly request: TestRequest;
  readonly all: readonly Json[];
  body(rows: Json[]): Json;
}

function page({ mostRows, tellsTotal }: FakeGitea, { request, all, body }: List): TestAnswer {
  const size = Math.min(Number(request.query.get('limit') ?? 30), mostRows);
  const number = Number(request.query.get('page') ?? 1);
  const headers: Record<string, string> = tellsTotal ? { 'x-total-count': String(all.length) } : {};
  return { json: body(all.slice((number - 1) * size, number * size)), headers };
}

function refusal(status: number, message: string): TestAnswer {
  return { status, json: { message, url: 'https://gitea.example.com/api/swagger' } };
}
