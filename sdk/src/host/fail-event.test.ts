import { expect, test } from 'vitest';
import { NO_CONNECTION, transition } from '../connection-machine.ts';
import { CONNECTOR_ERROR_CODES, ConnectorError } from '../errors.ts';
import { failEvent, shouldGiveUp } from './fail-event.ts';

const now = new Date('2026-11-21T10:00:00Z');
const seconds = (error: ConnectorError, attempts: number, random = 1): number | null => {
  const { retryAt } = failEvent(error, { attempts, now, random: () => random });
  return retryAt === undefined ? null : (Date.parse(retryAt) - now.getTime()) / 1000;
};

test('backs off from 30 s to an hour, of which chance takes up to half', () => {
  const error = new ConnectorError('unreachable', 'No answer.');
  expect([0, 1, 2, 6, 7, 12, 2000].map((attempts) => seconds(error, attempts))).toEqual([
    30, 60, 120, 1920, 3600, 3600, 3600,
  ]);
  expect(seconds(error, 0, 0)).toBe(15);
  expect(seconds(new ConnectorError('upstream', 'Error.'), 3)).toBe(240);
});

test('comes back when the service says, within a day', () => {
  const limited = (retryAfterMs?: number) =>
    new ConnectorError('rate_limited', 'Too often.', retryAfterMs === undefined ? {} : { retryAfterMs });
  expect(seconds(limited(120_000), 0)).toBe(120);
  expect(seconds(limited(0), 5)).toBe(5);
  expect(seconds(limited(-5), 0)).toBe(5);
  expect(seconds(limited(90 * 24 * 3_600_000), 0)).toBe(24 * 3600);
  expect(seconds(limited(), 9)).toBe(60);
  expect(seconds(new ConnectorError('upstream', 'Down.', { retryAfterMs: 600_000 }), 0)).toBe(600);
});

test('is an event that the statechart takes, for every code', () => {
  for (const code of CONNECTOR_ERROR_CODES) {
    const event = failEvent(new ConnectorError(code, 'Why.', { help: 'What to do.' }), { attempts: 0, now });
    const after = transition({ ...NO_CONNECTION, connection: 'checking' }, event);
    expect(after.failure).toEqual({ code, message: 'Why.', help: 'What to do.' });
    expect(after.retryAt !== null).toBe(['paused', 'retrying'].includes(after.connection));
  }
});

test('gives up after twelve failures in a row', () => {
  expect([0, 11, 12, 13].map(shouldGiveUp)).toEqual([false, false, true, true]);
});
