/** Spans of the findings chart: 30 days, 12 weeks, 12 months. */
export type ChartPeriod = '30d' | '12w' | '12m';

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
