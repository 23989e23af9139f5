import { expect, test } from 'vitest';
import { openAtEnds } from './backlog.ts';
import { chartDates, chartSpans } from './charts.ts';

const TODAY = new Date('2026-03-31T23:30:00Z');

test('thirty days, twelve weeks and twelve months end today', () => {
  expect(chartDates('30d', TODAY)).toHaveLength(30);
  expect(chartDates('30d', TODAY).slice(-2)).toEqual(['2026-03-30', '2026-03-31']);
  expect(chartDates('12w', TODAY).slice(-3)).toEqual(['2026-03-17', '2026-03-24', '2026-03-31']);
  const months = chartDates('12m', TODAY);
  expect(months).toHaveLength(12);
  expect([months[0], ...months.slice(-3)]).toEqual(['2025-04-30', '2026-01-31', '2026-02-28', '2026-03-31']);
});

test('open counts go back from now by what changed after each date', () => {
  const changes = [
    { severity: 4, day: '2026-03-29', delta: 5 },
    { severity: 4, day: '2026-03-31', delta: -2 },
    { severity: 4, day: '2026-03-30', delta: 4 },
  ];
  expect(openAtEnds(7, changes, ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'])).toEqual([0, 5, 9, 7]);
});

test('spans touch each other and end today', () => {
  expect(chartSpans('30d', TODAY).slice(-1)).toEqual([{ first: '2026-03-31', last: '2026-03-31' }]);
  expect(chartSpans('12w', TODAY).slice(-2)).toEqual([
    { first: '2026-03-18', last: '2026-03-24' },
    { first: '2026-03-25', last: '2026-03-31' },
  ]);
  const months = chartSpans('12m', TODAY);
  expect(months[0]).toEqual({ first: '2025-04-01', last: '2025-04-30' });
  expect(months.slice(-2)).toEqual([
    { first: '2026-02-01', last: '2026-02-28' },
    { first: '2026-03-01', last: '2026-03-31' },
  ]);
});
