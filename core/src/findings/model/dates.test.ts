import { expect, test } from 'vitest';
import { dueReasonOf, isReportedBefore, publishedYear } from './dates.ts';

const here = '2026-11-24T10:00:00Z';

test('what a tool reported with its import is found here, what it reported on an earlier day is reported since', () => {
  expect(isReportedBefore({ date: '2026-11-24T01:00:00Z', first_seen: here })).toBe(false);
  expect(isReportedBefore({ date: '2024-11-26T14:40:45Z', first_seen: here })).toBe(true);
  // a clock that is ahead
  expect(isReportedBefore({ date: '2026-12-01T00:00:00Z', first_seen: here })).toBe(false);
});

test('a due date says how many days it counts, from when, and whether it was past before the import', () => {
  expect(dueReasonOf({ first_seen: here, due_date: '2026-12-01', due_from: '2026-11-24' })).toEqual({
    ...{ due: '2026-12-01', days: 7, from: '2026-11-24', since: 'found', wasDueBeforeImport: false },
  });
  expect(dueReasonOf({ first_seen: here, due_date: '2024-12-03', due_from: '2024-11-26' })).toEqual({
    ...{ due: '2024-12-03', days: 7, from: '2024-11-26', since: 'reported', wasDueBeforeImport: true },
  });
  expect(dueReasonOf({ first_seen: here, due_date: '2026-11-24', due_from: '2026-11-20' })).toMatchObject({
    ...{ since: 'reported', wasDueBeforeImport: false },
  });
  expect(dueReasonOf({ first_seen: here, due_date: null, due_from: null })).toBeUndefined();
});

test('a CVE id tells the year in which it was published', () => {
  expect([publishedYear('CVE-2023-44487'), publishedYear('GHSA-1'), publishedYear(null)]).toEqual([
    ...['2023', undefined, undefined],
  ]);
});
