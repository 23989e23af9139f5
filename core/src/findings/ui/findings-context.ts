import { createContext, use } from 'react';
import type { FindingsStore } from './findings.store.ts';
import type { SelectionStore } from './selection.store.ts';
import type { TriageStore } from './triage.store.ts';

/** The list around a finding, for its panel: previous, next, and what the panel changes. */
export interface FindingsList {
  store: FindingsStore;
  /** Address of the list itself, filters included. */
  listHref: string;
  hrefOf: (id: string) => string;
  triage: TriageStore;
  selection: SelectionStore;
  /** False for who may only look and propose. */
  mayDecide: boolean;
}

export const FindingsListContext = createContext<FindingsList | undefined>(undefined);

export const useFindingsList = (): FindingsList => {
  const list = use(FindingsListContext);
  if (list === undefined) throw new Error('A finding shows inside its list.');
  return list;
};
