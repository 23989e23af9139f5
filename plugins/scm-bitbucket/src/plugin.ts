import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const bitbucket = defineConnector({
  id: 'bitbucket_cloud',
  title: 'Bitbucket Cloud',
  category: 'source-control',
  image: monogram('Bb'),
  description: 'Lists the repositories and branches of Bitbucket Cloud workspaces.',
  documentation: 'https://developer.atlassian.com/cloud/bitbucket/oauth-2/',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'refresh_token', 'workspaces'],
    properties: {
      oauth_token: {
        type: 'string',
        writeOnly: true,
        title: 'Access token',
        description: 'Filled when you sign in with Bitbucket; or a workspace access token that may read repositories.',
        maxLength: 4000,
      },
      refresh_token: {
        type: 'string',
        writeOnly: true,
        title: 'Refresh token',
        description:
          'Filled when you sign in with Bitbucket; a workspace access token is not renewed, enter it here once more.',
        maxLength: 4000,
      },
      workspaces: {
        type: 'string',
        title: 'Workspaces',
        description: 'Workspace IDs separated by commas, as in bitbucket.org/<workspace>/.',
        pattern: '^\\s*[A-Za-z0-9_.-]+\\s*(,\\s*[A-Za-z0-9_.-]+\\s*)*$',
        maxLength: 2000,
      },
    },
  },
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    scopes: ['account', 'repository:write', 'repository:admin', 'pullrequest:write', 'issue:write', 'webhook'],
    pkce: false,
    tokenAuth: 'basic',
    refresh: 'rotate',
    tokenField: 'oauth_token',
    refreshField: 'refresh_token',
    expired: 'Bitbucket cloud token expired, please create new one while redirecting to connector...',
  },
  baseUrl: 'https://api.bitbucket.org/2.0',
  permissions: { egress: ['api.bitbucket.org', 'bitbucket.org'] },
});

/** Manifest of Bitbucket Cloud. Data only. */
export const plugin = definePlugin({
  id: 'scm-bitbucket',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [bitbucket],
});

/** The form, for the types of the code. */
export type BitbucketForm = (typeof bitbucket)['credentials'];
