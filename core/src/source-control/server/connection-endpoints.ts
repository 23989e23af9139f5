import {
  ADDED_PREFIX,
  type ConnectorItem,
  type SignedInCaller,
  type StoredCredentials,
} from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import { msg } from '../../platform/model/message.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import {
  exchangeGithubToken,
  exchangeToken,
  getGitAppToken,
  getGitToken,
  getInstallation,
  REMOVE_CONNECTOR,
  removeGithubConfiguration,
  saveGiteaConnector,
  saveGithubConfiguration,
  saveGithubConnector,
  saveToken,
  testConnection,
} from '../api/routes.ts';
import { findProvider, PROVIDER_NAMES, PROVIDERS } from '../model/providers.ts';
import type { SourceControlDeps } from './deps.ts';

/** @throws connector_not_found */
const providerOf = ({ catalogue }: SourceControlDeps, name: string): CatalogueEntry => {
  const entry = findProvider(catalogue.entries(), name);
  if (entry === undefined) throw new AppError('connector_not_found', msg('Oauth service not found'));
  return entry;
};

/** Its id; what an organisation added is known by that alone, and found in the transaction that uses it. @throws connector_not_found */
const providerId = (deps: SourceControlDeps, name: string): string =>
  name.startsWith(ADDED_PREFIX) ? name : providerOf(deps, name).connector.id;

const summaryOf = ({ _id, attributes }: ConnectorItem) => ({
  source_control: attributes.id,
  connector: _id,
  state: attributes.state,
  is_configured: attributes.is_configured,
  identity: attributes.state_detail.identity,
  message: attributes.state_detail.message,
});

const saved = (item: ConnectorItem) => ({ success: true as const, data: summaryOf(item) });

interface Returned {
  code?: string;
  state?: string;
  error?: string;
  error_description?: string;
  installation_id?: string;
  setup_action?: string;
}

const APPROVAL = msg(
  'An owner of the organisation has to approve the installation first. Come back here when that is done.',
);

const finish = async (
  { connections }: SourceControlDeps,
  connectorId: string,
  caller: SignedInCaller,
  returned: Returned,
) => {
  const { code, state, error, error_description: description, installation_id: installationId } = returned;
  // GitHub, where a member may not install: there is an installation only once an owner agrees
  const isRequest = returned.setup_action === 'request' && installationId === undefined && code === undefined;
  const answer = {
    state,
    code: code === '' ? undefined : code,
    error: isRequest ? 'approval_pending' : error,
    errorDescription: isRequest ? APPROVAL : description,
    installationId: installationId === '' ? undefined : installationId,
  };
  return saved(await connections.finishConsent(caller, connectorId, answer));
};

const oauthEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  callerEndpoint(exchangeToken)(async ({ caller, body, audit }) => {
    const { provider, grant_type: grantType, ...returned } = body;
    audit({ subject: provider, details: {} });
    const id = providerId(deps, provider);
    if (grantType !== 'refresh_token') return finish(deps, id, caller, returned);
    return saved(await deps.connections.renew(caller, id));
  }),
  callerEndpoint(exchangeGithubToken)(({ caller, body, audit }) => {
    audit({ subject: PROVIDERS.github, details: {} });
    return finish(deps, providerId(deps, PROVIDERS.github), caller, body);
  }),
  callerEndpoint(testConnection)(async ({ caller, body }) => {
    const item = await deps.connections.check(caller, providerId(deps, body.provider));
    return { success: item.attributes.state === 'connected', data: summaryOf(item) };
  }),
];

const configurationEndpoints = (deps: SourceControlDeps): Endpoint[] => {
  const { connections } = deps;
  return [
    callerEndpoint(saveToken)(async ({ caller, body, audit }) => {
      audit({ subject: body.source_control });
      const entry = providerOf(deps, body.source_control);
      const { auth, id } = entry.connector;
      if (entry.category !== 'source-control')
        throw new AppError('connector_not_found', msg('Oauth service not found'));
      const field = (auth.type === 'oauth2' ? auth.tokenField : undefined) ?? 'oauth_token';
      return saved(await connections.save(caller, id, { [field]: body.token }));
    }),
    callerEndpoint(saveGiteaConnector)(async ({ caller, body, audit }) => {
      audit({ subject: PROVIDERS.gitea });
      return saved(await connections.save(caller, PROVIDERS.gitea, body));
    }),
    ...[saveGithubConnector, saveGithubConfiguration].map((route) =>
      callerEndpoint(route)(async ({ caller, body, audit }) => {
        audit({ subject: PROVIDERS.github });
        return saved(
          await connections.save(caller, PROVIDERS.github, { installation_id: String(body.installation_id) }),
        );
      }),
    ),
    callerEndpoint(removeGithubConfiguration)(async ({ caller, audit }) => {
      audit({ subject: PROVIDERS.github });
      await connections.remove(caller, PROVIDERS.github);
      return { success: true };
    }),
    ...PROVIDER_NAMES.map((provider) =>
      callerEndpoint(REMOVE_CONNECTOR[provider])(async ({ caller, audit }) => {
        audit({ subject: PROVIDERS[provider] });
        await connections.remove(caller, PROVIDERS[provider]);
        return { success: true };
      }),
    ),
  ];
};

const githubEndpoints = ({ database, connections }: SourceControlDeps): Endpoint[] => {
  const stored = (clientId: string): Promise<StoredCredentials> =>
    database.forClient(clientId, (db) => connections.stored(db, clientId, PROVIDERS.github));
  const tokenState = ({ secrets, tokenExpiresAt }: StoredCredentials, isComplete: boolean) => {
    const hint = secrets['oauth_token'];
    const data = {
      configured: hint !== undefined && isComplete,
      hint: hint === undefined || hint === '' ? null : hint,
      expires_at: tokenExpiresAt?.toISOString() ?? null,
    };
    return { success: true as const, data };
  };
  return [
    callerEndpoint(getGitToken)(async ({ caller }) => tokenState(await stored(caller.clientId), true)),
    callerEndpoint(getGitAppToken)(async ({ caller }) => {
      const credentials = await stored(caller.clientId);
      return tokenState(credentials, credentials.isConfigured);
    }),
    callerEndpoint(getInstallation)(async ({ caller }) => {
      const id = (await stored(caller.clientId)).config['installation_id'];
      return { success: true, data: { installation_id: typeof id === 'string' ? id : null } };
    }),
  ];
};

/** Signing in, typed-in tokens, GitHub's installation, and the end of a connection. */
export const connectionEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  ...oauthEndpoints(deps),
  ...configurationEndpoints(deps),
  ...githubEndpoints(deps),
];
