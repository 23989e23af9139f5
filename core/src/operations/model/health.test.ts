import { expect, test } from 'vitest';
import { databaseStatus, feedStatus, mailStatus, queueStatus, rollupStatus } from './health.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const before = (minutes: number): Date => new Date(NOW - minutes * 60_000);

test.each([
  [10, 100, 'ok'],
  [80, 100, 'ok'],
  [81, 100, 'attention'],
] as const)('a database with %s of %s connections: %s', (connections, maxConnections, status) => {
  expect(databaseStatus({ connections, maxConnections })).toBe(status);
});

test.each([
  [0, null, null, 'ok'],
  [0, before(4), before(29), 'ok'],
  [0, before(1), before(31), 'attention'],
  [1, before(1), null, 'attention'],
  [0, before(6), null, 'attention'],
  [0, before(31), null, 'failed'],
] as const)(
  'a queue with %s given up, waiting since %s, oldest import %s: %s',
  (failed, waitingSince, oldestImport, status) => {
    expect(queueStatus({ failed, waitingSince, oldestImport }, NOW)).toBe(status);
  },
);

test('counts that differ have failed; a check that is missed for two nights asks for attention', () => {
  expect(rollupStatus(undefined, NOW)).toBe('ok');
  expect(rollupStatus({ checkedAt: before(60).toISOString(), differences: 0 }, NOW)).toBe('ok');
  expect(rollupStatus({ checkedAt: before(60 * 49).toISOString(), differences: 0 }, NOW)).toBe('attention');
  expect(rollupStatus({ checkedAt: before(60).toISOString(), differences: 1 }, NOW)).toBe('failed');
});

test('feeds that failed, are missing or are old ask for attention', () => {
  const fresh = { dataDate: '2026-11-23', failure: null };
  expect(feedStatus([fresh, fresh], NOW)).toBe('ok');
  expect(feedStatus([fresh, { ...fresh, failure: 'HTTP 500' }], NOW)).toBe('attention');
  expect(feedStatus([{ ...fresh, dataDate: null }], NOW)).toBe('attention');
  expect(feedStatus([{ ...fresh, dataDate: '2026-10-01' }], NOW)).toBe('attention');
});

test('mails that failed matter where there is a server to send them', () => {
  expect(mailStatus({ isConfigured: true, failed: 0 })).toBe('ok');
  expect(mailStatus({ isConfigured: true, failed: 2 })).toBe('attention');
  expect(mailStatus({ isConfigured: false, failed: 2 })).toBe('ok');
});
