import { openTestConnection } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';

const loginOf = async (id: string, values: Readonly<Record<string, unknown>>) => {
  const connector = plugin.connectors.find((candidate) => candidate.id === id);
  const login = server.connectors[id]?.cloud?.login;
  if (connector === undefined || login === undefined) throw new Error(`no login of "${id}"`);
  return login(openTestConnection(connector, { values, baseUrl: new URL('http://127.0.0.1:9') }));
};

const UUID = '11111111-1111-4111-8111-111111111111';

it('gives scanners of AWS the key, and not the rights of the machine', async () => {
  const values = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'canary-aws' };
  expect(await loginOf('aws', values)).toEqual({
    env: {
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'canary-aws',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
});

it('names the subscription of Azure that was connected, and no other', async () => {
  const ids = { client_id: UUID, subscription_id: UUID.replaceAll('1', '2'), tenant_id: UUID.replaceAll('1', '3') };
  const login = await loginOf('azure', { ...ids, client_secret: 'canary-azure' });
  expect(login).toEqual({
    account: ids.subscription_id,
    env: {
      AZURE_CLIENT_ID: ids.client_id,
      AZURE_CLIENT_SECRET: 'canary-azure',
      AZURE_SUBSCRIPTION_ID: ids.subscription_id,
      AZURE_TENANT_ID: ids.tenant_id,
    },
  });
});

it('gives the key files of Google and Oracle as files, never as variables', async () => {
  const google = await loginOf('gcp', {
    service_account: 'scanner',
    project_id: 'acme-prod-123',
    client_email: 'scanner@acme-prod-123.iam.gserviceaccount.com',
    application_credentials: '{"canary": "google"}',
  });
  expect(google.account).toBe('acme-prod-123');
  expect(JSON.stringify(google.env)).not.toContain('canary');
  expect(google.files).toEqual([
    { path: 'gcp/key.json', text: '{"canary": "google"}', variable: 'GOOGLE_APPLICATION_CREDENTIALS' },
  ]);
  const oracle = await loginOf('oracle_oci', {
    tenancy_id: 'ocid1.tenancy.oc1..aaaa',
    compartment_id: 'ocid1.compartment.oc1..bbbb',
    user_id: 'ocid1.user.oc1..cccc',
    key_fingerprint: Array.from({ length: 16 }, () => '0a').join(':'),
    key_value: 'canary-oracle',
    region: 'eu-frankfurt-1',
  });
  expect(JSON.stringify(oracle.env)).not.toContain('canary');
  const [config, key] = oracle.files ?? [];
  expect(config?.text).toContain('\nregion=eu-frankfurt-1\nkey_file=~/.oci/key.pem\n');
  expect(key).toEqual({ path: '.oci/key.pem', text: 'canary-oracle', variable: 'OCI_CLI_KEY_FILE' });
});
