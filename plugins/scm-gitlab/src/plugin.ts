import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const gitlab = defineConnector({
  id: 'gitlab',
  title: 'GitLab',
  category: 'source-control',
  image: monogram('GL'),
  description: 'Lists the projects and branches of gitlab.com or of your own GitLab server.',
  documentation: 'https://docs.gitlab.com/api/oauth2/',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'refresh_token', 'hosted_url'],
    properties: {
      oauth_token: {
        type: 'string',
        writeOnly: true,
        title: 'Access token',
        description: 'Filled when you sign in with GitLab; or a personal access token with the scope "api".',
        maxLength: 1000,
      },
      refresh_token: {
        type: 'string',
        writeOnly: true,
        title: 'Refresh token',
        description:
          'Filled when you sign in with GitLab; a personal access token is not renewed, enter it here once more.',
        maxLength: 1000,
      },
      hosted_url: {
        type: 'string',
        format: 'uri',
        title: 'Server address',
        description: 'https://gitlab.com, or the address of your own server.',
        default: 'https://gitlab.com',
        pattern: '^https?://[^/?#\\s@]+(/[^?#\\s@]*)?$',
        maxLength: 300,
      },
      oauth_client_id: {
        type: 'string',
        title: 'Application ID',
        description: 'Only for sign-in at your own server: Admin, Applications, with the scope "api".',
        pattern: '^[\\x21-\\x7e]+$',
        maxLength: 300,
      },
      oauth_client_secret: {
        type: 'string',
        writeOnly: true,
        title: 'Application secret',
        description: 'The secret that the server showed for that application.',
        maxLength: 1000,
      },
    },
  },
  auth: {
    type: 'oauth2',
    authorizeUrl: '{{hosted_url}}/oauth/authorize',
    tokenUrl: '{{hosted_url}}/oauth/token',
    revokeUrl: '{{hosted_url}}/oauth/revoke',
    scopes: ['api'],
    pkce: true,
    tokenAuth: 'body',
    revokeAuth: 'basic',
    refresh: 'rotate',
    tokenField: 'oauth_token',
    refreshField: 'refresh_token',
    clientIdField: 'oauth_client_id',
    clientSecretField: 'oauth_client_secret',
  },
  baseUrl: '{{hosted_url}}/api/v4',
  permissions: { egress: ['{{hosted_url}}'] },
});

/** Manifest of GitLab. Data only. */
export const plugin = definePlugin({
  id: 'scm-gitlab',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [gitlab],
});

/** The form, for the types of the code. */
export type GitlabForm = (typeof gitlab)['credentials'];
