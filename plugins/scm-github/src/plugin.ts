import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const github = defineConnector({
  id: 'github',
  title: 'GitHub',
  category: 'source-control',
  image: monogram('GH'),
  description: 'Reads repositories of a GitHub organisation or account, and opens pull requests and issues.',
  documentation: 'https://docs.github.com/en/apps/using-github-apps/installing-a-github-app-from-a-third-party',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'installation_id'],
    properties: {
      oauth_token: {
        type: 'string',
        writeOnly: true,
        title: 'User access token',
        description:
          'Filled when you sign in with GitHub; or a token of a user for your GitHub App (it begins with ghu_).',
        maxLength: 1000,
      },
      refresh_token: {
        type: 'string',
        writeOnly: true,
        title: 'Refresh token',
        description: 'Filled when you sign in with GitHub, where the app lets its tokens expire.',
        maxLength: 1000,
      },
      installation_id: {
        type: 'string',
        title: 'Installation ID',
        description:
          'Filled when you choose repositories on GitHub; the number at the end of the address: Settings, Applications, Configure.',
        pattern: '^[0-9]{1,20}$',
      },
    },
  },
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    // what a token of a GitHub App may do is said by the app and its installation
    scopes: [],
    pkce: true,
    tokenAuth: 'body',
    refresh: 'rotate',
    tokenField: 'oauth_token',
    refreshField: 'refresh_token',
    installation: { url: 'https://github.com/apps/{app}/installations/new', field: 'installation_id' },
  },
  baseUrl: 'https://api.github.com',
  permissions: { egress: ['api.github.com', 'github.com'] },
});

/** Manifest of GitHub. Data only. */
export const plugin = definePlugin({
  id: 'scm-github',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [github],
});

/** The form, for the types of the code. */
export type GithubForm = (typeof github)['credentials'];
