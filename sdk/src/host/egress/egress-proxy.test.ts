import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EgressProxy, type EgressProxyOptions, startEgressProxy } from './egress-proxy.ts';

let proxy: EgressProxy | undefined;
let service: ReturnType<typeof createServer>;
let port = 0;
let calls = 0;
beforeEach(async () => {
  calls = 0;
  service = createServer((socket) => {
    calls += 1;
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  if (address !== null && typeof address !== 'string') port = address.port;
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  service.close();
});

const start = async (change: Partial<EgressProxyOptions> = {}): Promise<URL> => {
  proxy = await startEgressProxy({
    target: { host: 'git.example.test', port },
    allowsPrivate: true,
    maxBytes: 1_000_000,
    resolve: async () => ['127.0.0.1'],
    ...change,
  });
  return new URL(proxy.url.replace('socks5h:', 'http:'));
};

const read = async (socket: Socket): Promise<Buffer> => {
  const first = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [Buffer.alloc(0)])]);
  return Buffer.from(first[0]);
};

const named = (host: string): Buffer => Buffer.concat([Buffer.from([3, host.length]), Buffer.from(host)]);

/** Asks the proxy as curl does. @returns the socket and the reply to the request */
const ask = async (url: URL, address: Buffer, toPort = port, password = url.password) => {
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(Buffer.from([5, 2, 0, 2]));
  expect([...(await read(socket))]).toEqual([5, 2]);
  const login = [url.username, password].map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]));
  socket.write(Buffer.concat([Buffer.from([1]), ...login]));
  const isKnown = (await read(socket))[1] === 0;
  if (!isKnown) return { socket, reply: null };
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address, Buffer.from([toPort >> 8, toPort & 255])]));
  return { socket, reply: (await read(socket))[1] };
};

test('it connects to its one host, by name and with a password', async () => {
  const { socket, reply } = await ask(await start(), named('git.example.test'));
  expect(reply).toBe(0);
  socket.write('hello');
  expect((await read(socket)).toString()).toBe('hello');
  socket.destroy();
});

test('who does not know the password gets nowhere', async () => {
  const url = await start();
  expect((await ask(url, named('git.example.test'), port, 'wrong')).reply).toBeNull();
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  await once(socket, 'connect');
  socket.write(Buffer.from([5, 1, 0]));
  expect([...(await read(socket))]).toEqual([5, 255]);
  socket.destroy();
  expect(calls).toBe(0);
});

test('another host or port is refused', async () => {
  const url = await start();
  for (const [address, toPort] of [
    [named('inside.example.test'), port],
    [named('git.example.test'), 22],
    [Buffer.from([1, 127, 0, 0, 1]), port],
    [Buffer.concat([Buffer.from([4]), Buffer.alloc(15), Buffer.from([1])]), port],
  ] as const) {
    expect((await ask(url, address, toPort)).reply).toBe(2);
  }
  expect([proxy?.refusal(), calls]).toEqual(['host', 0]);
});

test.each([
  ['a private address', ['10.0.0.1'], false],
  ['one private address of several', ['203.0.114.1', '127.0.0.1'], false],
  ['the metadata service, whatever is allowed', ['169.254.169.254'], true],
  ['a mapped private address', ['::ffff:127.0.0.1'], false],
])('a name that leads to %s is refused', async (_, addresses, allowsPrivate) => {
  const url = await start({ allowsPrivate, resolve: async () => addresses });
  expect((await ask(url, named('git.example.test'))).reply).toBe(2);
  expect([proxy?.refusal(), calls]).toEqual(['address', 0]);
});

test('a literal private address is refused', async () => {
  const url = await start({ allowsPrivate: false, target: { host: '127.0.0.1', port } });
  expect((await ask(url, Buffer.from([1, 127, 0, 0, 1]))).reply).toBe(2);
  expect(calls).toBe(0);
});

test('more bytes than allowed end the connection', async () => {
  const { socket } = await ask(await start({ maxBytes: 1000 }), named('git.example.test'));
  const closed = once(socket, 'close');
  socket.write(Buffer.alloc(5000));
  socket.resume();
  await closed;
  expect(proxy?.refusal()).toBe('bytes');
});
