import { defineConnector, monogram } from '@breakwater/sdk';

export const aws = defineConnector({
  id: 'aws',
  title: 'AWS',
  category: 'cloud-deployment',
  image: monogram('AWS'),
  description: 'Connects an AWS account, so that its settings can be scanned.',
  documentation: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
  credentials: {
    type: 'object',
    required: ['access_key_id', 'secret_access_key'],
    properties: {
      access_key_id: {
        type: 'string',
        title: 'Access key ID',
        description:
          'Begins with AKIA. IAM, Users, Security credentials, Create access key; the user needs the policy SecurityAudit.',
        pattern: '^AKIA[A-Z0-9]{12,124}$',
      },
      secret_access_key: {
        type: 'string',
        writeOnly: true,
        title: 'Secret access key',
        description: 'Shown once, when the access key is made.',
        maxLength: 200,
      },
    },
  },
  baseUrl: 'https://sts.amazonaws.com',
  permissions: { egress: ['sts.amazonaws.com'], reveal: ['secret_access_key'] },
});
