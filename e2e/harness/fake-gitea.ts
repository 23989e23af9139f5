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
  /** Authorization headers it has seen. */
  tokens(): Set<string>;
  close(): Promise<void>;
}

/** Answer of `GET /user`. Source: Gitea API 1.22. */
export const LOGGED_IN_AS = (login: string): Answer => ({ status: 200, body: { id: 7, login, full_name: login } });

/** A Gitea on this machine: answers `/api/v1/user` as told and has no repositories. */
export const startFakeGitea = async (): Promise<FakeService> => {
  let answer: Answer = LOGGED_IN_AS('nobody');
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    seen.add(request.headers.authorization ?? '');
    const isUser = request.url === '/api/v1/user';
    const { status, body, type } = isUser ? answer : { status: 200, body: { ok: true, data: [] }, type: undefined };
    response.writeHead(status, { 'content-type': type ?? 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answerWith: (next) => {
      answer = next;
    },
    tokens: () => seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
