import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { createServer, get } from 'node:http';
import net from 'node:net';
import { expect, it } from 'vitest';
import { type OutsideWatch, watched } from './outside-watch.ts';

const newWatch = (...allowed: string[]): OutsideWatch => ({ allowed: new Set(allowed), attempts: [], prints: [] });
const settled = (work: (done: (reason: unknown) => void) => void) => new Promise<unknown>(work);

it.each<[string, () => unknown, string]>([
  [
    'a socket',
    () => settled((done) => net.connect(443, 'evil.example').once('error', done)),
    'connects to evil.example:443',
  ],
  [
    'a socket of a program',
    () => settled((done) => net.connect('/run/x.sock').once('error', done)),
    'connects to the socket /run/x.sock',
  ],
  [
    'node:http',
    () => settled((done) => get('http://192.0.2.1:8080/').once('error', done)),
    'connects to 192.0.2.1:8080',
  ],
  ['fetch', () => fetch('http://192.0.2.1/').catch(() => undefined), 'connects to 192.0.2.1:80'],
  ['a name look-up', async () => dns.promises.lookup('evil.example'), 'looks up evil.example'],
  ['a query for a name', async () => dns.promises.resolveTxt('x.evil.example'), 'looks up x.evil.example'],
  ['a datagram', async () => dgram.createSocket('udp4').send('x', 53, '192.0.2.1'), 'sends a datagram'],
  ['a program', async () => childProcess.spawn('curl', ['x']), 'starts the program curl'],
  ['a program that is waited for', async () => childProcess.execFileSync('curl'), 'starts the program curl'],
])('keeps and refuses %s', async (_, act, attempt) => {
  const watch = newWatch();
  await watched(watch, async () => act()).catch((error: Error) => {
    expect(error.message).toContain('use ctx.http');
  });
  expect(watch.attempts).toEqual([attempt]);
});

it('lets through what is allowed, and leaves everybody else alone', async () => {
  const server = createServer((_, response) => response.end('yes'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
  const watch = newWatch(`127.0.0.1:${port}`);
  expect(await watched(watch, ask)).toBe('yes');
  expect(watch.attempts).toEqual([]);
  const other = newWatch();
  const refused = watched(other, ask).catch(() => 'refused');
  expect(await ask()).toBe('yes');
  expect(await refused).toBe('refused');
  server.close();
});

it('keeps what is printed', async () => {
  const watch = newWatch();
  await watched(watch, async () => {
    console.log('a', 1);
    process.stdout.write('b');
  });
  expect(watch.prints).toEqual(['a 1', 'b']);
});
