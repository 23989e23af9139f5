import { expect, test } from 'vitest';
import { toAppError } from './errors.ts';

const coded = (code: string): Error => Object.assign(new Error('as thrown'), { code });

test.each([
  ['53100', 'disk_full'],
  ['ENOSPC', 'disk_full'],
  ['57P01', 'unavailable'],
  ['25006', 'unavailable'],
  ['23505', 'conflict'],
  ['22021', 'validation_failed'],
  ['XX000', 'internal'],
])('%s is %s', (code, expected) => {
  expect(toAppError(coded(code)).code).toBe(expected);
});

test.each([
  // PgBouncer's one code, here of "pgbouncer cannot connect to server"
  Object.assign(new Error('pgbouncer cannot connect to server'), { code: '08P01' }),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('timeout exceeded when trying to connect'),
])('a database that a failover took away is 503, and a later try may succeed: $message', (thrown) => {
  expect(toAppError(thrown)).toMatchObject({ code: 'unavailable', status: 503, isRetryable: true });
});
