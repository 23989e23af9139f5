import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A service on this machine that writes down what it is asked. */
export interface LocalServer {
  readonly port: number;
  readonly origin: string;
  readonly host: string;
  readonly seen: SeenRequest[];
  /** Connections, also those on which nothing was asked. */
  connections(): number;
  close(): Promise<void>;
}

type Handle = (request: SeenRequest, response: ServerResponse) => unknown;

export async function startServer(handle: Handle, hostname = '127.0.0.1'): Promise<LocalServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void read(request).then((body): unknown => {
      const { method = '', url = '', headers } = request;
      const entry = { method, address: url, headers, body };
      seen.push(entry);
      return handle(entry, response);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = hostname.includes(':') ? `[${hostname}]:${port}` : `${hostname}:${port}`;
  return {
    port,
    host,
    origin: `http://${host}`,
    seen,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
