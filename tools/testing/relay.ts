import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import path from 'node:path';
import pg from 'pg';

/** A place in the network between a client and PostgreSQL, as an address is that moves from one server to another. On loopback. */
export interface Relay {
  port: number;
  /** The address that it was started for, by way of the relay. */
  url: string;
  /** Ends all connections. New ones lead to the server of that address, or are ended at once where there is none. */
  leadTo(url: string | undefined): void;
  /** Nothing arrives any more on the connections there are, and nobody is told: a machine has vanished. New ones work. */
  silence(): void;
  close(): Promise<void>;
}

const targetOf = ({ host, port }: pg.Client): NetConnectOpts =>
  host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port };

const addressOf = ({ user = '', password, database }: pg.Client, port: number): string => {
  const login = [user, ...(password ? [password] : [])].map(encodeURIComponent).join(':');
  return `postgresql://${login}@127.0.0.1:${port}/${database}`;
};

const joined = (client: Socket, target: NetConnectOpts): Socket => {
  const server = connect(target);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => undefined);
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
  return server;
};

/** Starts a relay that leads to the server of this address. */
export const startRelay = async (url: string): Promise<Relay> => {
  const first = new pg.Client({ connectionString: url });
  let place: NetConnectOpts | undefined = targetOf(first);
  const connections = new Map<Socket, Socket>();
  const relay = createServer((client) => {
    if (place === undefined) {
      client.destroy();
      return;
    }
    connections.set(client, joined(client, place));
    client.on('close', () => connections.delete(client));
  });
  const cut = (): void => {
    for (const client of connections.keys()) client.destroy();
  };
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  return {
    port,
    url: addressOf(first, port),
    leadTo: (next) => {
      place = next === undefined ? undefined : targetOf(new pg.Client({ connectionString: next }));
      cut();
    },
    silence: () => {
      for (const pair of connections) for (const socket of pair) socket.unpipe().resume();
    },
    close: async () => {
      cut();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
};
