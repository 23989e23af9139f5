import { expect, test } from 'vitest';
import { toggledVerdict } from './apply-change.ts';

test.each([
  ['none', undefined, 'false_positive'],
  ['accepted_risk', undefined, 'false_positive'],
  ['false_positive', 'none', 'none'],
  ['false_positive', 'accepted_risk', 'accepted_risk'],
  ['false_positive', 'false_positive', 'none'],
  ['false_positive', 'unheard of', 'none'],
  ['false_positive', undefined, 'none'],
] as const)('%s, before it %s, becomes %s', (verdict, before, after) => {
  expect(toggledVerdict(verdict, before)).toBe(after);
});
