import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

/** What people call the channel; neither service says it of a webhook. */
const CHANNEL = {
  type: 'string',
  title: 'Channel',
  description: 'What the channel is called, to tell it on this page, such as #security.',
  pattern: '\\S',
  maxLength: 80,
} as const;

const slack = defineConnector({
  id: 'slack',
  title: 'Slack',
  category: 'webhook',
  image: monogram('Sl'),
  description: 'Sends notifications of your organisation to a Slack channel by an incoming webhook.',
  documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/',
  credentials: {
    type: 'object',
    required: ['webhook_url'],
    properties: {
      webhook_url: {
        type: 'string',
        writeOnly: true,
        title: 'Webhook URL',
        description:
          'Of an incoming webhook; it begins with https://hooks.slack.com/services/. Whoever knows it can post.',
        pattern: '^https://hooks\\.slack(-gov)?\\.com/services/[A-Za-z0-9/_-]+$',
        maxLength: 500,
      },
      channel: CHANNEL,
    },
  },
  auth: { type: 'address', value: '{{webhook_url}}' },
  permissions: { egress: ['hooks.slack.com', 'hooks.slack-gov.com'] },
});

const teams = defineConnector({
  id: 'microsoft-teams',
  title: 'Microsoft Teams',
  category: 'webhook',
  image: monogram('Te'),
  description: 'Sends notifications of your organisation to a Teams channel by a workflow.',
  documentation:
    'https://support.microsoft.com/en-us/office/create-incoming-webhooks-with-workflows-for-microsoft-teams-8ae491c7-0394-4861-ba59-055e33f75498',
  credentials: {
    type: 'object',
    required: ['webhook_url'],
    properties: {
      webhook_url: {
        type: 'string',
        writeOnly: true,
        title: 'Workflow URL',
        description:
          'Made in Teams: Workflows, “Send webhook alerts to a channel”, anyone may trigger it. Whoever knows it can post.',
        pattern: '^https://[^/?#\\s@]+/[^?#\\s]*\\?([^#\\s]*&)?sig=[^#\\s]+$',
        maxLength: 2000,
      },
      channel: { ...CHANNEL, description: 'What the channel is called, such as Security alerts.' },
    },
  },
  auth: { type: 'address', value: '{{webhook_url}}' },
  permissions: {
    egress: [
      '*.logic.azure.com',
      '*.environment.api.powerplatform.com',
      '*.logic.azure.us',
      '*.environment.api.gov.powerplatform.microsoft.us',
    ],
  },
});

/** Manifest of the channels. Data only. */
export const plugin = definePlugin({
  id: 'notify',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [slack, teams],
});

/** The form of both cards, for the types of the code. */
export type ChannelForm = (typeof slack)['credentials'];
export type TeamsForm = (typeof teams)['credentials'];
