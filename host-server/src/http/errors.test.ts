import { expect, test } from 'vitest';
import { toAppError } from './errors.ts';

const coded = (code: string): Error => Object.assign(new Error('as thrown'), { code });

test.each([
  ['53100', 'disk_full'],
  ['ENOSPC', 'disk_full'],
  ['57P01', 'unavailable'],
  ['23505', 'conflict'],
  ['22021', 'validation_failed'],
  ['XX000', 'internal'],
])('%s is %s', (code, expected) => {
  expect(toAppError(coded(code)).code).toBe(expected);
});
