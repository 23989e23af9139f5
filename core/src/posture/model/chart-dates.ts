import type { ChartPeriod } from './chart-choices.ts';

const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const monthEnds = (today: Date): string[] =>
  Array.from({ length: 11 }, (_, index) =>
    dayOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 10 + index, 0)),
  );

/** Days (UTC) at whose end the chart shows a point, oldest first; the last is today. */
export const chartDates = (period: ChartPeriod, today: Date): string[] => {
  const end = today.getTime();
  switch (period) {
    case '30d':
      return Array.from({ length: 30 }, (_, index) => dayOf(end - (29 - index) * DAY_MS));
    case '12w':
      return Array.from({ length: 12 }, (_, index) => dayOf(end - (11 - index) * 7 * DAY_MS));
    case '12m':
      return [...monthEnds(today), dayOf(end)];
  }
};

/** A day so many days before another (UTC). */
export const daysBefore = (day: string, days: number): string => dayOf(Date.parse(day) - days * DAY_MS);

/** Spans of days (UTC), both ends included, that end with the points of the chart: each day, week or month, oldest first. */
export const chartSpans = (period: ChartPeriod, today: Date): { first: string; last: string }[] => {
  const ends = chartDates(period, today);
  const before = { '30d': 1, '12w': 7, '12m': Number(ends[0]?.slice(8)) }[period];
  return ends.map((last, index) => ({
    first: daysBefore(ends[index - 1] ?? daysBefore(ends[0] ?? last, before), -1),
    last,
  }));
};
