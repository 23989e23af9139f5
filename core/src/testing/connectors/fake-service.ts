import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServiceRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface ServiceAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is where it is text, else as JSON. */
  body?: unknown;
  /** Closes the connection without an answer. */
  hangUp?: boolean;
  waitMs?: number;
}

export type ServiceBehaviour = (request: ServiceRequest) => ServiceAnswer | Promise<ServiceAnswer>;

/** A vendor's service on this machine: real HTTP, answers as told, remembers every request. */
export interface FakeService {
  url: string;
  port: number;
  requests: ServiceRequest[];
  /** What it answers from now on. */
  behave(behaviour: ServiceBehaviour): void;
  close(): Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** Starts one on a port of the system's choice. */
export const startFakeService = async (first: ServiceBehaviour = () => ({ body: {} })): Promise<FakeService> => {
  let behaviour = first;
  const requests: ServiceRequest[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request;
      const seen = { method, path, headers, body: await readBody(request) };
      requests.push(seen);
      const { status = 200, headers: extra = {}, body = {}, hangUp = false, waitMs = 0 } = await behaviour(seen);
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (hangUp) return void response.destroy();
      const isText = typeof body === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...extra });
      response.end(isText ? body : JSON.stringify(body));
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
