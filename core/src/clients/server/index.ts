import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { deleteConnector, postConnector, postTool } from '../api/frontend-routes.ts';
import { getClient, removeConfig, saveConfig, updateClient } from '../api/routes.ts';
import { type ClientDeps, signedClient } from './deps.ts';
import { changeClient, removeConfigOf, saveConfigOf } from './save-config.ts';
import { scannerCliEndpoints } from './scanner-cli.ts';
import './tables.ts';

export { createManagedClientsEndpoints } from './managed-endpoints.ts';

/** Settings of the organisation, and the configuration of its connectors by key. */
export const createClientEndpoints = (deps: ClientDeps): Endpoint[] => [
  tenantEndpoint(getClient)(async ({ db, caller }) => ({ data: await signedClient(deps, db, caller) })),
  callerEndpoint(updateClient)(async ({ caller, body }) => {
    await changeClient(deps, caller, body);
    return { success: true };
  }),
  ...[saveConfig, postConnector].map((route) =>
    callerEndpoint(route)(({ caller, body }) => saveConfigOf(deps, caller, body)),
  ),
  ...[removeConfig, deleteConnector].map((route) =>
    callerEndpoint(route)(({ caller, body, query }) => removeConfigOf(deps, caller, [body.key, query.key])),
  ),
  callerEndpoint(postTool)(({ caller, body }) => saveConfigOf(deps, caller, { key: body.tool, values: body.values })),
  ...scannerCliEndpoints(deps),
];
