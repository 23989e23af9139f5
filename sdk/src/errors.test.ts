import { expect, it } from 'vitest';
import { ConnectorError, isConnectorError } from './errors.ts';

it('carries code, help, delay and cause', () => {
  const cause = new Error('socket hang up');
  const error = new ConnectorError('rate_limited', 'Asked too often.', { retryAfterMs: 30_000, help: 'Wait.', cause });
  expect(error).toMatchObject({
    code: 'rate_limited',
    message: 'Asked too often.',
    retryAfterMs: 30_000,
    help: 'Wait.',
    cause,
  });
});

it('is recognised by its code, also from another copy of the package', () => {
  const foreign = Object.assign(new Error('no'), { name: 'ConnectorError', code: 'auth' });
  expect(isConnectorError(new ConnectorError('auth', 'no'))).toBe(true);
  expect(isConnectorError(foreign)).toBe(true);
  expect(isConnectorError(Object.assign(new Error('no'), { name: 'ConnectorError', code: 'teapot' }))).toBe(false);
  expect(isConnectorError(Object.assign(new Error('no'), { code: 'auth' }))).toBe(false);
  expect(isConnectorError(new Error('no'))).toBe(false);
  expect(isConnectorError('auth')).toBe(false);
});
