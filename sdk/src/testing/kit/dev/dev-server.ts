import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { VIEW_HEADERS } from '../../../view/view-document.ts';
import { CommandError } from '../commands/command-error.ts';
import type { Environment } from '../record/form-values.ts';
import type { PageAnswer, PageQuestion } from './dev-worker.ts';
import { POLICY } from './page.ts';
import type { ViewCall } from './run-connector.ts';
import { watchFolder } from './watch-folder.ts';

export interface DevServer {
  readonly url: URL;
  close(): Promise<void>;
}

export interface DevOptions {
  /** Default: one that is free. */
  readonly port?: number;
  readonly environment: Environment;
}

/** Written once for Node's type stripping and once for the packed SDK. */
const WORKER = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'dev-worker.ts' : 'dev-worker.js');
const MOST_BYTES = 256 * 1024;

/**
 * Serves the card, the form and the results of a connector's folder on 127.0.0.1, and tells the page when a file has changed.
 * Each state of the files has a worker of its own, so that modules are read anew.
 */
export async function startDevServer(folder: string, { port = 0, environment }: DevOptions): Promise<DevServer> {
  const root = resolve(folder);
  const listeners = new Set<ServerResponse>();
  let pages = startPages(root);
  // starts while the author writes: it has the SDK loaded, and nothing of the connector
  let next = startPages(root);
  const stopWatching = await watchFolder(root, () => {
    void pages.close();
    [pages, next] = [next, startPages(root)];
    for (const response of listeners) response.write('event: change\ndata: \n\n');
  });
  /** Asked again where the files changed meanwhile. */
  const present = async (question: Question): Promise<[number, string]> => {
    for (;;) {
      const asked = pages;
      const answer = await asked.ask(question);
      if (asked === pages) return answer;
    }
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = URL.parse(request.url ?? '/', 'http://127.0.0.1')?.pathname ?? '/';
    const refusal = refusalOf(request, host());
    if (refusal !== undefined) return send(response, 403, refusal);
    if (path === '/changes') return listen(response, listeners);
    if (path === '/favicon.ico') return send(response, 204, '');
    const [name = '', part] = path.slice(1).split('/');
    const connector = decoded(name);
    if (part === 'view') return sendView(response, ...(await present({ connector, view: 'document' })));
    if (part === 'call' && request.method === 'POST') {
      return send(response, ...(await pages.ask({ connector, view: callIn(await bodyOf(request)) })));
    }
    if (part !== undefined) return send(response, 404, 'There is no such page.');
    if (request.method !== 'POST') return send(response, ...(await present({ connector })));
    const typed = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    send(response, ...(await pages.ask({ connector, real: { typed, environment: { ...environment } } })));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => send(response, 500, String(error)));
  });
  const end = async (): Promise<void> => {
    stopWatching();
    await Promise.all([pages.close(), next.close()]);
  };
  await new Promise<void>((done, fail) => {
    server.once('error', ({ message }) => fail(new CommandError(`The port cannot be used: ${message}`)));
    server.listen(port, '127.0.0.1', done);
  }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const address = server.address();
  const host = (): string => `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    url: new URL(`http://${host()}`),
    close: async () => {
      await end();
      await new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    },
  };
}

/** Another page of the browser must not make this one call the service: not by a name that leads here, nor by a form of its own. */
function refusalOf({ method, headers }: IncomingMessage, host: string): string | undefined {
  const names = [host, host.replace('127.0.0.1', 'localhost')];
  if (!names.includes(headers.host ?? '')) return 'This address is for this machine alone.';
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method !== 'POST') return 'Only GET and POST are known.';
  return names.some((name) => headers.origin === `http://${name}`)
    ? undefined
    : 'The form of another page is not taken.';
}

function listen(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': here\n\n');
  listeners.add(response);
  response.once('close', () => listeners.delete(response));
}

function send(response: ServerResponse, status: number, text: string): void {
  const type = text.startsWith('<!doctype html>') ? 'text/html' : 'text/plain';
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}

/** Under the headers of the product, so that what does not work there does not work here. */
function sendView(response: ServerResponse, status: number, document: string): void {
  response.writeHead(status, {
    ...VIEW_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(document);
}

/** What a view calls. @throws Error where it is no call */
function callIn(text: string): ViewCall {
  const { route, input = {} } = JSON.parse(text);
  if (typeof route !== 'string') throw new Error('A call names its route.');
  return { route, input };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('The form is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

type Question = Pick<PageQuestion, 'connector' | 'real' | 'view'>;

interface Pages {
  ask(question: Question): Promise<[status: number, page: string]>;
  close(): Promise<void>;
}

function startPages(folder: string): Pages {
  const worker = new Worker(WORKER);
  const waiting = new Map<number, PromiseWithResolvers<[number, string]>>();
  let last = 0;
  let ended: string | undefined;
  const end = (reason: string) => {
    ended ??= reason;
    for (const { resolve: answer } of waiting.values()) answer([503, reason]);
    waiting.clear();
  };
  worker.on('message', ({ number, status, page }: PageAnswer) => {
    waiting.get(number)?.resolve([status, page]);
    waiting.delete(number);
  });
  worker.on('error', (error) =>
    end(`The connector ended its process: ${error instanceof Error ? error.message : error}`),
  );
  worker.on('exit', () => end('The files have changed. Load the page again.'));
  return {
    ask: async (question) => {
      if (ended !== undefined) return [503, ended];
      last += 1;
      const answer = Promise.withResolvers<[number, string]>();
      waiting.set(last, answer);
      worker.postMessage({ ...question, number: last, folder } satisfies PageQuestion);
      return answer.promise;
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
