import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const github = defineConnector({
  id: 'github',
  title: 'GitHub',
  category: 'source-control',
  image: monogram('GH'),
  description: 'Lists the repositories and branches of a GitHub organisation or account.',
  documentation: 'https://docs.github.com/en/apps/using-github-apps/installing-a-github-app-from-a-third-party',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'installation_id'],
    properties: {
      oauth_token: {
        type: 'string',
        writeOnly: true,
        title: 'User access token',
        description: 'Token of a user for your GitHub App (it begins with ghu_), made by signing in through the app.',
        maxLength: 1000,
      },
      installation_id: {
        type: 'string',
        title: 'Installation ID',
        description:
          'The number at the end of the address: Settings, Applications, Configure; the app needs Contents and Metadata.',
        pattern: '^[0-9]{1,20}$',
      },
    },
  },
  auth: { type: 'bearer', value: '{{oauth_token}}' },
  baseUrl: 'https://api.github.com',
  permissions: { egress: ['api.github.com'] },
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
