import { expect, test } from 'vitest';
import { DEFAULT_SLA_DAYS, dueDateOf, slaStateOf } from './sla.ts';

test.each([
  ['critical', 0, 'ok'],
  ['critical', 1, 'due_soon'],
  ['critical', 2, 'overdue'],
  ['high', 5, 'ok'],
  ['high', 6, 'due_soon'],
  ['high', 7, 'due_soon'],
  ['high', 8, 'overdue'],
  ['medium', 22, 'ok'],
  ['medium', 23, 'due_soon'],
  ['medium', 31, 'overdue'],
  ['low', 67, 'ok'],
  ['low', 90, 'due_soon'],
  ['low', 91, 'overdue'],
  ['informational', 9999, 'ok'],
  // a date of tomorrow, by a scanner's clock
  ['critical', -1, 'ok'],
] as const)('a %s finding of %i days is %s', (severity, age, state) => {
  expect(slaStateOf(severity, age)).toBe(state);
});

test('a finding is due on the last day that is in time, at any hour, over months and leap days', () => {
  expect(dueDateOf('high', new Date('2026-11-22T23:59:59Z'), DEFAULT_SLA_DAYS)).toBe('2026-11-29');
  expect(dueDateOf('medium', new Date('2028-02-01T00:00:00Z'), DEFAULT_SLA_DAYS)).toBe('2028-03-02');
  expect(dueDateOf('informational', new Date(), DEFAULT_SLA_DAYS)).toBeNull();
  const own = { ...DEFAULT_SLA_DAYS, critical: null, informational: 365 };
  expect(dueDateOf('informational', new Date('2026-12-31T12:00:00Z'), own)).toBe('2027-12-31');
  expect([slaStateOf('critical', 5000, own), slaStateOf('informational', 366, own)]).toEqual(['ok', 'overdue']);
});
