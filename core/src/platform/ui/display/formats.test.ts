import { expect, test } from 'vitest';
import {
  formatAmount,
  formatChange,
  formatCount,
  formatDate,
  formatExact,
  formatNumber,
  formatTime,
  formatUsd,
} from './formats.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:40Z', 'just now'],
  ['2026-11-21T11:57:00Z', '3 min ago'],
  ['2026-11-21T07:00:00Z', '5 h ago'],
  ['2026-11-20T12:00:01Z', '23 h ago'],
  ['2026-11-18T12:00:00Z', '18 Nov'],
  ['2025-11-18T12:00:00Z', '18 Nov 2025'],
  ['2026-12-24T12:00:00Z', '24 Dec'],
  ['2026-09-05T12:00:00Z', '5 Sep'],
])('%s reads as %s', (value, text) => {
  expect(formatTime(value, NOW)).toBe(text);
});

test('a date without a time is that day in every time zone', () => {
  expect(formatDate('2026-11-18', NOW)).toBe('18 Nov');
  expect(formatExact('2026-11-18')).toBe('18 Nov 2026');
});

test('an exact time names seconds and zone', () => {
  expect(formatExact('2026-11-18T09:12:04Z')).toMatch(/^1[789] Nov 2026, \d\d:\d\d:04 \S+/);
});

test('what is no time is shown as it came', () => {
  expect(formatTime('yesterday', NOW)).toBe('yesterday');
});

test('numbers', () => {
  expect(formatNumber(1234567)).toBe('1,234,567');
  expect(formatCount(12345)).toBe('12,345');
  expect(formatCount(1234567)).toBe('1.2M');
  expect(formatUsd(129900)).toBe('$1,299');
  expect([12.4, -3, 0.2].map(formatChange)).toEqual(['+12%', '-3%', '0%']);
  expect([formatAmount(1, 'finding'), formatAmount(2, 'finding'), formatAmount(3, 'entry', 'entries')]).toEqual([
    '1 finding',
    '2 findings',
    '3 entries',
  ]);
});
