import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ConnectProxy, type ConnectProxyOptions, startConnectProxy } from './connect-proxy.ts';
import { programRules } from './egress-rules.ts';

let proxy: ConnectProxy | undefined;
let folder: string;
let service: ReturnType<typeof createServer>;
let port = 0;
let calls = 0;
beforeEach(async () => {
  calls = 0;
  folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-proxy-'));
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
  rmSync(folder, { recursive: true });
});

const socketPath = () => path.join(folder, 'proxy');
const SCANNER = { id: 'test-scanner', title: 'Test scanner' };

const start = async (change: Partial<ConnectProxyOptions> = {}): Promise<void> => {
  proxy = await startConnectProxy({
    socketPath: socketPath(),
    rules: programRules(SCANNER, [`db.example.test:${port}`, 'plain.example.test']),
    allowPrivateHosts: true,
    maxBytes: 1_000_000,
    resolve: async () => ['127.0.0.1'],
    ...change,
  });
};

/** Asks the proxy for a connection, as programs do by `HTTPS_PROXY`. @returns the status and the socket behind it */
const connectTo = async (authority: string): Promise<{ status: number | undefined; socket: Socket }> => {
  const asking = request({ socketPath: socketPath(), method: 'CONNECT', path: authority });
  asking.end();
  const [answer, socket] = await once(asking, 'connect');
  if (!(socket instanceof Socket)) throw new Error('no socket');
  socket.on('error', () => undefined);
  return { status: answer.statusCode, socket };
};

test('a host of the program is reached at its port, by bytes both ways', async () => {
  await start();
  const { status, socket } = await connectTo(`DB.example.test.:${port}`);
  expect(status).toBe(200);
  socket.write('hello');
  expect(String((await once(socket, 'data'))[0])).toBe('hello');
  socket.destroy();
  expect(proxy?.refusals()).toEqual([]);
});

test('another host, another port, a name below an allowed one and an address are refused, each noted once', async () => {
  await start();
  const asked = [
    `evil.example.test:443`,
    'db.example.test:443',
    `plain.example.test:${port}`,
    `x.db.example.test:${port}`,
  ];
  for (const place of [...asked, `127.0.0.1:${port}`, 'evil.example.test:443']) {
    expect([place, (await connectTo(place)).status]).toEqual([place, 403]);
  }
  const places = [...asked, `127.0.0.1:${port}`];
  expect(proxy?.refusals()).toEqual(places.map((place) => ({ place, reason: 'host' })));
  expect(calls).toBe(0);
});

test.each(['', 'db.example.test', 'http://db.example.test:443/', 'user@db.example.test:443', 'a:b:443', 'x:99999'])(
  'what is no host and port is refused: %j',
  async (authority) => {
    await start();
    expect((await connectTo(authority)).status).toBeGreaterThanOrEqual(400);
    expect(calls).toBe(0);
  },
);

test.each([
  ['a private address', ['10.0.0.1'], false],
  ['one private address of several', ['203.0.114.1', '127.0.0.1'], false],
  ['the metadata service, whatever is allowed', ['169.254.169.254'], true],
])('a name that leads to %s is refused', async (_, addresses, allowPrivateHosts) => {
  await start({ allowPrivateHosts, resolve: async () => addresses });
  expect((await connectTo(`db.example.test:${port}`)).status).toBe(403);
  expect(proxy?.refusals()).toEqual([{ place: `db.example.test:${port}`, reason: 'address' }]);
  expect(calls).toBe(0);
});

test('the host that the operator named may be private, and it alone', async () => {
  const rules = programRules(SCANNER, [`db.example.test:${port}`], new URL(`http://127.0.0.1:${port}`));
  await start({ rules, allowPrivateHosts: false });
  const { status, socket } = await connectTo(`127.0.0.1:${port}`);
  socket.destroy();
  expect([status, (await connectTo(`db.example.test:${port}`)).status]).toEqual([200, 403]);
});

test('a host that does not answer is no refusal', async () => {
  await start({ resolve: async () => [] });
  expect((await connectTo(`db.example.test:${port}`)).status).toBe(502);
  expect(proxy?.refusals()).toEqual([]);
});

test('a request without TLS is refused, also to an allowed host', async () => {
  await start();
  const asking = request({ socketPath: socketPath(), path: 'http://plain.example.test/db.json' });
  asking.end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(403);
  expect(proxy?.refusals()).toEqual([{ place: 'plain.example.test:80', reason: 'plain' }]);
});

test('more bytes than allowed end the connections', async () => {
  await start({ maxBytes: 1000 });
  const { socket } = await connectTo(`db.example.test:${port}`);
  const closed = once(socket, 'close');
  socket.write(Buffer.alloc(5000));
  socket.resume();
  await closed;
  expect(proxy?.refusals()).toEqual([{ place: '', reason: 'bytes' }]);
});
