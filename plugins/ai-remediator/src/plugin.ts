import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const aiRemediator = defineConnector({
  id: 'ai_remediator',
  title: 'AI remediator',
  category: 'miscellaneous',
  image: monogram('AI'),
  description: 'Writes remediations with a model of Azure OpenAI, OpenAI or a server that speaks the same protocol.',
  documentation: 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference',
  credentials: {
    type: 'object',
    required: ['api_key', 'deployment_name', 'base_url', 'version', 'type'],
    properties: {
      type: {
        type: 'string',
        enum: ['azure', 'openai'],
        default: 'azure',
        title: 'Provider',
        description: 'azure for Azure OpenAI; openai for OpenAI and for servers that speak its protocol.',
      },
      api_key: {
        type: 'string',
        writeOnly: true,
        title: 'API key',
        description:
          'Azure: Keys and Endpoint of the resource; OpenAI: API keys of the project, with "Model capabilities".',
        maxLength: 1000,
      },
      deployment_name: {
        type: 'string',
        title: 'Deployment or model',
        description: 'Azure: the name you gave the deployment; OpenAI: the model, such as gpt-4.1.',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$',
        maxLength: 200,
      },
      base_url: {
        type: 'string',
        format: 'uri',
        title: 'Endpoint',
        description: 'Azure: https://<resource>.openai.azure.com; OpenAI: https://api.openai.com.',
        pattern: '^https?://[^/?#\\s@]+(/[^?#\\s@]*)?$',
        maxLength: 300,
      },
      version: {
        type: 'string',
        title: 'API version',
        description: 'Azure: a version such as 2024-10-21; OpenAI: v1.',
        pattern: '^(v[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}(-preview)?)$',
      },
    },
  },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'], reveal: ['api_key'] },
});

/** Manifest of the AI provider. Data only. */
export const plugin = definePlugin({
  id: 'ai-remediator',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [aiRemediator],
});

/** The form, for the types of the code. */
export type RemediatorForm = (typeof aiRemediator)['credentials'];
