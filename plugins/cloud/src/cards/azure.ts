import { defineConnector, monogram } from '@breakwater/sdk';

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

export const azure = defineConnector({
  id: 'azure',
  title: 'Azure',
  category: 'cloud-deployment',
  image: monogram('Az'),
  description: 'Connects an Azure subscription, so that its settings can be scanned.',
  documentation: 'https://learn.microsoft.com/en-us/entra/identity-platform/howto-create-service-principal-portal',
  credentials: {
    type: 'object',
    required: ['client_id', 'client_secret', 'subscription_id', 'tenant_id'],
    properties: {
      client_id: {
        type: 'string',
        title: 'Application (client) ID',
        description: 'A UUID: Entra ID, App registrations, your application, Overview.',
        pattern: UUID,
      },
      client_secret: {
        type: 'string',
        writeOnly: true,
        title: 'Client secret',
        description: 'The value, not the ID, of a secret: App registrations, Certificates & secrets.',
        maxLength: 1000,
      },
      subscription_id: {
        type: 'string',
        title: 'Subscription ID',
        description: 'A UUID: Subscriptions, your subscription, Overview; the application needs the role Reader on it.',
        pattern: UUID,
      },
      tenant_id: {
        type: 'string',
        title: 'Directory (tenant) ID',
        description: 'A UUID: Entra ID, Overview.',
        pattern: UUID,
      },
    },
  },
  baseUrl: 'https://management.azure.com',
  services: { login: 'https://login.microsoftonline.com' },
  permissions: { egress: ['management.azure.com', 'login.microsoftonline.com'], reveal: ['client_secret'] },
});
