import { expect, test, vi } from 'vitest';
import { isChunkLoadError, loadGuarded, reloadOnce } from './page-loading.ts';

const environmentAt = (clock: { now: number }) => {
  const values = new Map<string, string>();
  return {
    storage: {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
    },
    now: () => clock.now,
    reload: vi.fn(),
  };
};

const gone = new TypeError('Failed to fetch dynamically imported module: https://app.example/static/x.js');

test('reloads at most once in ten seconds', () => {
  const clock = { now: 1_000_000 };
  const environment = environmentAt(clock);
  expect(reloadOnce(environment)).toBe(true);
  clock.now += 9_999;
  expect(reloadOnce(environment)).toBe(false);
  clock.now += 1;
  expect(reloadOnce(environment)).toBe(true);
  expect(environment.reload).toHaveBeenCalledTimes(2);
});

test('does not reload where it cannot remember that it did', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  const reload = vi.fn();
  expect(reloadOnce({ storage: { getItem: refuse, setItem: refuse }, now: () => 1, reload })).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

test('knows the three browsers’ words for missing code, and nothing else', () => {
  expect(isChunkLoadError(gone)).toBe(true);
  expect(isChunkLoadError(new TypeError('error loading dynamically imported module: x.js'))).toBe(true);
  expect(isChunkLoadError(new TypeError('Importing a module script failed.'))).toBe(true);
  expect(isChunkLoadError(new Error('Unable to preload CSS for /static/x.css'))).toBe(true);
  expect(isChunkLoadError(new TypeError('x is not a function'))).toBe(false);
});

test('a second failure within the time ends on the error page', async () => {
  const environment = environmentAt({ now: 1_000_000 });
  const first = loadGuarded(() => Promise.reject(gone), environment);
  await expect(Promise.race([first, Promise.resolve('still waiting')])).resolves.toBe('still waiting');
  await vi.waitFor(() => expect(environment.reload).toHaveBeenCalledTimes(1), { timeout: 30_000 });
  await expect(loadGuarded(() => Promise.reject(gone), environment)).rejects.toBe(gone);
  expect(environment.reload).toHaveBeenCalledTimes(1);
});

test('an error inside the code is no reason to reload', async () => {
  const environment = environmentAt({ now: 1_000_000 });
  const issue = new Error('boom');
  await expect(loadGuarded(() => Promise.reject(issue), environment)).rejects.toBe(issue);
  expect(environment.reload).not.toHaveBeenCalled();
});
