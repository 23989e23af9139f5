import type { Route } from '../../api/contract.ts';
import type { ApiClient } from './api-client.ts';

/** Paths of calls of the own client by their path, and what answers each inside another, with `{client}`. */
export type InsidePaths = ReadonlyMap<string, string>;

const pathInside = (paths: InsidePaths, path: string, clientId: string): string => {
  const inside = paths.get(path);
  if (inside === undefined) throw new Error(`${path} is closed inside a client.`);
  return inside.replace('{client}', encodeURIComponent(clientId));
};

/** Calls of the own client, answered inside one that a superadmin reads: the same queries, the same answers. All others are closed there. */
export const insideClient = (api: ApiClient, clientId: string, paths: InsidePaths): ApiClient => {
  const inside = <P, Q, B, S>(route: Route<P, Q, B, S>): Route<P, Q, B, S> => ({
    ...route,
    path: pathInside(paths, route.path, clientId),
  });
  return {
    call: async (route, ...input) => api.call(inside(route), ...input),
    send: async (route, input) => api.send(inside(route), input),
    download: async (route, ...input) => api.download(inside(route), ...input),
  };
};
