import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';

const KEY = '5f9c1a52-8a71-4a9a-9d5e-0d7c4d7c4b11';

let server: TestServer;
let status = 200;
const taken: { path: string; events: { iKey: string; tags: object; data: { baseData: object } }[] }[] = [];

// stands in for Application Insights
const service = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    taken.push({ path: request.url ?? '', events: JSON.parse(Buffer.concat(pieces).toString()) });
    response.writeHead(status).end('{}');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  server = await startTestServer({
    environment: { BREAKWATER_INSTRUMENTATION_KEY: KEY, USAGE_BASE_URL: `http://127.0.0.1:${port}/ingest` },
  });
});
afterAll(async () => {
  await server.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

const report = (body: object) => server.call('POST', '/usage', { as: 'developer', body });
const VISIT = '0b1c2d3e-aaaa-bbbb-cccc-1234567890ab';

test('opened pages are collected and sent together, without a word of who it was', async () => {
  expect((await server.call('GET', '/feedback-options', { as: 'developer' })).body.data).toEqual({
    canny: null,
    measures_usage: true,
  });
  await report({ page: '/findings', visit: VISIT });
  await report({ page: '/findings/finding-details/:id', from: '/findings', visit: VISIT });
  await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 60_000 });
  const [{ path, events } = { path: '', events: [] }] = taken;
  expect(path).toBe('/ingest/v2/track');
  expect(events.map(({ iKey }) => iKey)).toEqual([KEY, KEY]);
  expect(events.map(({ data }) => data.baseData)).toEqual([
    { ver: 2, name: '/findings', url: '/findings', properties: {} },
    {
      ver: 2,
      name: '/findings/finding-details/:id',
      url: '/findings/finding-details/:id',
      properties: { from: '/findings' },
    },
  ]);
  const { username, email, id } = server.users.developer;
  for (const word of [username, email, id, server.users.clientId]) {
    expect(JSON.stringify(events)).not.toContain(word);
  }
});

test('a service that refuses is logged, and nobody waits for it', async () => {
  status = 503;
  expect((await report({ page: '/', visit: VISIT })).status).toBe(200);
  await vi.waitFor(() => expect(server.logs.join('')).toMatch(/reports of use were refused/), { timeout: 60_000 });
});

test.each([
  [{ page: 'https://elsewhere.example/', visit: VISIT }],
  [{ page: '/findings?search=secret#x', visit: VISIT }],
  [{ page: '/findings', visit: 'ann@example.org' }],
  [{ page: '/findings' }],
])('%j is not reported', async (body) => {
  expect((await report(body)).status).toBe(422);
});
