// no text in this file: programs read its answers
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RefusedAddress, type Resolve } from './addresses.ts';
import { type EgressRules, hostAndPort, isAllowed } from './egress-rules.ts';
import { createTunnels } from './tunnels.ts';

export interface ConnectProxyOptions {
  /** Path of the Unix socket that it listens at. */
  readonly socketPath: string;
  /** Where connections may go. */
  readonly rules: EgressRules;
  /** The operator's `BREAKWATER_ALLOW_PRIVATE_HOSTS`: private addresses for every host of the rules. */
  readonly allowPrivateHosts: boolean;
  /** More than so much from the services together ends all connections. */
  readonly maxBytes: number;
  /** Instead of the system's resolver. */
  readonly resolve?: Resolve;
}

/**
 * Why a connection was refused or ended. `host`: not among the rules; `address`: leads to an address that may not be called; `plain`: asked
 * without TLS; `bytes`: more than allowed came from the services.
 */
export interface ConnectRefusal {
  /** `host:port`, printable ASCII, at most 260 characters; empty for `bytes`. */
  readonly place: string;
  readonly reason: 'host' | 'address' | 'plain' | 'bytes';
}

export interface ConnectProxy {
  /** Each once, in the order in which they happened; the first 20. */
  refusals(): readonly ConnectRefusal[];
  close(): Promise<void>;
}

const MOST_REFUSALS = 20;
const MOST_PLACE = 260;
const CONNECT_MS = 30_000;

const plainText = (text: string): string => text.replace(/[^\x21-\x7e]/g, '?').slice(0, MOST_PLACE);

/** `host:port` of a CONNECT request; null for anything else. Source: RFC 9110, 9.3.6. */
const targetOf = (authority: string): URL | null => {
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]+):\d{1,5}$/i.test(authority)) return null;
  return URL.parse(`https://${authority}`);
};

const ANSWERS = { forbidden: '403 Forbidden', badRequest: '400 Bad Request', unreachable: '502 Bad Gateway' } as const;

const refuse = (inward: Duplex, answer: keyof typeof ANSWERS, why: string): void => {
  const head = `HTTP/1.1 ${ANSWERS[answer]}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(why)}`;
  inward.end(`${head}\r\nconnection: close\r\n\r\n${why}`);
};

/**
 * Starts an HTTP proxy that knows CONNECT alone, at a Unix socket: the way out of a program that has no network of its own. Names are resolved
 * here, judged and pinned as requests of connectors are. Source: RFC 9110, 9.3.6; docs/decisions/2026-11-23-the-network-of-scanners.md.
 */
export async function startConnectProxy(options: ConnectProxyOptions): Promise<ConnectProxy> {
  const { socketPath, rules, allowPrivateHosts, maxBytes, resolve } = options;
  const refusals: ConnectRefusal[] = [];
  const note = (reason: ConnectRefusal['reason'], text: string): void => {
    const place = plainText(text);
    const isKnown = refusals.some((one) => one.place === place && one.reason === reason);
    if (!isKnown && refusals.length < MOST_REFUSALS) refusals.push({ place, reason });
  };
  const onTooMuch = (): void => note('bytes', '');
  const tunnels = createTunnels({ maxBytes, onTooMuch, ...(resolve === undefined ? {} : { resolve }) });

  const serve = async ({ url: authority = '' }: IncomingMessage, inward: Socket, head: Buffer): Promise<void> => {
    const url = targetOf(authority);
    if (url === null) return refuse(inward, 'badRequest', 'No host and port to connect to.');
    if (!isAllowed(rules, url)) {
      note('host', authority);
      return refuse(
        inward,
        'forbidden',
        `${plainText(authority)} is not among the hosts that ${rules.title} may call.`,
      );
    }
    const place = hostAndPort(url);
    const target = { host: url.hostname, port: Number(url.port === '' ? 443 : url.port) };
    try {
      const mayBePrivate = allowPrivateHosts || rules.trusted.has(place);
      const outward = await tunnels.open(target, mayBePrivate, AbortSignal.timeout(CONNECT_MS));
      inward.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) outward.write(head);
      tunnels.join(inward, outward);
    } catch (error) {
      if (!(error instanceof RefusedAddress)) return refuse(inward, 'unreachable', `${place} cannot be reached.`);
      note('address', place);
      refuse(inward, 'forbidden', `${place} leads to an address that may not be called.`);
    }
  };

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '');
    note('plain', url === null ? (request.headers.host ?? '') : hostAndPort(url));
    response.writeHead(403, { connection: 'close' }).end('Only connections by TLS (CONNECT) are let through.');
  });
  server.on('connection', (socket) => tunnels.keep(socket));
  server.on('connect', (request, inward, head) => {
    if (!(inward instanceof Socket)) return inward.destroy();
    serve(request, inward, head).catch(() => inward.destroy());
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    refusals: () => [...refusals],
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      tunnels.end();
      await closed;
    },
  };
}
