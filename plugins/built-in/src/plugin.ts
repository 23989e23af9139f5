import { defineConnector, definePlugin, monogram, TICKET_TEMPLATE_PATTERN } from '@breakwater/sdk';

const git = defineConnector({
  id: 'git',
  title: 'Git',
  category: 'source-control',
  image: monogram('Git'),
  description: 'Repositories of any host by their clone address: Repositories, Import, By address.',
  documentation: 'https://git-scm.com/docs/git-clone',
});

const local = defineConnector({
  id: 'local',
  title: 'Local folder',
  category: 'source-control',
  image: monogram('Lo'),
  description: 'Takes in a folder on the server as a repository.',
  documentation: 'https://git-scm.com/book/en/v2/Git-on-the-Server-The-Protocols',
  disabled: { reason: 'The operator of this server has not allowed folders of the server to be read.' },
});

const webhook = defineConnector({
  id: 'webhook',
  title: 'Ticket webhook',
  category: 'webhook',
  image: monogram('Wh'),
  description: 'Sends remediation tickets as JSON to the address of your ticket system.',
  documentation: 'https://www.standardwebhooks.com/',
  credentials: {
    type: 'object',
    required: ['url', 'mapping'],
    properties: {
      url: {
        type: 'string',
        format: 'uri',
        title: 'Address',
        description: 'Where tickets are sent by POST; the test sends one event that is marked as a test.',
        pattern: '^https?://[^/?#\\s@]+(/[^#\\s]*)?$',
        maxLength: 2000,
      },
      mapping: {
        type: 'object',
        title: 'Fields',
        description:
          'Field of the ticket on the left; on the right its text, with values such as {{finding.title}}, {{remediation.description}} or {{repository.name}}.',
        additionalProperties: { type: 'string', pattern: TICKET_TEMPLATE_PATTERN, maxLength: 2000 },
      },
      signing_secret: {
        type: 'string',
        writeOnly: true,
        title: 'Signing secret',
        description: 'Tickets are signed with it by HMAC-SHA256, so that the receiver can tell where they come from.',
        maxLength: 500,
      },
    },
  },
  baseUrl: '{{url}}',
  permissions: { egress: ['{{url}}'], reveal: ['signing_secret'] },
});

const plexalyzer = defineConnector({
  id: 'plexalyzer',
  title: 'Plexalyzer',
  category: 'miscellaneous',
  image: monogram('Px'),
  description: 'Tokens with which pipelines upload their reports; each is shown once.',
  documentation: 'https://www.rfc-editor.org/rfc/rfc6750',
  credentials: {
    type: 'object',
    required: ['name', 'expired_at'],
    properties: {
      name: {
        type: 'string',
        title: 'Name',
        description: 'What the token is for, such as the name of the pipeline.',
        minLength: 1,
        maxLength: 100,
      },
      expired_at: {
        type: 'string',
        format: 'date',
        title: 'Expires',
        description: 'The last day on which the token works.',
      },
    },
  },
});

/** Cards of Breakwater itself. Data only. */
export const plugin = definePlugin({
  id: 'built-in',
  version: '0.2.0',
  publisher: 'Breakwater',
  connectors: [git, local, webhook, plexalyzer],
});

/** The form of the webhook, for the types of the code. */
export type WebhookForm = (typeof webhook)['credentials'];
