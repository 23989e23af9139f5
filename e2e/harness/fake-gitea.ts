import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  status: number;
  body: unknown;
  type?: string;
}

export interface FakeService {
  url: string;
  /** What it answers to `GET /user` from now on. */
  answerWith(answer: Answer): void;
  /** How many repositories it has from now on. */
  hold(repositories: number): void;
  /** Authorization headers it has seen. */
  tokens(): Set<string>;
  close(): Promise<void>;
}

/** Answer of `GET /user`. Source: Gitea API 1.22. */
export const LOGGED_IN_AS = (login: string): Answer => ({ status: 200, body: { id: 7, login, full_name: login } });

/** Rows of a page, as a server gives them that is configured so: `[api] MAX_RESPONSE_ITEMS`. */
const PAGE = 100;

/** What it answers besides the user: its repositories page by page, one of them, and the branches of each. Source: Gitea API 1.22. */
const listing = (address: string, count: number): { total: number; body: unknown } => {
  const { pathname, searchParams } = new URL(address, 'http://gitea.invalid');
  const repository = (id: number) => {
    const name = `harbour/repository-${String(id).padStart(3, '0')}`;
    const html_url = `https://git.harbour.example/${name}`;
    return {
      id,
      full_name: name,
      html_url,
      clone_url: `${html_url}.git`,
      default_branch: 'main',
      private: id % 2 === 0,
    };
  };
  const one = /^\/api\/v1\/repositories\/(\d+)$/.exec(pathname);
  if (one !== null) return { total: 1, body: repository(Number(one[1])) };
  const page = Number(searchParams.get('page') ?? 1);
  if (pathname.endsWith('/branches')) {
    const names = page === 1 ? ['main', 'develop'] : [];
    return { total: 2, body: names.map((name) => ({ name, commit: { id: 'a'.repeat(40) }, protected: false })) };
  }
  const ids = Array.from({ length: count }, (_, index) => index + 1).slice((page - 1) * PAGE, page * PAGE);
  return { total: count, body: { ok: true, data: ids.map(repository) } };
};

/** A Gitea on this machine: answers `/api/v1/user` as told; its repositories are as many as it is told. */
export const startFakeGitea = async (): Promise<FakeService> => {
  let answer: Answer = LOGGED_IN_AS('nobody');
  let repositories = 0;
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    seen.add(request.headers.authorization ?? '');
    const isUser = request.url === '/api/v1/user';
    const { total, body: listed } = listing(request.url ?? '/', repositories);
    const { status, body, type } = isUser ? answer : { status: 200, body: listed, type: undefined };
    response.writeHead(status, { 'content-type': type ?? 'application/json', 'x-total-count': total });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answerWith: (next) => {
      answer = next;
    },
    hold: (count) => {
      repositories = count;
    },
    tokens: () => seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
