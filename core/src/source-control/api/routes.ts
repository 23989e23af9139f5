import { CONNECTION_STATES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Item, Nullable, OneOf, Pagination, Timestamp } from '../../platform/api/envelope.ts';
import type { Provider } from '../model/providers.ts';

const strict = { additionalProperties: false } as const;
const tag = 'source-control';
const writes = { permission: 'connectors.write', tenant: false } as const;
const reads = { permission: 'connectors.read', tenant: false } as const;

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Words = Type.Optional(Type.String({ maxLength: 4000 }));
/** A number in the providers' own documents. */
const NumericId = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[0-9]{1,20}$' })]);

/** Where a connection stands after what was done; never its secrets. */
export const ConnectionSummary = Type.Object({
  source_control: Type.String(),
  /** Address of the card, `source-control/github`. */
  connector: Type.String(),
  state: OneOf(CONNECTION_STATES),
  is_configured: Type.Boolean(),
  identity: Nullable(Type.String()),
  message: Nullable(Type.String()),
});

const Installation = Type.Object({ installation_id: NumericId }, strict);
/** What the provider sent the person back with: a code, or why there is none. */
const returned = { code: Words, state: Words, error: Words, error_description: Words, installation_id: Words };

/** Source: specification §7, decisions.md "Wire shapes". */
export const exchangeToken = route({
  method: 'POST',
  base: 'frontend',
  path: '/oauth/token',
  tag,
  summary: 'End a sign-in with the code that the provider gave, or renew the token with grant_type refresh_token',
  access: writes,
  audit: 'connector.authorized',
  body: Type.Object(
    {
      provider: Name,
      grant_type: Type.Optional(OneOf(['authorization_code', 'refresh_token'])),
      ...returned,
      setup_action: Words,
    },
    strict,
  ),
  response: Action(ConnectionSummary),
  errors: [
    'connector_not_found',
    'token_exchange_failed',
    'conflict',
    'integration_not_configured',
    'connection_expired',
  ],
});

export const exchangeGithubToken = route({
  ...exchangeToken,
  path: '/oauth/github/token',
  summary: 'The same for GitHub',
  body: Type.Object({ ...returned, setup_action: Words }, strict),
  response: exchangeToken.response,
});

export const testConnection = route({
  method: 'POST',
  base: 'frontend',
  path: '/oauth/test-connection',
  tag,
  summary: 'Test the connection to a provider now; `success` says whether the provider accepted it',
  access: writes,
  body: Type.Object({ provider: Name }, strict),
  response: Type.Object({ success: Type.Boolean(), data: ConnectionSummary }),
  errors: ['connector_not_found', 'conflict', 'integration_not_configured', 'connection_expired'],
});

export const ProviderRepository = Type.Object({
  name: Type.String(),
  url: Type.String(),
  /** Null where the provider names none that could be cloned. */
  clone_url: Nullable(Type.String()),
  default_branch: Nullable(Type.String()),
  is_private: Nullable(Type.Boolean()),
  is_archived: Nullable(Type.Boolean()),
});

const readErrors = ['conflict', 'integration_not_configured', 'upstream_failed', 'connection_expired'] as const;

const listRepositoriesOf = (provider: Provider) =>
  route({
    method: 'GET',
    base: 'frontend',
    path: `/oauth/${provider}/repos`,
    tag,
    summary: `Repositories of ${provider} that the connection sees`,
    access: reads,
    response: Type.Object({
      data: Type.Array(Item(ProviderRepository)),
      meta: Type.Object({ pagination: Pagination }),
    }),
    errors: readErrors,
  });

/** Every repository that a connection sees, at most 10,000; `_id` is the provider's own. */
export const LIST_REPOSITORIES = {
  github: listRepositoriesOf('github'),
  gitlab: listRepositoriesOf('gitlab'),
  bitbucket: listRepositoriesOf('bitbucket'),
  gitea: listRepositoriesOf('gitea'),
} as const satisfies Record<Provider, unknown>;

const branches = {
  method: 'POST',
  base: 'frontend',
  tag,
  access: reads,
  response: Action(
    Type.Object({
      repository_id: Type.String(),
      default_branch: Nullable(Type.String()),
      url: Type.String(),
      items: Type.Array(Type.String()),
    }),
  ),
  errors: [...readErrors, 'repository_not_found'],
} as const;
const Part = Type.String({ minLength: 1, maxLength: 500 });
const PageSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));

