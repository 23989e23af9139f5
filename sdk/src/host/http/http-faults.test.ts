import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ctx } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import type { ConnectorError } from '../../errors.ts';
import { type CtxOptions, createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { LIMITS } from '../limits.ts';
import { runStep } from '../run-step.ts';
import { connectionWith } from '../testing/host-connection.ts';
import { type LocalServer, startServer } from '../testing/local-server.ts';

type Answer = Parameters<typeof startServer>[0];

let gate: EgressGate;
let server: LocalServer;
let answer: Answer;
beforeEach(async () => {
  server = await startServer((request, response) => answer(request, response));
  gate = createEgressGate({ allowPrivateHosts: true });
});
afterEach(async () => {
  await gate.close();
  await server.close();
});

const ctxOf = (options: Partial<CtxOptions> = {}): Ctx<CredentialSchema> =>
  createCtx(gate, connectionWith({ config: { base_url: server.origin } }), {
    signal: AbortSignal.timeout(30_000),
    ...options,
  });

const refusalOf = (work: Promise<unknown>): Promise<ConnectorError> =>
  work.then(
    () => expect.fail('it came to something'),
    (error: ConnectorError) => error,
  );

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A byte now and then, never the end. */
const drip: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
};

test('a service that never answers is unreachable, by the request’s own limit and by the step’s', async () => {
  answer = () => undefined;
  const limits = { requestMs: 200 };
  const error = await refusalOf(ctxOf({ limits }).http.json({ path: '/' }));
  expect(error).toMatchObject({ code: 'unreachable', message: 'Demo did not answer in time.' });
  const outcome = await runStep((signal) => ctxOf({ signal }).http.json({ path: '/' }), { timeoutMs: 200 });
  expect(outcome).toMatchObject({
    ok: false,
    crashed: false,
    error: { code: 'unreachable', message: 'Demo did not answer in time.' },
  });
});

test('a body that drips for ever is ended by the limits', async () => {
  answer = drip;
  const late = { code: 'unreachable', message: 'Demo did not answer in time.' };
  expect(await refusalOf(ctxOf({ limits: { requestMs: 300 } }).http.json({ path: '/' }))).toMatchObject(late);
  const stream = await runStep((signal) => collect(ctxOf({ signal }).http.stream({ path: '/' })), { timeoutMs: 300 });
  expect(stream).toMatchObject({ ok: false, crashed: false, error: late });
});

test('a refusal that says its reason slowly is reported without it', async () => {
  answer = (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.write('{"message":');
  };
  expect(await refusalOf(ctxOf().http.json({ path: '/' }))).toMatchObject({
    code: 'auth',
    message: 'Demo refused the credentials (status 401).',
  });
});

test('a body that stops in the middle is upstream', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"a":1', () => response.destroy());
  };
  const message = 'Demo broke off in the middle of its answer.';
  expect(await refusalOf(ctxOf().http.json({ method: 'POST', path: '/' }))).toMatchObject({
    code: 'upstream',
    message,
  });
  expect(server.seen).toHaveLength(1);
  const stream = collect(ctxOf().http.stream({ path: '/' }));
  expect(await refusalOf(stream)).toMatchObject({ code: 'upstream', message });
});

test('an answer of more than 10 MB is refused, announced or not', async () => {
  const message = 'Demo sent more than 10 MB in one answer.';
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': String(LIMITS.answerBytes + 1) });
    response.write('[');
  };
  expect(await refusalOf(ctxOf().http.json({ path: '/' }))).toMatchObject({ code: 'upstream', message });
  let sent = 0;
  answer = (_, response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const more = (): void => {
      while (sent < 500 && !response.destroyed) {
        sent += 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  };
  expect(await refusalOf(ctxOf().http.request({ path: '/' }))).toMatchObject({ code: 'upstream', message });
  expect(sent).toBeLessThan(500);
  answer = (_, response) => response.end(`"${'x'.repeat(LIMITS.answerBytes - 2)}"`);
  await expect(ctxOf().http.json({ path: '/' })).resolves.toHaveLength(LIMITS.answerBytes - 2);
});

test('a packed answer is unpacked, a bomb is not', async () => {
  // packed before memory is measured: the whole of a bomb is in it then
  const packed = (body: Buffer | string): Answer => {
    const bytes = gzipSync(body);
    return (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bytes);
    };
  };
  answer = packed('{"a":1}');
  await expect(ctxOf().http.json({ path: '/' })).resolves.toEqual({ a: 1 });
  answer = packed(Buffer.alloc(200 * 1024 * 1024));
  const before = process.memoryUsage().rss;
  expect(await refusalOf(ctxOf().http.json({ path: '/' }))).toMatchObject({ code: 'upstream' });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  const capped = collect(ctxOf({ limits: { streamBytes: 1024 * 1024 } }).http.stream({ path: '/' }));
  expect(await refusalOf(capped)).toMatchObject({
    code: 'upstream',
    message: 'Demo sent more than 1 MB in one answer.',
  });
  answer = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end('not packed at all');
  };
  expect(await refusalOf(ctxOf().http.json({ method: 'POST', path: '/' }))).toMatchObject({
    code: 'upstream',
    message: 'Demo sent an answer that cannot be read.',
  });
});

test('an answer without a body has none, whatever its headers say', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(LIMITS.answerBytes + 1) });
    response.end();
  };
  const head = await ctxOf().http.request({ method: 'HEAD', path: '/' });
  expect([head.status, head.body.byteLength]).toEqual([200, 0]);
  answer = (_, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end();
  await expect(ctxOf().http.json({ method: 'DELETE', path: '/' })).resolves.toBeNull();
  answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end();
  await expect(ctxOf().http.json({ path: '/' })).resolves.toBeNull();
});

test('a header that never ends is upstream', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'x-long': 'a'.repeat(200_000) });
    response.end();
  };
  expect((await refusalOf(ctxOf().http.json({ path: '/' }))).code).toBe('upstream');
});

test.each(['json', 'stream'] as const)('%s ends soon after it was told to stop, wherever it is', async (kind) => {
  for (const behaviour of [drip, () => undefined] satisfies Answer[]) {
    answer = behaviour;
    const stop = new AbortController();
    const { http } = ctxOf({ signal: stop.signal });
    const work = kind === 'json' ? http.json({ path: '/' }) : collect(http.stream({ path: '/' }));
    const refusal = refusalOf(work);
    await expect.poll(() => server.seen.length).toBeGreaterThan(0);
    stop.abort();
    expect(await refusal).toMatchObject({
      code: 'unreachable',
      message: 'The request to Demo was stopped before it was answered.',
    });
    await expect(http.json({ path: '/' })).rejects.toMatchObject({ code: 'unreachable' });
    expect(server.seen).toHaveLength(1);
    server.seen.length = 0;
  }
});

test('a stream arrives piece by piece, and a reader may leave early', async () => {
  let isClosed = false;
  answer = (_, response) => {
    response.once('close', () => {
      isClosed = true;
    });
    response.write('one');
  };
  for await (const piece of ctxOf().http.stream({ path: '/' })) {
    expect(Buffer.from(piece).toString()).toBe('one');
    break;
  }
  await expect.poll(() => isClosed).toBe(true);
});

test('a wait before the next try ends with the step', async () => {
  answer = (_, response) => response.writeHead(503, { 'retry-after': '5' }).end();
  const outcome = await runStep((signal) => ctxOf({ signal }).http.json({ path: '/' }), { timeoutMs: 300 });
  expect(outcome).toMatchObject({ ok: false, crashed: false, error: { code: 'unreachable' } });
  expect(server.seen).toHaveLength(1);
});
