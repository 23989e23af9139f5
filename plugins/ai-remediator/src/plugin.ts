import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

/** The form of a connection; the two connectors name its fields differently. Source: specification §3 "ai_configuration". */
const FIELDS = {
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
  input_price: {
    type: 'number',
    minimum: 0,
    maximum: 100_000,
    title: 'Price of input',
    description: 'USD for 1,000,000 tokens that the model reads. Costs are shown once both prices are set.',
  },
  output_price: {
    type: 'number',
    minimum: 0,
    maximum: 100_000,
    title: 'Price of output',
    description: 'USD for 1,000,000 tokens that the model writes.',
  },
} as const;

const DOCUMENTATION = 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference';

const aiRemediator = defineConnector({
  id: 'ai_remediator',
  title: 'AI remediator',
  category: 'miscellaneous',
  image: monogram('AI'),
  description: 'Writes remediations with a model of Azure OpenAI, OpenAI or a server that speaks the same protocol.',
  documentation: DOCUMENTATION,
  credentials: {
    type: 'object',
    required: ['api_key', 'deployment_name', 'base_url', 'version', 'type'],
    properties: FIELDS,
  },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'], reveal: ['api_key'] },
});

const aiValidation = defineConnector({
  id: 'ai_validation',
  title: 'AI validation',
  category: 'miscellaneous',
  image: monogram('AV'),
  description: 'Proposes which findings are false positives, with a model of its own; people decide.',
  documentation: DOCUMENTATION,
  credentials: {
    type: 'object',
    required: ['openai_api_key', 'openai_deployment_name', 'openai_base_url', 'openai_version', 'openai_type'],
    properties: {
      openai_type: FIELDS.type,
      openai_api_key: FIELDS.api_key,
      openai_deployment_name: FIELDS.deployment_name,
      openai_base_url: FIELDS.base_url,
      openai_version: FIELDS.version,
      openai_input_price: FIELDS.input_price,
      openai_output_price: FIELDS.output_price,
    },
  },
  baseUrl: '{{openai_base_url}}',
  permissions: { egress: ['{{openai_base_url}}'], reveal: ['openai_api_key'] },
});

/** Manifest of the AI provider. Data only. */
export const plugin = definePlugin({
  id: 'ai-remediator',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [aiRemediator, aiValidation],
});

/** The forms, for the types of the code. */
export type RemediatorForm = (typeof aiRemediator)['credentials'];
export type ValidationForm = (typeof aiValidation)['credentials'];
