import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { getSettings, saveSettings } from '../api/routes.ts';
import type { SingleSignOnDeps } from './deps.ts';
import { samlEndpoints } from './saml-endpoints.ts';
import { domainsOfOthers, saveSettingsOf } from './save-settings.ts';
import { scimEndpoints } from './scim/endpoints.ts';
import { fetchMetadata, readBody } from './settings-issues.ts';
import { settingsItem } from './settings-item.ts';
import { signInEndpoints } from './sign-in-endpoints.ts';

export { SINGLE_SIGN_ON_LIMIT } from './deps.ts';
export { singleSignOnPersonalData } from './personal-data.ts';
export { describeSignIn, mayUsePassword, stopEnforcing } from './settings-store.ts';

const settingsEndpoints = (deps: SingleSignOnDeps): Endpoint[] => [
  tenantEndpoint(getSettings)(async ({ db, caller }) => ({ data: await settingsItem(deps, db, caller.clientId) })),
  callerEndpoint(saveSettings)(async ({ caller, body: given, log }) => {
    const { clientId, userId } = caller;
    const body = readBody(await fetchMetadata(given, deps), deps.allowPrivateHosts);
    const foreign = await domainsOfOthers(deps.database, clientId, body.domains ?? []);
    const data = await deps.database.forClient(clientId, async (db) => {
      await saveSettingsOf(deps, db, { clientId, body, foreign });
      return settingsItem(deps, db, clientId);
    });
    log.info({ user_id: userId, fields: Object.keys(given) }, 'single sign-on was changed');
    return { success: true, data };
  }),
];

/** Single sign-on: its settings, OIDC, SAML, and SCIM. */
export const createSingleSignOnEndpoints = (deps: SingleSignOnDeps): Endpoint[] => [
  ...settingsEndpoints(deps),
  ...signInEndpoints(deps),
  ...samlEndpoints(deps),
  ...scimEndpoints(deps),
];
