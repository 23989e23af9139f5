import { defineConnector, monogram } from '@breakwater/sdk';

export const oracleOci = defineConnector({
  id: 'oracle_oci',
  title: 'Oracle OCI',
  category: 'cloud-deployment',
  image: monogram('OCI'),
  description: 'Connects an Oracle Cloud Infrastructure tenancy, so that its settings can be scanned.',
  documentation: 'https://docs.oracle.com/en-us/iaas/Content/API/Concepts/apisigningkey.htm',
  credentials: {
    type: 'object',
    required: ['tenancy_id', 'compartment_id', 'user_id', 'key_fingerprint', 'key_value'],
    properties: {
      tenancy_id: {
        type: 'string',
        title: 'Tenancy OCID',
        description: 'Profile, Tenancy: begins with ocid1.tenancy.',
        pattern: '^ocid1\\.tenancy\\.[a-z0-9-]+\\.[a-z0-9-]*\\.[a-z0-9]+$',
      },
      compartment_id: {
        type: 'string',
        title: 'Compartment OCID',
        description: 'Compartment to look at, or the tenancy itself; the user needs "inspect all-resources" in it.',
        pattern: '^ocid1\\.(compartment|tenancy)\\.[a-z0-9-]+\\.[a-z0-9-]*\\.[a-z0-9]+$',
      },
      user_id: {
        type: 'string',
        title: 'User OCID',
        description: 'Profile, User settings: begins with ocid1.user.',
        pattern: '^ocid1\\.user\\.[a-z0-9-]+\\.[a-z0-9-]*\\.[a-z0-9]+$',
      },
      key_fingerprint: {
        type: 'string',
        title: 'Key fingerprint',
        description: 'User settings, API keys: 16 pairs such as 20:3b:97:…',
        pattern: '^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){15}$',
      },
      key_value: {
        type: 'string',
        writeOnly: true,
        format: 'multiline',
        title: 'Private key',
        description: 'Whole PEM file of the API key, without passphrase.',
        maxLength: 20_000,
      },
      region: {
        type: 'string',
        title: 'Region',
        description: 'Home region of the tenancy, such as eu-frankfurt-1.',
        default: 'us-ashburn-1',
        pattern: '^[a-z]{2,3}-[a-z]+-[0-9]{1,2}$',
      },
    },
  },
  baseUrl: 'https://identity.{{region}}.oraclecloud.com',
  permissions: { egress: ['identity.{{region}}.oraclecloud.com'], reveal: ['key_value'] },
});
