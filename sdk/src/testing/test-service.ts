import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Json } from '../context.ts';
import { type ServedGit, serveGit } from './git/serve-git.ts';

/** A request as the fake service got it. */
export interface TestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case; a header that came twice is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
}

/** What the fake service answers: `json`, else `body`, else nothing. */
export interface TestAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly body?: string | Uint8Array;
  /** Instead of an answer: `held`, the connection stays open and nothing comes; `cut`, it breaks off. */
  readonly ends?: 'held' | 'cut';
}

/** Answers as the function says. */
export type TestAnswers = (request: TestRequest) => TestAnswer | Promise<TestAnswer>;

export interface TestServiceOptions {
  /** Repositories that the same server offers to git. */
  readonly git?: ServedGit;
  /** Default: one that is free. */
  readonly port?: number;
}

/** A service of the test's own on 127.0.0.1. */
export interface TestService {
  readonly url: URL;
  /** Everything that was asked, in order. */
  readonly requests: readonly TestRequest[];
  close(): Promise<void>;
}

/** Starts a fake service that answers as the function says. An error in it answers 500, so that a test does not hang. */
export async function startTestService(
  answer: TestAnswers,
  { git, port: wanted = 0 }: TestServiceOptions = {},
): Promise<TestService> {
  const requests: TestRequest[] = [];
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (git !== undefined && serveGit(git, incoming, response)) return;
    const request = await read(incoming);
    requests.push(request);
    const { status = 200, headers = {}, json, body, ends } = await answer(request);
    if (ends === 'held') return;
    if (ends === 'cut') {
      response.destroy();
      return;
    }
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers });
    response.end(json === undefined ? body : JSON.stringify(json));
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(incoming: IncomingMessage): Promise<TestRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const headers = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]);
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body: bytes.toString('utf8'),
    bytes,
  };
}
