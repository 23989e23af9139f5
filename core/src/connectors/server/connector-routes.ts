import { type ConnectorRoute, type Json, OWN_ROUTE_PATH } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import { can } from '../../platform/model/permissions.ts';
import { say } from '../../platform/model/sentence.ts';
import { callerEndpoint, type Endpoint, type SignedInInput } from '../../platform/server/endpoint.ts';
import { askOwnRoute, askOwnRouteInGroup, callOwnRoute, callOwnRouteInGroup } from '../api/routes.ts';
import { isJson } from '../model/credential-values.ts';
import type { ConnectionKey } from './connection/connection-store.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import { requireEntry } from './connection/find-entry.ts';
import type { Connections } from './connections.ts';

/** The permission that stands for the least role a connector's route names. */
const PERMISSION_OF = {
  admin: 'connectors.write',
  cyberoper: 'findings.triage',
  developer: 'findings.read',
} as const;

const mountRoute = (connections: Connections, { connector }: CatalogueEntry, own: ConnectorRoute): Endpoint => {
  const input = own.input ?? Type.Object({});
  const definition = route({
    method: own.method,
    path: `/connectors/${encodeURIComponent(connector.id)}/routes${own.path}`,
    tag: 'connectors',
    summary: `${connector.title}: ${own.method} ${own.path}`,
    // the connector's code may ask its service: no transaction stays open meanwhile
    access: { permission: PERMISSION_OF[own.role], tenant: false },
    ...(own.method === 'GET' ? { query: input } : { body: input }),
    response: Type.Object({ data: Type.Unknown() }),
    errors: ['conflict', 'integration_not_configured', 'upstream_failed'],
  });
  return callerEndpoint(definition)(({ caller, query, body, signal }) => {
    const connectionKey = { clientId: caller.clientId, connectorId: connector.id };
    return ask(
      connections,
      { connectionKey, title: connector.title, own, signal },
      own.method === 'GET' ? query : body,
    );
  });
};

interface Asked {
  readonly connectionKey: ConnectionKey;
  readonly title: string;
  readonly own: ConnectorRoute;
  readonly signal: AbortSignal;
}

const ask = async (
  connections: Connections,
  { connectionKey, title, own, signal }: Asked,
  given: unknown,
): Promise<{ data: Json }> => {
  const value: Json = isJson(given) ? given : null;
  const data = await connections.use(connectionKey, (ctx) => own.handle(ctx, value), { signal });
  if (isJson(data)) return { data };
  throw new AppError('upstream_failed', say('{title} answered with something that is not JSON.', { title }));
};

type OwnRouteInput = SignedInInput<
  { id: string; group?: string; name: string },
  Record<string, unknown> | undefined,
  Record<string, unknown> | undefined
>;

/** An own route of a connector that the organisation added, which no address was made for when the server started. */
const askAdded = async (
  deps: ConnectionsDeps,
  connections: Connections,
  method: ConnectorRoute['method'],
  { caller, params, query, body, signal }: OwnRouteInput,
): Promise<{ data: Json }> => {
  const { clientId, role } = caller;
  const { connector } = await requireEntry(deps, clientId, params.id);
  const path = [params.group, params.name].flatMap((part) => (part === undefined ? [] : [`/${part}`])).join('');
  const all = (deps.catalogue.capability('routes', connector.id) ?? []).filter((one) => one.path === path);
  const own = all.find((one) => one.method === method);
  if (own === undefined) throw new AppError(all.length === 0 ? 'not_found' : 'method_not_allowed');
  if (!can(role, PERMISSION_OF[own.role])) throw new AppError('forbidden');
  const given = method === 'GET' ? { ...query } : body;
  const place = method === 'GET' ? 'query' : 'body';
  const check = method === 'GET' ? deps.checkTexts : deps.checkSchema;
  const issues = check(own.input ?? NO_INPUT, given);
  if (issues.length > 0) {
    throw new AppError('validation_failed', undefined, {
      issues: issues.map((one) => ({ ...one, loc: [place, ...one.loc] })),
    });
  }
  return ask(
    connections,
    { connectionKey: { clientId, connectorId: connector.id }, title: connector.title, own, signal },
    given,
  );
};

const NO_INPUT = Type.Object({});

const addedEndpoints = (deps: ConnectionsDeps, connections: Connections): Endpoint[] => [
  callerEndpoint(askOwnRoute)((input) => askAdded(deps, connections, 'GET', input)),
  callerEndpoint(callOwnRoute)((input) => askAdded(deps, connections, 'POST', input)),
  callerEndpoint(askOwnRouteInGroup)((input) => askAdded(deps, connections, 'GET', input)),
  callerEndpoint(callOwnRouteInGroup)((input) => askAdded(deps, connections, 'POST', input)),
];

/** The routes that connectors bring, below `/connectors/{id}/routes`: role, input and time are the host's to check. */
export const createConnectorRoutes = (deps: ConnectionsDeps, connections: Connections): Endpoint[] => [
  ...mountedEndpoints(deps, connections),
  ...addedEndpoints(deps, connections),
];

const mountedEndpoints = (deps: ConnectionsDeps, connections: Connections): Endpoint[] =>
  deps.catalogue.entries().flatMap((entry) =>
    (deps.catalogue.capability('routes', entry.connector.id) ?? []).flatMap((own) => {
      if (OWN_ROUTE_PATH.test(own.path)) return [mountRoute(connections, entry, own)];
      deps.log.warn({ connector: entry.connector.id, path: own.path }, 'a route of a connector has no sound path');
      return [];
    }),
  );
