import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendJson } from './encoding.ts';

const LONG = JSON.stringify({ data: Array.from({ length: 400 }, (_, index) => `Größe ${index}`) });
const LARGE = JSON.stringify({ data: Array.from({ length: 20_000 }, (_, index) => `Größe ${index}`) });
const ANSWERS = 40;
const SHORT = '{"data":"ß"}';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.get('/long', (request, response) => sendJson(request, response, LONG));
  app.get('/large', (request, response) => sendJson(request, response, LARGE));
  app.get('/short', (request, response) => sendJson(request, response, SHORT));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = async (path: string, accepted?: string): Promise<{ answer: IncomingMessage; bytes: Buffer }> => {
  const { port } = server.address() as AddressInfo;
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const sent = httpRequest({ port, host: '127.0.0.1', path, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { answer, bytes: await buffer(answer) };
};

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['GZIP;q=0.5', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
])('accepts %s: a long answer comes as %s and says the same', async (accepted, encoding, decoded) => {
  const { answer, bytes } = await ask('/long', accepted);
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.headers.vary).toContain('Accept-Encoding');
  expect(Number(answer.headers['content-length'])).toBe(bytes.length);
  expect(bytes.length).toBeLessThan(LONG.length / 3);
  expect(decoded(bytes).toString()).toBe(LONG);
});

test.each([undefined, 'identity', 'br;q=0', 'zstd', '*;q=0'])('accepts %s: it comes as it is', async (accepted) => {
  const { answer, bytes } = await ask('/long', accepted);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(bytes.toString()).toBe(LONG);
});

test('a short answer is not worth it', async () => {
  const { answer, bytes } = await ask('/short', 'br');
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(bytes.toString()).toBe(SHORT);
});

test('an answer that was sent is not kept by what compressed it', async () => {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  const kept = (): number => {
    for (let turn = 0; turn < 3; turn += 1) collect({ type: 'minor' });
    return process.memoryUsage().arrayBuffers;
  };
  await ask('/large', 'br');
  const before = kept();
  for (let turn = 0; turn < ANSWERS; turn += 1) await ask('/large', 'br');
  expect(kept() - before).toBeLessThan((ANSWERS * LARGE.length) / 2);
});
