import { expect, test } from 'vitest';
import { amountFor, discountOf, isLive, yearlyAmountCents } from './plans.ts';

test.each([
  [undefined, 10],
  [0, 0],
  [25, 25],
  [100, 100],
  [-1, 0],
  [101, 0],
  [Number.NaN, 0],
])('a discount of %j counts as %d percent', (given, expected) => {
  expect(discountOf(given)).toBe(expected);
});

const monthly = { amountCents: 4900, interval: 'month', yearlyDiscount: 10 } as const;

test('a year costs twelve months less the discount, in whole dollars', () => {
  expect(yearlyAmountCents(monthly)).toBe(52_900);
  expect(yearlyAmountCents({ ...monthly, yearlyDiscount: 0 })).toBe(58_800);
  expect(yearlyAmountCents({ ...monthly, yearlyDiscount: 100 })).toBe(0);
  expect(yearlyAmountCents({ ...monthly, interval: 'year' })).toBe(4900);
});

test('a plan by the year is not paid by the month', () => {
  expect(amountFor(monthly, 'month')).toBe(4900);
  expect(amountFor({ ...monthly, interval: 'year' }, 'month')).toBeUndefined();
  expect(amountFor({ ...monthly, interval: 'year' }, 'year')).toBe(4900);
});

test('a subscription counts while it is paid for, or about to be', () => {
  expect(['active', 'trialing', 'past_due'].map(isLive)).toEqual([true, true, true]);
  expect(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', null, undefined].some(isLive)).toBe(
    false,
  );
});
