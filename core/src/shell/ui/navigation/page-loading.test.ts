import { expect, test } from 'vitest';
import { type ConnectionHints, createPrefetcher } from './page-loading.ts';

const prefetcherOver = (connection?: ConnectionHints) => {
  const asked: string[] = [];
  const settle: ((isGood: boolean) => void)[] = [];
  const prefetcher = createPrefetcher(() => connection);
  prefetcher.connect((path) => {
    asked.push(path);
    return new Promise((resolve, reject) => {
      settle.push((isGood) => (isGood ? resolve(undefined) : reject(new Error('gone'))));
    });
  });
  return { asked, settle, prefetch: prefetcher.prefetch };
};

const turn = () => new Promise((resolve) => setTimeout(resolve));

test('at most four loads are pending', async () => {
  const { asked, settle, prefetch } = prefetcherOver();
  for (const path of ['/a', '/b', '/c', '/d', '/e']) prefetch(path);
  expect(asked).toEqual(['/a', '/b', '/c', '/d']);
  settle[0]?.(true);
  await turn();
  prefetch('/e');
  expect(asked).toEqual(['/a', '/b', '/c', '/d', '/e']);
});

test('a path is loaded once, and again only after a failure', async () => {
  const { asked, settle, prefetch } = prefetcherOver();
  prefetch('/a');
  prefetch('/a');
  expect(asked).toEqual(['/a']);
  settle[0]?.(false);
  await turn();
  prefetch('/a');
  expect(asked).toEqual(['/a', '/a']);
});

test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'nothing over %o',
  (connection) => {
    const { asked, prefetch } = prefetcherOver(connection);
    prefetch('/a');
    expect(asked).toEqual([]);
  },
);

test('4g and browsers that report nothing prefetch', () => {
  for (const connection of [{ effectiveType: '4g', saveData: false }, undefined]) {
    const { asked, prefetch } = prefetcherOver(connection);
    prefetch('/a');
    expect(asked).toEqual(['/a']);
  }
});
