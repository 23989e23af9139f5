import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type Server, type Socket } from 'node:net';
import { RefusedAddress, type Resolve } from './addresses.ts';
import { createTunnels, type Tunnels } from './tunnels.ts';

export interface EgressProxyOptions {
  /** The only `host:port` that it connects to. */
  readonly target: { readonly host: string; readonly port: number };
  /** Whether the host may lie in a private network. */
  readonly allowsPrivate: boolean;
  /** More than so much from the service ends all connections. */
  readonly maxBytes: number;
  /** Instead of the system's resolver. */
  readonly resolve?: Resolve;
}

/** Why a connection was refused or ended: an address that may not be called, another host than the target, more bytes than allowed. */
export type EgressRefusal = 'address' | 'host' | 'bytes';

/** A way out for a program that opens its own connections: to one host, judged and pinned as requests of connectors are. */
export interface EgressProxy {
  /** `socks5h://user:password@127.0.0.1:port`: names are resolved here, not by the program. */
  readonly url: string;
  /** The first refusal; null where there was none. */
  refusal(): EgressRefusal | null;
  close(): Promise<void>;
}

/** SOCKS 5. Source: RFC 1928, user name and password by RFC 1929. */
const VERSION = 5;
const BY_PASSWORD = 2;
const NO_METHOD = 0xff;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;
const REPLY = { granted: 0, refused: 2, unreachable: 4, unknownCommand: 7 } as const;
const HANDSHAKE_MS = 10_000;

/** Exactly so many bytes of a socket. @throws where it ends before */
const take = async (socket: Socket, count: number, signal: AbortSignal): Promise<Buffer> => {
  for (;;) {
    const data: unknown = socket.read(count);
    if (Buffer.isBuffer(data) && data.length === count) return data;
    if (data !== null || socket.readableEnded || socket.destroyed) throw new Error('the connection ended');
    await once(socket, 'readable', { signal });
  }
};

const isSame = (given: Buffer, expected: string): boolean => {
  const wanted = Buffer.from(expected);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
};

/** Other programs of the machine may find the port, but not its password. */
const authenticate = async (
  socket: Socket,
  login: { user: string; password: string },
  signal: AbortSignal,
): Promise<void> => {
  const [version, count = 0] = await take(socket, 2, signal);
  const methods = version === VERSION && count > 0 ? await take(socket, count, signal) : Buffer.alloc(0);
  if (!methods.includes(BY_PASSWORD)) {
    socket.end(Buffer.from([VERSION, NO_METHOD]));
    throw new Error('no password offered');
  }
  socket.write(Buffer.from([VERSION, BY_PASSWORD]));
  const [, userLength = 0] = await take(socket, 2, signal);
  const user = await take(socket, Math.max(userLength, 1), signal);
  const [passwordLength = 0] = await take(socket, 1, signal);
  const password = await take(socket, Math.max(passwordLength, 1), signal);
  const isKnown = isSame(user, login.user) && isSame(password, login.password);
  socket.write(Buffer.from([1, isKnown ? 0 : 1]));
  if (!isKnown) throw new Error('wrong password');
};

const readHost = async (socket: Socket, type: number | undefined, signal: AbortSignal): Promise<string> => {
  if (type === IPV4) return (await take(socket, 4, signal)).join('.');
  if (type === IPV6) {
    const bytes = await take(socket, 16, signal);
    return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
  }
  if (type !== NAME) throw new Error('unknown kind of address');
  const [length = 0] = await take(socket, 1, signal);
  return (await take(socket, Math.max(length, 1), signal)).toString('latin1').toLowerCase().replace(/\.$/, '');
};

const answer = (socket: Socket, reply: number): void => {
  socket.write(Buffer.from([VERSION, reply, 0, IPV4, 0, 0, 0, 0, 0, 0]));
};

/** Two spellings of one host are one. */
const plainHost = (host: string): string => {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return isIP(bare) === 6 ? new URL(`http://[${bare}]`).hostname : bare;
};

interface ProxyState {
  readonly options: EgressProxyOptions;
  readonly login: { user: string; password: string };
  readonly tunnels: Tunnels;
  refusal: EgressRefusal | null;
}

const serve = async (state: ProxyState, inward: Socket): Promise<void> => {
  const signal = AbortSignal.timeout(HANDSHAKE_MS);
  await authenticate(inward, state.login, signal);
  const [, command, , type] = await take(inward, 4, signal);
  const host = await readHost(inward, type, signal);
  const port = (await take(inward, 2, signal)).readUInt16BE(0);
  if (command !== CONNECT) return answer(inward, REPLY.unknownCommand);
  const { target } = state.options;
  if (plainHost(host) !== plainHost(target.host) || port !== target.port) {
    state.refusal ??= 'host';
    answer(inward, REPLY.refused);
    inward.end();
    return;
  }
  try {
    const outward = await state.tunnels.open(target, state.options.allowsPrivate, signal);
    answer(inward, REPLY.granted);
    state.tunnels.join(inward, outward);
  } catch (error) {
    if (error instanceof RefusedAddress) state.refusal ??= 'address';
    answer(inward, state.refusal === null ? REPLY.unreachable : REPLY.refused);
    inward.end();
  }
};

const listen = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });

/**
 * Starts a SOCKS 5 proxy on the loopback interface for one program and one host. Whatever the program is told by the service (redirects,
 * alternates, addresses of bundles), it reaches nothing else. Source: docs/decisions/2026-11-23-scans-of-hostile-repositories.md.
 */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const login = { user: 'scan', password: randomBytes(24).toString('hex') };
  const { maxBytes, resolve } = options;
  const onTooMuch = (): void => {
    state.refusal ??= 'bytes';
  };
  const tunnels = createTunnels({ maxBytes, onTooMuch, ...(resolve === undefined ? {} : { resolve }) });
  const state: ProxyState = { options, login, tunnels, refusal: null };
  const server = createServer((inward) => {
    tunnels.keep(inward);
    serve(state, inward).catch(() => inward.destroy());
  });
  await listen(server);
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `socks5h://${login.user}:${login.password}@127.0.0.1:${address.port}`,
    refusal: () => state.refusal,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      tunnels.end();
      await closed;
    },
  };
}
