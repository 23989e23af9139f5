import { type CloudIdentity, defineServer, type Identity } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { awsIdentity } from './aws/identity.ts';
import { azureIdentity } from './azure/identity.ts';
import { gcpIdentity } from './gcp/identity.ts';
import { awsLogin, azureLogin, gcpLogin, ociLogin } from './login.ts';
import { ociIdentity } from './oracle-oci/identity.ts';

/** The card shows account and user in one line. */
function shown({ account, principal }: CloudIdentity): Identity {
  return { identity: principal === undefined ? account : `${account} · ${principal}` };
}

/** Code of the cloud providers. */
export const server = defineServer(plugin, {
  aws: { check: async (ctx) => shown(await awsIdentity(ctx)), cloud: { identity: awsIdentity, login: awsLogin } },
  azure: {
    check: async (ctx) => shown(await azureIdentity(ctx)),
    cloud: { identity: azureIdentity, login: azureLogin },
  },
  gcp: { check: async (ctx) => shown(await gcpIdentity(ctx)), cloud: { identity: gcpIdentity, login: gcpLogin } },
  oracle_oci: {
    check: async (ctx) => shown(await ociIdentity(ctx)),
    cloud: { identity: ociIdentity, login: ociLogin },
  },
});
