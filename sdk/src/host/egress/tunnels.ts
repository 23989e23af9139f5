import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { LIMITS } from '../limits.ts';
import {
  type AddressKind,
  addressKind,
  pinnedLookup,
  RefusedAddress,
  type Resolve,
  resolveBySystem,
} from './addresses.ts';

export interface TunnelOptions {
  /** More than so much from the services together ends all connections. */
  readonly maxBytes: number;
  readonly onTooMuch: () => void;
  /** Instead of the system's resolver. */
  readonly resolve?: Resolve;
}

/** Connections of one proxy: from a program to services, judged and pinned as requests of connectors are. */
export interface Tunnels {
  /** Ends the socket together with the others. */
  keep(socket: Socket): void;
  /** Opens the connection outwards: one answer of the resolver is judged and connected to. @throws RefusedAddress, and what the network says */
  open(
    target: { readonly host: string; readonly port: number },
    allowsPrivate: boolean,
    signal: AbortSignal,
  ): Promise<Socket>;
  /** Passes bytes both ways until one of the two ends. */
  join(inward: Socket, outward: Socket): void;
  end(): void;
}

export function createTunnels({ maxBytes, onTooMuch, resolve = resolveBySystem }: TunnelOptions): Tunnels {
  const sockets = new Set<Socket>();
  let received = 0;
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  return {
    keep,
    end,
    open: async (target, allowsPrivate, signal) => {
      const accepts = (kind: AddressKind): boolean => kind === 'public' || (allowsPrivate && kind === 'private');
      const host = target.host.replace(/^\[|\]$/g, '');
      const literal = isIP(host) === 0 ? null : addressKind(host);
      if (literal !== null && !accepts(literal)) throw new RefusedAddress(literal);
      const outward = connect({ host, port: target.port, lookup: pinnedLookup(resolve, accepts) });
      keep(outward);
      outward.setTimeout(LIMITS.connectMs, () => outward.destroy(new Error('no connection in time')));
      await once(outward, 'connect', { signal });
      outward.setTimeout(0);
      return outward;
    },
    join: (inward, outward) => {
      outward.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received <= maxBytes) return;
        onTooMuch();
        end();
      });
      inward.once('close', () => outward.destroy());
      outward.once('close', () => inward.destroy());
      outward.pipe(inward);
      inward.pipe(outward);
    },
  };
}
