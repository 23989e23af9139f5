import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

/** Fields that both editions of Jira share: where tickets go, and what they are called there. */
const TICKETS = {
  project: {
    type: 'string',
    title: 'Project',
    description: 'The project that tickets are made in, by its key, such as SEC.',
    offers: 'ticket-projects',
    pattern: '^[A-Za-z][A-Za-z0-9_]*$',
    maxLength: 100,
  },
  issue_type: {
    type: 'string',
    title: 'Issue type',
    description: 'The type that tickets have there, by its name, such as Bug.',
    offers: 'ticket-types',
    pattern: '\\S',
    maxLength: 100,
  },
  priorities: {
    type: 'object',
    title: 'Priorities',
    description:
      'Severity on the left (critical, high, medium, low, informational), priority in Jira on the right. Left out: Highest to Lowest.',
    additionalProperties: { type: 'string', pattern: '\\S', maxLength: 100 },
  },
  done_transition: {
    type: 'string',
    title: 'Transition when fixed',
    description: 'Name of the transition that closes a ticket. Left out: one that leads to a done status.',
    maxLength: 200,
  },
  webhook_secret: {
    type: 'string',
    writeOnly: true,
    title: 'Webhook secret',
    description:
      'The secret of a webhook in Jira for issues that are updated or deleted. Without one, Breakwater asks every few minutes.',
    maxLength: 500,
  },
} as const;

const SITE = {
  type: 'string',
  format: 'uri',
  pattern: '^https?://[^/?#\\s@]+(/[^?#\\s@]*)?$',
  maxLength: 300,
} as const;

const cloud = defineConnector({
  id: 'jira_cloud',
  title: 'Jira Cloud',
  category: 'webhook',
  image: monogram('Ji'),
  description: 'Makes issues of fixes in your Jira site, links them, follows their status and closes them once fixed.',
  documentation: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/',
  credentials: {
    type: 'object',
    required: ['base_url', 'email', 'api_token', 'project', 'issue_type'],
    properties: {
      base_url: { ...SITE, title: 'Site', description: 'Address of the site, such as https://acme.atlassian.net.' },
      email: {
        type: 'string',
        format: 'email',
        title: 'E-mail',
        description: 'Of the account that the token belongs to; tickets are made in its name.',
        maxLength: 300,
      },
      api_token: {
        type: 'string',
        writeOnly: true,
        title: 'API token',
        description: 'Made at id.atlassian.com: Security, API tokens. The account may browse, create and close issues.',
        maxLength: 2000,
      },
      ...TICKETS,
    },
  },
  auth: { type: 'basic', value: '{{email}}:{{api_token}}' },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'] },
});

const dataCenter = defineConnector({
  id: 'jira_data_center',
  title: 'Jira Data Center',
  category: 'webhook',
  image: monogram('JD'),
  description: 'The same for a Jira that you run yourself, version 9 or newer.',
  documentation: 'https://developer.atlassian.com/server/jira/platform/rest/',
  credentials: {
    type: 'object',
    required: ['base_url', 'access_token', 'project', 'issue_type'],
    properties: {
      base_url: {
        ...SITE,
        title: 'Base URL',
        description: 'Address of the server with its context path, such as https://jira.example.com.',
      },
      access_token: {
        type: 'string',
        writeOnly: true,
        title: 'Personal access token',
        description: 'Made in Jira: Profile, Personal access tokens. Tickets are made in the name of its account.',
        maxLength: 2000,
      },
      ...TICKETS,
    },
  },
  auth: { type: 'bearer', value: '{{access_token}}' },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'] },
});

/** Manifest of the ticket systems. Data only. */
export const plugin = definePlugin({
  id: 'tickets',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [cloud, dataCenter],
});
