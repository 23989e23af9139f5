import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Express } from 'express';

const HEADERS_TIMEOUT_MS = 15_000;
/** A large report over a slow line. */
const REQUEST_TIMEOUT_MS = 15 * 60_000;
/** A sender that stops in the middle of a body. */
const STALLED_BODY_MS = 60_000;
/** Longer than the idle time of common proxies, so that they close first. */
const KEEP_ALIVE_MS = 65_000;
/** While stopping, a connection gets this long to send one more request, whose answer says `Connection: close`. */
const FAREWELL_MS = 1000;
const DRAIN_MS = 15_000;
/** Connections that wait to be accepted; Node's own 511 are too few for a page that a thousand people reload at once. The kernel may allow less. */
const BACKLOG = 4096;

export interface Listener {
  port: number;
  /** Takes no more connections and waits until every request is answered, 15 s at most. */
  drain(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const listen = (server: Server, address: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = 'code' in error && error.code === 'EADDRINUSE';
      reject(isTaken ? new Error(`Port ${address.port} is in use. Set PORT to another one.`, { cause: error }) : error);
    });
    server.listen({ ...address, backlog: BACKLOG }, resolve);
  });

const REQUEST_TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Ends requests whose body stands still. An answer may take as long as it likes, such as a stream of events. */
const endStalledBodies = (server: Server, stalledBodyMs: number): void => {
  // with a listener, a connection that is merely quiet is left alone
  server.setTimeout(stalledBodyMs, () => undefined);
  server.on('request', (request) => {
    // comes only while the body is not complete
    request.on('timeout', () => request.socket.end(REQUEST_TIMED_OUT, () => request.socket.destroy()));
  });
};

interface Address {
  host: string;
  port: number;
}

/** Serves the application. @throws when the port is taken. */
export const startListening = async (
  app: Express,
  address: Address,
  { stalledBodyMs = STALLED_BODY_MS } = {},
): Promise<Listener> => {
  let isStopping = false;
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5000,
    },
    (request, response) => {
      if (isStopping) response.setHeader('Connection', 'close');
      app(request, response);
    },
  );
  endStalledBodies(server, stalledBodyMs);
  await listen(server, address);
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
    drain: async () => {
      isStopping = true;
      // Not the HTTP server's own close: that also cuts idle connections, on some of which a request is just arriving.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      await Promise.race([closed, pause(FAREWELL_MS)]);
      server.closeIdleConnections();
      await Promise.race([closed, pause(DRAIN_MS)]);
      server.closeAllConnections();
    },
  };
};
