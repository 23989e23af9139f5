import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What GitHub knows of one user access token. */
export interface FakeGithub {
  readonly token: string;
  /** False for a personal access token, which has no app. */
  readonly isOfApp: boolean;
  readonly installations: readonly { id: number; permissions: Readonly<Record<string, string>>; suspended?: boolean }[];
  readonly repositories: number;
  readonly branches: number;
}

/**
 * GitHub as its REST reference of version 2022-11-28 describes it, lists cut into pages by `per_page` and `Link`.
 * Answers after the examples of "Get the authenticated user", "List app installations accessible to the user access token",
 * "List repositories accessible to the user access token", "List branches".
 */
export function fakeGithub(github: FakeGithub): (request: TestRequest) => TestAnswer {
  return (request) => {
    if (request.headers['authorization'] !== `Bearer ${github.token}`) return refusal(401, 'Bad credentials');
    if (request.headers['x-github-api-version'] !== '2022-11-28') return refusal(400, 'Unsupported version');
    if (request.path === '/user') return { json: { login: 'mona', id: 1, type: 'User', email: null } };
    if (request.path === '/user/installations') {
      if (!github.isOfApp) {
        return refusal(
          403,
          'You must authenticate with an access token authorized to a GitHub App in order to list installations',
        );
      }
      const all = github.installations.map(installation);
      return page(request, all, (rows) => ({ total_count: all.length, installations: rows }));
    }
    const installationId = /^\/user\/installations\/(\d+)\/repositories$/.exec(request.path)?.[1];
    if (installationId !== undefined) {
      if (!github.installations.some(({ id }) => String(id) === installationId)) return refusal(404, 'Not Found');
      const all = Array.from({ length: github.repositories }, (_, index) => repository(index + 1));
      return page(request, all, (rows) => ({ total_count: all.length, repositories: rows }));
    }
    if (/^\/repositories\/\d+\/branches$/.test(request.path)) {
      return page(
        request,
        Array.from({ length: github.branches }, (_, index) => branch(index)),
        (rows) => rows,
      );
    }
    return refusal(404, 'Not Found');
  };
}

function installation({ id, permissions, suspended }: FakeGithub['installations'][number]): Json {
  return {
    id,
    account: { login: 'octo-org', id: 2, type: 'Organization' },
    app_id: 1,
    target_type: 'Organization',
    permissions,
    events: ['push'],
    suspended_at: suspended ? '2026-01-09T02:02:12Z' : null,
  };
}

function repository(id: number): Json {
  return {
    id,
    full_name: `octo-org/repo-${id}`,
    private: true,
    html_url: `https://github.com/octo-org/repo-${id}`,
    clone_url: `https://github.com/octo-org/repo-${id}.git`,
    default_branch: 'main',
    archived: id === 1,
  };
}

function branch(index: number): Json {
  const sha = String(index).padStart(40, '0');
  return {
    name: `branch-${index}`,
    commit: { sha, url: `https://api.github.com/commits/${sha}` },
    protected: index === 0,
  };
}

function page(request: TestRequest, all: readonly Json[], body: (rows: Json[]) => Json): TestAnswer {
  const size = Number(request.query.get('per_page') ?? 30);
  const number = Number(request.query.get('page') ?? 1);
  const next = new URL(`http://${request.headers['host']}${request.path}`);
  next.search = new URLSearchParams({ per_page: String(size), page: String(number + 1) }).toString();
  const isLast = number * size >= all.length;
  const headers: Record<string, string> = isLast ? {} : { link: `<${next}>; rel="next", <${next}>; rel="last"` };
  return { json: body(all.slice((number - 1) * size, number * size)), headers };
}

function refusal(status: number, message: string): TestAnswer {
  return { status, json: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) } };
}
