import type { ConnectorRoute, Json } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import { say } from '../../platform/model/sentence.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import { isJson } from '../model/credential-values.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import type { Connections } from './connections.ts';

/** The permission that stands for the least role a connector's route names. */
const PERMISSION_OF = {
  admin: 'connectors.write',
  cyberoper: 'findings.triage',
  developer: 'findings.read',
} as const;

/** One or more segments in lower case; nothing that the router would read as a pattern. */
const SOUND_PATH = /^(?:\/[a-z0-9][a-z0-9_-]*)+$/;

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
  return callerEndpoint(definition)(async ({ caller, query, body, signal }) => {
    const given: unknown = own.method === 'GET' ? query : body;
    const value: Json = isJson(given) ? given : null;
    const connectionKey = { clientId: caller.clientId, connectorId: connector.id };
    const data = await connections.use(connectionKey, (ctx) => own.handle(ctx, value), { signal });
    if (!isJson(data))
      throw new AppError(
        'upstream_failed',
        say('{title} answered with something that is not JSON.', { title: connector.title }),
      );
    return { data };
  });
};

/** The routes that connectors bring, below `/connectors/{id}/routes`: role, input and time are the host's to check. */
export const createConnectorRoutes = (deps: ConnectionsDeps, connections: Connections): Endpoint[] =>
  deps.catalogue.entries().flatMap((entry) =>
    (deps.catalogue.capability('routes', entry.connector.id) ?? []).flatMap((own) => {
      if (SOUND_PATH.test(own.path)) return [mountRoute(connections, entry, own)];
      deps.log.warn({ connector: entry.connector.id, path: own.path }, 'a route of a connector has no sound path');
      return [];
    }),
  );
