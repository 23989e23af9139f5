import { expect, test } from 'vitest';
import { isTokenShaped, ownTokenIssue, readExpiry } from './api-token.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

test.each([
  ['2026-11-21', '2026-11-21T23:59:59.999Z'],
  ['2028-02-29', '2028-02-29T23:59:59.999Z'],
  ['2028-11-21', '2028-11-21T23:59:59.999Z'],
  ['2026-11-21T10:00:01Z', '2026-11-21T10:00:01.000Z'],
  ['2026-11-21T12:30:00.5+02:00', '2026-11-21T10:30:00.500Z'],
])('%s ends at %s', (text, end) => {
  expect(readExpiry(text, NOW, 'organization')).toEqual(new Date(end));
});

test.each([
  ['2026-11-20', /future/],
  ['2026-11-21T10:00:00Z', /future/],
  ['2026-11-21T12:00:00+02:00', /future/],
  ['2028-11-22', /2 years/],
  ['9999-12-31', /2 years/],
  ['2027-02-30', /Give a day/],
  ['2027-13-01', /Give a day/],
  ['2027-01-01T12:00:00', /Give a day/],
  ['tomorrow', /Give a day/],
  ['1900000000000', /Give a day/],
  ['', /Give a day/],
])('%j is refused', (text, reason) => {
  expect(readExpiry(text, NOW, 'organization')).toEqual({ issue: expect.stringMatching(reason) });
});

test('a personal token ends within 365 days', () => {
  expect(readExpiry('2027-11-21', NOW, 'personal')).toEqual(new Date('2027-11-21T23:59:59.999Z'));
  expect(readExpiry('2027-11-22', NOW, 'personal')).toEqual({ issue: expect.stringContaining('365 days') });
});

test.each([['9f86d081884c7d659a2feaa0c55ad015'], ['k3J8x0QmZ7vB1nR5tY9wE2uI6oP4aS8d+/=']])(
  '%s may serve as a token',
  (token) => {
    expect(ownTokenIssue(token)).toBeUndefined();
  },
);

test.each([
  ['too-short-0123456789-abcdef'],
  [`0123456789abcdef${'x'.repeat(200)}`],
  ['spaces are no part of a token 0123456789'],
  ['passwordpasswordpasswordpasswordpassword'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['bwp_k3J8x0QmZ7vB1nR5tY9wE2uI6oP4aS8dF0gH'],
  ['bwu_k3J8x0QmZ7vB1nR5tY9wE2uI6oP4aS8dF0gH'],
  ['tökentökentökentökentökentökentökentöken'],
])('%s may not', (token) => {
  expect(ownTokenIssue(token)).toBeTypeOf('string');
});

test('what no header can carry is not looked up', () => {
  expect(isTokenShaped('x'.repeat(31))).toBe(false);
  expect(isTokenShaped('x'.repeat(32))).toBe(true);
  expect(isTokenShaped(`${'x'.repeat(40)}\n`)).toBe(false);
});
