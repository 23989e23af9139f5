import { expect, test } from 'vitest';
import { isCheapPattern } from './manifest-of-stranger.ts';

test.each([
  '^[a-z0-9-]{1,40}$',
  '^[0-9a-f]{2}(:[0-9a-f]{2}){15}$',
  '^https://.+/x$',
  '^(eu|us)$',
  String.raw`^\(.*\)$`,
  '^[)*]+$',
])('takes %s', (pattern) => expect(isCheapPattern(pattern)).toBe(true));

test.each([
  '^(a+)+$',
  '^(a|aa)+$',
  '(.*a){12}',
  '(a?){20,}',
  '.*.*.*.*x',
  String.raw`^(a)\1$`,
  'a{1000}',
  'x'.repeat(301),
])('refuses %s', (pattern) => expect(isCheapPattern(pattern)).toBe(false));
