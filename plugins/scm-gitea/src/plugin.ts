import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const gitea = defineConnector({
  id: 'gitea',
  title: 'Gitea',
  category: 'source-control',
  image: monogram('Gi'),
  description: 'Reads repositories of your Gitea or Forgejo server, and opens pull requests and issues.',
  documentation: 'https://docs.gitea.com/development/api-usage',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'protocol', 'hosted_domain', 'port'],
    properties: {
      oauth_token: {
        type: 'string',
        writeOnly: true,
        title: 'Access token',
        description:
          'Filled when you sign in with Gitea; or made there: Settings, Applications, with access to "user" and "repository".',
        maxLength: 4000,
      },
      protocol: {
        type: 'string',
        enum: ['https', 'http'],
        default: 'https',
        title: 'Protocol',
        description: 'https, unless the server runs in your own network without a certificate.',
      },
      hosted_domain: {
        type: 'string',
        format: 'hostname',
        title: 'Domain',
        description: 'Host name of the server, such as gitea.example.com.',
        pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$',
        maxLength: 253,
      },
      port: {
        type: 'integer',
        default: 443,
        minimum: 1,
        maximum: 65_535,
        title: 'Port',
        description: '443 for https, 3000 for a server as Gitea installs it.',
      },
      refresh_token: {
        type: 'string',
        writeOnly: true,
        title: 'Refresh token',
        description: 'Filled when you sign in with Gitea; a token made by hand needs none.',
        maxLength: 4000,
      },
      oauth_client_id: {
        type: 'string',
        title: 'Application ID',
        description: 'Only for sign-in at your own server: Settings, Applications, OAuth2 applications.',
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
    authorizeUrl: '{{protocol}}://{{hosted_domain}}:{{port}}/login/oauth/authorize',
    tokenUrl: '{{protocol}}://{{hosted_domain}}:{{port}}/login/oauth/access_token',
    scopes: ['read:user', 'read:organization', 'write:repository', 'write:issue'],
    pkce: true,
    tokenAuth: 'body',
    // also of refresh tokens that were used before or have ended. Source: Gitea, routers/web/auth/oauth2_provider.go
    tokenErrors: ['unauthorized_client'],
    refresh: 'rotate',
    tokenField: 'oauth_token',
    refreshField: 'refresh_token',
    clientIdField: 'oauth_client_id',
    clientSecretField: 'oauth_client_secret',
  },
  baseUrl: '{{protocol}}://{{hosted_domain}}:{{port}}/api/v1',
  permissions: { egress: ['{{hosted_domain}}:{{port}}'] },
});

/** Manifest of Gitea. Data only. */
export const plugin = definePlugin({
  id: 'scm-gitea',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [gitea],
});

/** The form, for the types of the code. */
export type GiteaForm = (typeof gitea)['credentials'];
