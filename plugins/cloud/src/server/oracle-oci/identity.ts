import { type CloudIdentity, ConnectorError, type Ctx, type Json, readAnswer, Type } from '@breakwater/sdk';
import type { oracleOci } from '../../cards/oracle-oci.ts';
import { jsonOf } from '../lib/answer.ts';
import { ociFailure } from './failure.ts';
import { readKey, signGet } from './sign.ts';

type OciCtx = Ctx<(typeof oracleOci)['credentials']>;

const User = Type.Object({ name: Type.String(), compartmentId: Type.String() });
const Tenancy = Type.Object({ name: Type.String() });
const Compartment = Type.Object({ lifecycleState: Type.String() });

/**
 * Tenancy and user, and whether the compartment may be looked at.
 * Source: Oracle Cloud Infrastructure, Identity and Access Management API 20160918: GetUser, GetTenancy, GetCompartment.
 */
export async function ociIdentity(ctx: OciCtx): Promise<CloudIdentity> {
  const { tenancy_id: tenancyId, user_id: userId, compartment_id: compartmentId } = ctx.config;
  const get = await signedGets(ctx);
  const user = readAnswer(User, await get('user', `/20160918/users/${userId}`));
  if (user.compartmentId !== tenancyId) {
    throw new ConnectorError('config', 'The user belongs to another tenancy.', {
      help: 'Copy both OCIDs from the profile menu: Tenancy and User settings.',
    });
  }
  const tenancy = readAnswer(Tenancy, await get('tenancy', `/20160918/tenancies/${tenancyId}`));
  if (compartmentId !== tenancyId)
    checkCompartment(await get('compartment', `/20160918/compartments/${compartmentId}`));
  return { account: tenancy.name, principal: user.name };
}

function checkCompartment(answer: Json): void {
  if (readAnswer(Compartment, answer).lifecycleState === 'ACTIVE') return;
  throw new ConnectorError('config', 'The compartment is not active.', {
    help: 'Enter a compartment that is active, or the OCID of the tenancy.',
  });
}

/** Reads something of the tenancy, signed by the key that was entered. */
async function signedGets(ctx: OciCtx): Promise<(what: string, path: string) => Promise<Json>> {
  const { config } = ctx;
  const signer = {
    tenancy: config.tenancy_id,
    user: config.user_id,
    fingerprint: config.key_fingerprint,
    privateKey: readKey(await ctx.reveal('key_value')),
  };
  const host = `identity.${config.region}.oraclecloud.com`;
  return async (what, path) => {
    const headers = signGet(signer, { host, path, now: ctx.now() });
    const answer = await ctx.http.request({ path, headers, accept: [400, 401, 404] });
    if (answer.status !== 200) throw ociFailure(answer, what);
    return jsonOf(answer);
  };
}
