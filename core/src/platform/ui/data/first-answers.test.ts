import { afterEach, expect, test, vi } from 'vitest';
import { FIRST_ANSWERS, withFirstAnswers } from './first-answers.ts';

afterEach(() => {
  Reflect.deleteProperty(globalThis, FIRST_ANSWERS);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A page that asked for `/api/rows`, and how often it asks the server after that. */
const page = (answer: Promise<Response>) => {
  Reflect.set(globalThis, FIRST_ANSWERS, new Map([['/api/rows', answer]]));
  const asked: unknown[] = [];
  const fetch = withFirstAnswers(async (input) => {
    asked.push(input);
    return new Response('later');
  });
  return { fetch, asked };
};

const textOf = async (response: Promise<Response>): Promise<string> => (await response).text();

test('the first call takes the answer that is on its way; the next asks again', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(2000);
  const { fetch, asked } = page(Promise.resolve(new Response('first')));
  expect(await textOf(fetch('/api/rows', { method: 'GET' }))).toBe('first');
  expect(asked).toEqual([]);
  expect(await textOf(fetch('/api/rows'))).toBe('later');
});

test('other addresses, changes, and calls long after the navigation ask the server', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(2000);
  const { fetch, asked } = page(Promise.resolve(new Response('first')));
  await fetch('/api/others');
  await fetch('/api/rows', { method: 'POST' });
  now.mockReturnValue(15_001);
  await fetch('/api/rows');
  expect(asked).toEqual(['/api/others', '/api/rows', '/api/rows']);
});

test('one that failed is asked again, and a call that was given up is given up', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(2000);
  const { fetch } = page(Promise.reject(new TypeError('offline')));
  expect(await textOf(fetch('/api/rows'))).toBe('later');
  const other = page(Promise.resolve(new Response('first')));
  await expect(other.fetch('/api/rows', { signal: AbortSignal.abort() })).rejects.toThrow();
});
