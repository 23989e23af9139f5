import { createContext, use } from 'react';
import { findingsHref } from '../../findings/ui/index.ts';
import type { FindingFilters } from '../model/charts.ts';

/** Address of the list that figures of charts lead to; the own one without it. */
export const FindingsPathContext = createContext<string | undefined>(undefined);

/** All findings of whom the charts are about. */
export const useEverythingHref = (): string => use(FindingsPathContext) ?? '/findings/all';

/** The open findings under filters, in the list of whom the charts are about. */
export const useFindingsHref = (): ((filters?: FindingFilters) => string) => {
  const path = use(FindingsPathContext);
  return (filters) => findingsHref(filters, '', path);
};
