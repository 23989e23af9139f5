import { expect, test } from 'vitest';
import { ConnectorError } from '../errors.ts';
import { runStep } from './run-step.ts';

const never = (): Promise<never> => new Promise(() => undefined);

test('gives the value of the work', async () => {
  await expect(runStep(async () => 42, { timeoutMs: 1_000 })).resolves.toEqual({ ok: true, value: 42 });
});

test('keeps what a connector says, also one with its own copy of the sdk', async () => {
  const error = new ConnectorError('scope', 'No right to read.', { help: 'Add it.' });
  await expect(runStep(() => Promise.reject(error), { timeoutMs: 1_000 })).resolves.toEqual({
    ok: false,
    crashed: false,
    error,
  });
  class Copy extends Error {
    override readonly name = 'ConnectorError';
    readonly code = 'auth';
  }
  await expect(runStep(() => Promise.reject(new Copy('No.')), { timeoutMs: 1_000 })).resolves.toMatchObject({
    crashed: false,
    error: { code: 'auth', message: 'No.' },
  });
});

test.each([
  ['an error', () => Promise.reject(new RangeError('at /srv/secret/path.ts'))],
  ['a text', () => Promise.reject('at /srv/secret/path.ts')],
  ['nothing', () => Promise.reject(undefined)],
  ['an error at once', () => JSON.parse('{')],
  ['its own abort', () => Promise.reject(new DOMException('x', 'AbortError'))],
  [
    'a name without a code',
    () => Promise.reject(Object.assign(new Error('x'), { name: 'ConnectorError', code: 'other' })),
  ],
])('%s that was not thrown on purpose is a crash with neutral words', async (_, work) => {
  const outcome = await runStep(work, { timeoutMs: 1_000 });
  expect(outcome).toMatchObject({ ok: false, crashed: true, error: { code: 'upstream' } });
  if (!outcome.ok) {
    expect(outcome.error.message).not.toContain('/srv');
    expect(outcome.error.cause).toBeInstanceOf(Error);
  }
});

test('the deadline aborts the work, whose error is then a timeout and no crash', async () => {
  let reason: unknown;
  const work = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  const outcome = await runStep(work, { timeoutMs: 50 });
  expect(outcome).toMatchObject({ ok: false, crashed: false, error: { code: 'unreachable' } });
  expect(reason).toBeInstanceOf(ConnectorError);
});

test('work that ignores its signal is left alone soon after the deadline', async () => {
  let isLate = false;
  const outcome = await Promise.race([
    runStep(never, { timeoutMs: 50 }),
    new Promise((resolve) => setTimeout(resolve, 20_000)).then(() => {
      isLate = true;
    }),
  ]);
  expect(outcome).toMatchObject({ ok: false, crashed: false, error: { code: 'unreachable' } });
  expect(isLate).toBe(false);
});

test('an abandoned failure harms nobody', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await runStep(() => promise, { timeoutMs: 10 });
  const unhandled: unknown[] = [];
  const handle = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', handle);
  reject(new Error('late'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', handle);
  expect(unhandled).toEqual([]);
});

test('the caller may stop it, before or after it began', async () => {
  const stop = new AbortController();
  const running = runStep(never, { timeoutMs: 60_000, signal: stop.signal });
  stop.abort();
  const stopped = {
    ok: false,
    crashed: false,
    error: { code: 'unreachable', message: 'It was stopped before it was done.' },
  };
  await expect(running).resolves.toMatchObject(stopped);
  let hasBegun = false;
  const work = async (signal: AbortSignal): Promise<void> => {
    hasBegun = true;
    signal.throwIfAborted();
  };
  await expect(runStep(work, { timeoutMs: 60_000, signal: stop.signal })).resolves.toMatchObject(stopped);
  expect(hasBegun).toBe(false);
});
