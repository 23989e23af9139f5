import { defineConnector, monogram } from '@breakwater/sdk';

export const gcp = defineConnector({
  id: 'gcp',
  title: 'Google Cloud',
  category: 'cloud-deployment',
  image: monogram('GC'),
  description: 'Connects a Google Cloud project, so that its settings can be scanned.',
  documentation: 'https://cloud.google.com/iam/docs/keys-create-delete',
  credentials: {
    type: 'object',
    required: ['service_account', 'project_id', 'client_email', 'application_credentials'],
    properties: {
      service_account: {
        type: 'string',
        title: 'Service account',
        description: 'Name or unique ID of the service account: IAM & Admin, Service accounts.',
        minLength: 1,
        maxLength: 320,
      },
      project_id: {
        type: 'string',
        title: 'Project ID',
        description:
          'ID of the project, not its name; the service account needs the roles Viewer and Security Reviewer on it.',
        pattern: '^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$',
      },
      client_email: {
        type: 'string',
        format: 'email',
        title: 'Client e-mail',
        description: 'E-mail address of the service account, client_email in the key file.',
        maxLength: 320,
      },
      application_credentials: {
        type: 'string',
        writeOnly: true,
        format: 'multiline',
        title: 'Key file',
        description: 'The whole JSON file: Service accounts, Keys, Add key, Create new key, JSON.',
        maxLength: 20_000,
      },
    },
  },
  baseUrl: 'https://cloudresourcemanager.googleapis.com',
  services: { token: 'https://oauth2.googleapis.com' },
  permissions: {
    egress: ['cloudresourcemanager.googleapis.com', 'oauth2.googleapis.com'],
    reveal: ['application_credentials'],
  },
});