export const listGitlabBranches = route({
  ...branches,
  path: '/oauth/gitlab/branches',
  summary: 'Branches of a project, by its id or path',
  body: Type.Object({ repository_id: Type.Union([Part, Type.Integer({ minimum: 1 })]) }, strict),
});

export const listBitbucketBranches = route({
  ...branches,
  path: '/oauth/bitbucket/branches',
  summary: 'Branches of a repository; all of them, whatever the page length',
  body: Type.Object({ workspace: Part, repo_slug: Part, pagelen: PageSize }, strict),
});

export const listGiteaBranches = route({
  ...branches,
  path: '/oauth/gitea/branches',
  summary: 'Branches of a repository',
  body: Type.Object({ owner: Part, repo: Part }, strict),
});

export const listGithubBranches = route({
  ...branches,
  path: '/oauth/github/branches',
  summary: 'Branches of a repository; all of them, whatever the page length',
  body: Type.Object({ workspace: Part, repo_slug: Part, per_page: PageSize }, strict),
});

const removeConnectorOf = (provider: Provider) =>
  route({
    method: 'DELETE',
    base: 'frontend',
    path: `/oauth/${provider}/connector`,
    tag,
    summary: `Delete the configuration of ${provider}`,
    access: writes,
    audit: 'connector.removed',
    response: Done,
    errors: ['conflict'],
  });

/** Deletes the configuration of a provider, its token revoked where the provider has a way. */
export const REMOVE_CONNECTOR = {
  github: removeConnectorOf('github'),
  gitlab: removeConnectorOf('gitlab'),
  bitbucket: removeConnectorOf('bitbucket'),
  gitea: removeConnectorOf('gitea'),
} as const satisfies Record<Provider, unknown>;

export const saveGiteaConnector = route({
  method: 'POST',
  base: 'frontend',
  path: '/oauth/gitea/connector',
  tag,
  summary: 'Store the address and token of a Gitea server, and check them',
  access: writes,
  audit: 'connector.configured',
  body: Type.Object(
    {
      oauth_token: Type.Optional(Type.String({ maxLength: 4000 })),
      protocol: Type.Optional(Type.String({ maxLength: 10 })),
      hosted_domain: Type.Optional(Type.String({ maxLength: 253 })),
      port: Type.Optional(Type.Integer()),
    },
    strict,
  ),
  response: Action(ConnectionSummary),
  errors: ['conflict'],
});

export const saveGithubConnector = route({
  method: 'POST',
  base: 'frontend',
  path: '/oauth/github/connector',
  tag,
  summary: 'Store the id of the installation of the GitHub App, and check that it belongs to the token',
  access: writes,
  audit: 'connector.configured',
  body: Installation,
  response: Action(ConnectionSummary),
  errors: ['conflict'],
});

export const saveToken = route({
  method: 'POST',
  path: '/save_token',
  tag,
  summary: 'Store a typed-in token of a provider',
  access: writes,
  audit: 'connector.configured',
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 4000 }), source_control: Name }, strict),
  response: Action(ConnectionSummary),
  errors: ['connector_not_found', 'conflict'],
});

const TokenState = Action(
  Type.Object({ configured: Type.Boolean(), hint: Nullable(Type.String()), expires_at: Nullable(Timestamp) }),
);

export const getGitToken = route({
  method: 'GET',
  path: '/users/git_token',
  tag,
  summary: "Whether a user's token of GitHub is stored; never the token",
  access: reads,
  response: TokenState,
});

export const getGitAppToken = route({
  ...getGitToken,
  path: '/users/git_app_token',
  summary: "Whether a token of GitHub is stored together with the App's installation; never the token",
  response: TokenState,
});

export const getInstallation = route({
  method: 'GET',
  path: '/github/installation_id',
  tag,
  summary: 'Which installation of the GitHub App is used',
  access: reads,
  response: Action(Type.Object({ installation_id: Nullable(Type.String()) })),
});

export const saveGithubConfiguration = route({
  ...saveGithubConnector,
  base: 'backend',
  path: '/github/save-configuration',
  body: Installation,
  response: saveGithubConnector.response,
});

export const removeGithubConfiguration = route({
  method: 'DELETE',
  path: '/github/delete-configuration',
  tag,
  summary: 'Delete the configuration of GitHub',
  access: writes,
  audit: 'connector.removed',
  response: Done,
  errors: ['conflict'],
});
