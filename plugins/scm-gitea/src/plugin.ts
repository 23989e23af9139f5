import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const gitea = defineConnector({
  id: 'gitea',
  title: 'Gitea',
  category: 'source-control',
  image: monogram('Gi'),
  description: 'Lists the repositories and branches of your Gitea or Forgejo server.',
  documentation: 'https://docs.gitea.com/development/api-usage',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'protocol', 'hosted_domain', 'port'],
    properties: {
      oauth_token: {
        type: 'string',
        writeOnly: true,
        title: 'Access token',
        description: 'Gitea: Settings, Applications, Generate new token with read access to "user" and "repository".',
        maxLength: 1000,
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
    },
  },
  auth: { type: 'header', name: 'Authorization', value: 'token {{oauth_token}}' },
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
