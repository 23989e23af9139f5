import type { FindingFilters } from '../../findings/model/filters.ts';

export type { FindingFilters } from '../../findings/model/filters.ts';

const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

/** Dates from `first` to `last` that also lie in the dates of a filter, as filters. */
export const datesWithin = (
  filters: FindingFilters,
  { first, last }: { first?: string | undefined; last?: string | undefined },
): FindingFilters => {
  const from = later(filters.date_gt, first);
  const to = earlier(filters.date_lt, last);
  return { ...(from === undefined ? {} : { date_gt: from }), ...(to === undefined ? {} : { date_lt: to }) };
};

/** The values of a chart that a filter leaves: a finding may have several, but the list cannot ask for two at once. */
export const chosenOf = (all: readonly string[], chosen: readonly string[] | undefined): readonly string[] =>
  chosen === undefined || chosen.length === 0 ? all : all.filter((value) => chosen.includes(value));
