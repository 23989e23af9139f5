import { expect, test } from 'vitest';
import { slaStateOf } from './sla.ts';

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
