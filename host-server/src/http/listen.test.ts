import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listener, startListening } from './listen.ts';

const STALLED_MS = 400;
let listener: Listener;
const aborted: string[] = [];

beforeAll(async () => {
  const app = express();
  app.post('/', (request, response) => {
    text(request).then(
      (body) => response.send(`${body.length}`),
      (error: Error) => aborted.push(error.message),
    );
  });
  app.get('/slow', (_request, response) => {
    setTimeout(() => response.send('done'), 3 * STALLED_MS);
  });
  listener = await startListening(app, { host: '127.0.0.1', port: 0 }, { stalledBodyMs: STALLED_MS });
});
afterAll(() => listener.drain());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A POST of ten bytes, sent in pieces. @returns all that comes back. */
const post = async (pieces: AsyncIterable<string>): Promise<string> => {
  const socket = connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = text(socket);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n');
  for await (const piece of pieces) socket.write(piece);
  return answer;
};

test('a body that stands still ends its request', async () => {
  const answer = await post(
    (async function* () {
      yield '12345';
    })(),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => aborted).toEqual(['aborted']);
});

test('a body that comes slowly is read to its end', async () => {
  const answer = await post(
    (async function* () {
      for (let n = 0; n < 10; n += 1) {
        await pause(STALLED_MS / 4);
        yield 'x';
      }
    })(),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*10$/);
});

test('an answer may take longer', async () => {
  const response = await fetch(`http://127.0.0.1:${listener.port}/slow`);
  expect(await response.text()).toBe('done');
});
