import type { Route } from '../../platform/api/contract.ts';
import type { ApiClient } from '../../platform/ui/api-client.ts';
import { listFindingGroups } from '../api/group-routes.ts';
import {
  getManagedFinding,
  getManagedFindingHistory,
  listManagedFindings,
  listManagedGroups,
} from '../api/managed-routes.ts';
import { getFilterOptions, getFinding, getFindingHistory, listFindings } from '../api/routes.ts';

/** Calls of the own client, and what answers them inside another. All others are closed there. Source: specification §7. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  [listFindings.path, listManagedFindings.path],
  [listFindingGroups.path, listManagedGroups.path],
  [getFinding.path, getManagedFinding.path],
  [getFindingHistory.path, getManagedFindingHistory.path],
  [getFilterOptions.path, `${getFilterOptions.path}?client_id={client}`],
]);

const pathInside = (path: string, clientId: string): string => {
  const inside = INSIDE.get(path);
  if (inside === undefined) throw new Error(`${path} is closed inside a client.`);
  return inside.replace('{client}', encodeURIComponent(clientId));
};

/** The calls of findings, answered inside a client that a superadmin reads: the same queries, the same answers. */
export const insideClient = (api: ApiClient, clientId: string): ApiClient => {
  const inside = <P, Q, B, S>(route: Route<P, Q, B, S>): Route<P, Q, B, S> => ({
    ...route,
    path: pathInside(route.path, clientId),
  });
  return {
    call: async (route, ...input) => api.call(inside(route), ...input),
    send: async (route, input) => api.send(inside(route), input),
    download: async (route, ...input) => api.download(inside(route), ...input),
  };
};
