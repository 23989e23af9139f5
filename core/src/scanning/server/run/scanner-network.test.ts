import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { defineConnector, monogram, type Scanner } from '@breakwater/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNetworkIsolation, findOneWayOut } from '../processes/network.ts';
import { type ProgramLimits, runProgram } from '../processes/run-program.ts';
import { type ScannerNetwork, withNetwork } from './scanner-network.ts';

const SEARCH_PATH = process.env.PATH ?? '';

/** As programs that know `HTTPS_PROXY` do: a tunnel, then a request in it. `direct` looks at no proxy. */
const PROGRAM = `
import http from 'node:http';

const [how, place] = process.argv.slice(2);
const get = (options) => http.get({ path: '/database', ...options }, (answer) => {
  answer.setEncoding('utf8').on('data', (text) => process.stdout.write(answer.statusCode + ' ' + text));
  answer.on('end', () => process.exit(answer.statusCode === 200 ? 0 : 4));
}).on('error', (error) => { console.error(error.code); process.exit(5); });
if (how === 'direct') get({ host: place.split(':')[0], port: place.split(':')[1] });
if (how === 'proxy') {
  const proxy = new URL(process.env.HTTPS_PROXY);
  http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: place }).on('connect', (answer, socket) => {
    if (answer.statusCode !== 200) { console.error('refused ' + answer.statusCode); process.exit(3); }
    get({ createConnection: () => socket, host: 'database' });
  }).on('error', (error) => { console.error(error.code); process.exit(6); }).end();
}
`;

const service = createServer((request, response) => response.end(`the database at ${request.url}`));
let [folder, place] = ['', ''];
let machine: Pick<ScannerNetwork, 'isolation' | 'oneWayOut'>;
beforeAll(async () => {
  machine = { isolation: await findNetworkIsolation(SEARCH_PATH), oneWayOut: await findOneWayOut(SEARCH_PATH) };
  // longer than the path of a socket may be
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'breakwater-network-')), 'x'.repeat(120));
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'scanner.mjs'), PROGRAM);
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  if (address !== null && typeof address !== 'string') place = `127.0.0.1:${address.port}`;
});
afterAll(() => {
  service.close();
  rmSync(path.dirname(folder), { recursive: true });
});

const connector = defineConnector({
  id: 'network-scanner',
  title: 'Network scanner',
  category: 'sast',
  image: monogram('N'),
  description: 'A scanner of the test.',
});

let count = 0;
const scan = async (args: readonly string[], change: Partial<ScannerNetwork> = {}, limits?: Partial<ProgramLimits>) => {
  count += 1;
  const network: ScannerNetwork = {
    ...machine,
    allowPrivateHosts: false,
    baseUrl: new URL(`http://${place}`),
    maxBytes: 1_000_000,
    ...change,
  };
  const scanner: Scanner = {
    targets: ['repository'],
    hosts: ['database.example.test'],
    detect: async () => null,
    command: () => null,
  };
  const of = {
    address: 'sast/networkscanner',
    pluginId: 'test',
    pluginVersion: '1.0.0',
    publisher: null,
    trust: 'own' as const,
  };
  const entry = { ...of, connector, category: connector.category, tool: connector.id };
  return withNetwork(network, { scanner, entry, folder }, ({ isolation, env }) =>
    runProgram({
      file: process.execPath,
      args: [path.join(folder, 'scanner.mjs'), ...args],
      ...{ folder, isolation, searchPath: SEARCH_PATH, signal: new AbortController().signal },
      env: { PATH: SEARCH_PATH, MARKER: `network-${process.pid}-${count}`, ...env },
      marker: `MARKER=network-${process.pid}-${count}`,
      limits: { timeoutMs: 300_000, memoryMb: 1024, fileBytes: 10_000_000, ...limits },
    }),
  );
};

test('a scanner reaches the host that it may call, and nothing of the way there stays', async () => {
  const { result, refused } = await scan(['proxy', place]);
  expect(result).toMatchObject({ exitCode: 0, stdout: '200 the database at /database', ended: null });
  expect(refused).toBeNull();
  expect(readdirSync(folder)).toEqual(['scanner.mjs']);
});

test('a host that it does not name is refused, and told in words', async () => {
  const { result, refused } = await scan(['proxy', 'evil.example.test:443']);
  expect(result).toMatchObject({ exitCode: 3, stderr: 'refused 403\n' });
  expect(refused).toBe(
    `Network scanner was not let through to "evil.example.test:443": it may call "database.example.test", "${place}" alone.`,
  );
});

test('an inner address is refused where the operator did not name it', async () => {
  const { result, refused } = await scan(['proxy', place], { baseUrl: undefined });
  expect(result.exitCode).toBe(3);
  expect(refused).toContain(`was not let through to "${place}"`);
});

test('what goes past the proxy reaches nothing, neither the server nor the machine', async () => {
  expect((await scan(['direct', place])).result).toMatchObject({ exitCode: 5, stderr: 'ECONNREFUSED\n', stdout: '' });
  expect((await scan(['direct', '192.0.2.1:443'])).result).toMatchObject({ exitCode: 5, stderr: 'ENETUNREACH\n' });
  // the same program reaches it where the machine cannot limit it: the page of scanners says so
  expect((await scan(['direct', place], { oneWayOut: null })).result.exitCode).toBe(0);
});

test('it ends as any other program, with all that stands before it', async () => {
  const script = path.join(folder, 'scanner.mjs');
  const { result } = await scan(['wait'], {}, { timeoutMs: 300_000 });
  expect(result.exitCode).toBe(0);
  writeFileSync(script, `setInterval(() => undefined, 1000);`);
  const late = await scan(['wait'], {}, { timeoutMs: 3000 });
  expect(late.result).toMatchObject({ exitCode: null, ended: 'timeout' });
  const left = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script);
    } catch {
      return false;
    }
  });
  expect(left).toEqual([]);
});
