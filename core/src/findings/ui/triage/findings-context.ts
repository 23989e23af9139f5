import { createContext, use } from 'react';
import { API, type ApiClient } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import type { FindingsStore } from '../data/findings.store.ts';
import type { ListRoute } from '../data/list-route.ts';
import type { SelectionStore } from './selection.store.ts';
import type { TriageStore } from './triage.store.ts';

/** The list around a finding, for its panel: previous, next, and what the panel changes. */
export interface FindingsList {
  store: FindingsStore;
  route: ListRoute;
  /** Address of the list itself, filters included. */
  listHref: string;
  hrefOf: (id: string) => string;
  triage: TriageStore;
  selection: SelectionStore;
  /** False for who may only look and propose. */
  mayDecide: boolean;
  /** The person may generate and open fixes. */
  mayFix: boolean;
  /** There are developers to whom findings can be sent, and the person may do so; undefined until that is known. */
  canAssign: boolean | undefined;
}

/** Calls of findings somewhere else than in the own client. */
export const FindingsApiContext = createContext<ApiClient | undefined>(undefined);

/** What reads findings here: the own client's calls, or those of the client that a superadmin looks into. */
export const useFindingsApi = (): ApiClient => {
  const own = useService(API);
  return use(FindingsApiContext) ?? own;
};

export const FindingsListContext = createContext<FindingsList | undefined>(undefined);

export const useFindingsList = (): FindingsList => {
  const list = use(FindingsListContext);
  if (list === undefined) throw new Error('A finding shows inside its list.');
  return list;
};
