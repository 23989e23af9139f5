import { sign } from 'node:crypto';
import { type Ctx, readAnswer } from '@breakwater/sdk';
import type { gcp } from '../../cards/gcp.ts';
import { jsonOf, TokenAnswer } from '../lib/answer.ts';
import { tokenFailure } from './failure.ts';
import { readKeyFile, type SigningKey } from './key-file.ts';

const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform.read-only';
/** The longest life that Google accepts. */
const LIFE_SECONDS = 3600;

/**
 * Access token of the service account.
 * Source: Google identity, "Using OAuth 2.0 for Server to Server Applications", HTTP/REST.
 */
export async function gcpToken(ctx: Ctx<(typeof gcp)['credentials']>): Promise<string> {
  const key = readKeyFile(await ctx.reveal('application_credentials'), ctx.config);
  const answer = await ctx.http.request({
    service: 'token',
    method: 'POST',
    path: '/token',
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(key, ctx.config.client_email, ctx.now()),
    },
    accept: [400, 401, 403],
  });
  if (answer.status !== 200) throw tokenFailure(answer.status, jsonOf(answer));
  return readAnswer(TokenAnswer, jsonOf(answer)).access_token;
}

/** A JSON Web Token (RFC 7519) signed RS256. */
function assertion(key: SigningKey, email: string, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(key.keyId === undefined ? {} : { kid: key.keyId }) };
  const claims = { iss: email, scope: SCOPE, aud: AUDIENCE, iat: issuedAt, exp: issuedAt + LIFE_SECONDS };
  const signed = `${base64url(header)}.${base64url(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

function base64url(part: Readonly<Record<string, string | number>>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
