import type { CloudLogin, Ctx } from '@breakwater/sdk';
import type { aws } from '../cards/aws.ts';
import type { azure } from '../cards/azure.ts';
import type { gcp } from '../cards/gcp.ts';
import type { oracleOci } from '../cards/oracle-oci.ts';

/*
 * What command-line programs find these credentials by: the names are those of the providers' own libraries, so that Prowler, CloudSploit and whatever
 * comes after them need nothing of their own.
 */

/** Source: AWS SDKs and Tools Reference Guide, "Environment variables". What the machine itself may do in AWS is not asked for. */
export async function awsLogin(ctx: Ctx<(typeof aws)['credentials']>): Promise<CloudLogin> {
  return {
    env: {
      AWS_ACCESS_KEY_ID: ctx.config.access_key_id,
      AWS_SECRET_ACCESS_KEY: await ctx.reveal('secret_access_key'),
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  };
}

/** Source: Azure Identity, `EnvironmentCredential`. */
export async function azureLogin(ctx: Ctx<(typeof azure)['credentials']>): Promise<CloudLogin> {
  const { client_id, subscription_id, tenant_id } = ctx.config;
  return {
    account: subscription_id,
    env: {
      AZURE_CLIENT_ID: client_id,
      AZURE_CLIENT_SECRET: await ctx.reveal('client_secret'),
      AZURE_SUBSCRIPTION_ID: subscription_id,
      AZURE_TENANT_ID: tenant_id,
    },
  };
}

/** Source: Google Cloud, "How Application Default Credentials works". */
export async function gcpLogin(ctx: Ctx<(typeof gcp)['credentials']>): Promise<CloudLogin> {
  const text = await ctx.reveal('application_credentials');
  return {
    account: ctx.config.project_id,
    env: { GOOGLE_CLOUD_PROJECT: ctx.config.project_id },
    files: [{ path: 'gcp/key.json', text, variable: 'GOOGLE_APPLICATION_CREDENTIALS' }],
  };
}

/** Source: Oracle Cloud Infrastructure, "SDK and CLI Configuration File" and "CLI Environment Variables". */
export async function ociLogin(ctx: Ctx<(typeof oracleOci)['credentials']>): Promise<CloudLogin> {
  const { tenancy_id, compartment_id, user_id, key_fingerprint, region } = ctx.config;
  const config = [
    '[DEFAULT]',
    `user=${user_id}`,
    `fingerprint=${key_fingerprint}`,
    `tenancy=${tenancy_id}`,
    `region=${region}`,
    'key_file=~/.oci/key.pem',
  ];
  return {
    account: tenancy_id,
    env: {
      OCI_CLI_TENANCY: tenancy_id,
      OCI_CLI_USER: user_id,
      OCI_CLI_FINGERPRINT: key_fingerprint,
      OCI_CLI_REGION: region,
      OCI_COMPARTMENT_ID: compartment_id,
    },
    files: [
      { path: '.oci/config', text: `${config.join('\n')}\n`, variable: 'OCI_CONFIG_FILE' },
      { path: '.oci/key.pem', text: await ctx.reveal('key_value'), variable: 'OCI_CLI_KEY_FILE' },
    ],
  };
}
