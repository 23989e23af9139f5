import { expect, test } from 'vitest';
import { barLengths, LEAST_SHARE } from './bar-lengths.ts';

test('a small figure beside a large one keeps a length that can be seen, a zero has none', () => {
  expect(barLengths([[1000, 1, 0]], 'linear')).toEqual([[1000, 1000 * LEAST_SHARE, 0]]);
});

test('on the logarithmic scale bars are as long as the logarithm of their sums, and parts share it', () => {
  const [first, second] = barLengths(
    [
      [99 / 2, 0],
      [99 / 2, 9],
    ],
    'log',
  );
  expect(first).toEqual([1, 0]);
  expect(second).toEqual([1, 1]);
});

test('nothing at all has no length', () => {
  expect(barLengths([[0, 0]], 'log')).toEqual([[0, 0]]);
  expect(barLengths([], 'linear')).toEqual([]);
});
