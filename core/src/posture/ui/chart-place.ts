import { createContext, use } from 'react';
import { findingsHref } from '../../findings/ui/index.ts';
import type { FindingFilters } from '../model/charts.ts';

/** Of whom figures are, and of which repositories. */
export interface ChartPlace {
  /** Address of the list that figures lead to; the own one without it. */
  path?: string;
  /** Filters that all figures have in common; none without them. */
  scope?: FindingFilters;
}

export const ChartPlaceContext = createContext<ChartPlace>({});

/** Address of the list of all findings that the charts are about. */
export const useEverythingHref = (): string => {
  const { path = '/findings/all', scope } = use(ChartPlaceContext);
  return scope === undefined || Object.keys(scope).length === 0 ? path : findingsHref(scope, '', path);
};

/** The open findings under filters, in the list of whom the charts are about. */
export const useFindingsHref = (): ((filters?: FindingFilters) => string) => {
  const { path, scope } = use(ChartPlaceContext);
  return (filters) => findingsHref({ ...scope, ...filters }, '', path);
};
