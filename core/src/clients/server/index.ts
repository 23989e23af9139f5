import { callerEndpoint, type Endpoint, publicEndpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { deleteConnector, postConnector, postTool } from '../api/frontend-routes.ts';
import { getClient, removeConfig, saveConfig, updateClient } from '../api/routes.ts';
import { getSettingsState } from '../api/settings-state-routes.ts';
import { getTerms } from '../api/terms-routes.ts';
import { aiEndpoints } from './ai-endpoints.ts';
import { type ClientDeps, signedClient } from './deps.ts';
import { organizationEndpoints } from './organization-endpoints.ts';
import { remindAdmins } from './remind-admins.ts';
import { changeClient, removeConfigOf, saveConfigOf } from './save-config.ts';
import { scannerCliEndpoints } from './scanner-cli.ts';
import { readSettingsState } from './settings-state.ts';
import './tables.ts';

export { readRegulations } from './client-detail.ts';
export { createManagedClientsEndpoints } from './managed-endpoints.ts';

/** Settings of the organisation, and the configuration of its connectors by key. */
export const createClientEndpoints = (deps: ClientDeps): Endpoint[] => [
  tenantEndpoint(getClient)(async ({ db, caller }) => ({ data: await signedClient(deps, db, caller) })),
  callerEndpoint(updateClient)(async ({ caller, body, audit, origin }) => {
    audit({ subject: 'Organisation' });
    await changeClient(deps, { caller, settings: body, origin });
    return { success: true };
  }),
  ...[saveConfig, postConnector].map((route) =>
    callerEndpoint(route)(({ caller, body, audit }) => {
      audit({ subject: body.key, details: { fields: Object.keys(body.values) } });
      return saveConfigOf(deps, caller, body);
    }),
  ),
  ...[removeConfig, deleteConnector].map((route) =>
    callerEndpoint(route)(({ caller, body, query, audit }) => {
      audit({ subject: body.key ?? query.key ?? '' });
      return removeConfigOf(deps, caller, [body.key, query.key]);
    }),
  ),
  callerEndpoint(postTool)(({ caller, body, audit }) => {
    audit({ subject: body.tool, details: { fields: Object.keys(body.values) } });
    return saveConfigOf(deps, caller, { key: body.tool, values: body.values });
  }),
  tenantEndpoint(getSettingsState)(async ({ db, caller }) => ({ data: await readSettingsState(deps, db, caller) })),
  publicEndpoint(getTerms)(() => ({ data: { text: deps.terms ?? null } })),
  ...scannerCliEndpoints(deps),
  ...aiEndpoints(deps),
  ...organizationEndpoints(deps.deletion),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const clientJobs = [remindAdmins] as const;
