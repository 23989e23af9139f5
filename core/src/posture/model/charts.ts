import type { FindingFilters } from '../../findings/model/filter-catalogue.ts';
import { msg } from '../../platform/model/message.ts';

/** Spans of charts over time: 30 days, 12 weeks, 12 months. */
export const CHART_PERIODS = ['30d', '12w', '12m'] as const;
export type ChartPeriod = (typeof CHART_PERIODS)[number];
export const DEFAULT_PERIOD: ChartPeriod = '12w';

/** Lists of the OWASP Top 10 that the chart can show; the first is shown unless told otherwise. */
export const OWASP_EDITIONS = ['2025', '2021'] as const;
export type OwaspEdition = (typeof OWASP_EDITIONS)[number];

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

export type { FindingFilters } from '../../findings/model/filter-catalogue.ts';

const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

/** First and last day; open where one is absent. */
export interface Span {
  first?: string | undefined;
  last?: string | undefined;
}

/** Days of first imports from `first` to `last` that also lie in those of a filter, as filters. */
export const foundWithin = (filters: FindingFilters, { first, last }: Span): FindingFilters => {
  const from = later(filters.found_gt, first);
  const to = earlier(filters.found_lt, last);
  return { ...(from === undefined ? {} : { found_gt: from }), ...(to === undefined ? {} : { found_lt: to }) };
};

/** The values of a chart that a filter leaves: a finding may have several, but the list cannot ask for two at once. */
export const chosenOf = (all: readonly string[], chosen: readonly string[] | undefined): readonly string[] =>
  chosen === undefined || chosen.length === 0 ? all : all.filter((value) => chosen.includes(value));

const numbered = (count: number, name: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index + 1));

/** Ids of an edition of the OWASP Top 10, `A01:2025` first. */
export const owaspIds = (edition: OwaspEdition): string[] =>
  numbered(10, (number) => `A${String(number).padStart(2, '0')}:${edition}`);

/** SLSA v1.0 threats. Source: specification §1, decisions.md "States". */
export const SLSA_THREATS: readonly string[] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/** OWASP Top 10 CI/CD risks. */
export const CICD_RISKS: readonly string[] = numbered(10, (number) => `CICD-SEC-${number}`);

/** Parts of the supply chain with the SLSA threats to each. Source: decisions.md "States". */
export const SUPPLY_CHAIN: Readonly<Record<string, readonly string[]>> = {
  [msg('Build')]: ['E', 'F', 'G', 'H'],
  [msg('Dependencies')]: ['D'],
  [msg('Source')]: ['A', 'B', 'C'],
};
