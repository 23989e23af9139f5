import { callerEndpoint, type Endpoint, publicEndpoint } from '../../../platform/server/endpoint.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import { beginGoogle, readGoogleProfile } from '../../api/google-routes.ts';
import { refreshGoogleProfile } from './profile.ts';
import { BEGUN_SECONDS, beginSignIn, drawToken, type GoogleSignInDeps, requireGoogle } from './sign-in.ts';

/** What surrounds a sign-in by Google: its beginning, and the profile. */
export const createGoogleEndpoints = (deps: GoogleSignInDeps & { vault: Vault }): Endpoint[] => [
  publicEndpoint(beginGoogle)(async ({ reply, remoteAddress, signInToken }) => {
    const { clientId, scriptUrl } = requireGoogle(deps);
    await deps.googleAttempts.take(remoteAddress);
    // a cookie that is there is used again, so that two windows may sign in side by side
    const browserToken = signInToken ?? drawToken();
    const nonce = await deps.database.forIdentity((db) => beginSignIn(db, browserToken));
    reply.setSignInCookie(browserToken, { maxAgeSeconds: BEGUN_SECONDS });
    return { success: true, data: { client_id: clientId, script_url: scriptUrl, nonce } };
  }),
  callerEndpoint(readGoogleProfile)(async ({ caller, body, audit }) => {
    const data = await refreshGoogleProfile(deps, caller, body.access_token);
    audit({ subject: caller.username, details: { google_email: data.email } });
    return { success: true, data };
  }),
];
