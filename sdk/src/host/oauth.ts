import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { ConnectorError } from '../errors.ts';
import type { EgressGate } from './egress-gate.ts';
import { type OAuthClient, oauthOf, postForm, RECONNECT } from './oauth-request.ts';

export interface OAuthRefresh extends OAuthClient {
  readonly refreshToken: string;
}

export interface OAuthRevocation extends OAuthClient {
  readonly token: string;
}

/** New tokens. Without `refreshToken` the old one stays. */
export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: Date;
}

const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
});

/**
 * Renews an access token (RFC 6749 §6). Never repeated by itself: a service that rotates refresh tokens takes each only once.
 * @throws ConnectorError `auth` where the service no longer takes the refresh token, `config` where it does not know the client
 */
export async function refreshOAuth(gate: EgressGate, refresh: OAuthRefresh): Promise<OAuthTokens> {
  const auth = oauthOf(refresh);
  if (auth.refresh === 'none') throw new ConnectorError('auth', 'The access token has expired.', { help: RECONNECT });
  const answer = await postForm(gate, {
    client: refresh,
    address: auth.tokenUrl,
    fields: { grant_type: 'refresh_token', refresh_token: refresh.refreshToken },
    secret: refresh.refreshToken,
  });
  if (!Check(TokenAnswer, answer)) {
    throw new ConnectorError('upstream', `${refresh.connector.title} answered the renewal of the token without one.`);
  }
  const seconds = Number(answer.expires_in ?? Number.NaN);
  const rotated = auth.refresh === 'reuse' ? '' : (answer.refresh_token ?? '');
  return {
    accessToken: answer.access_token,
    ...(rotated === '' ? {} : { refreshToken: rotated }),
    ...(Number.isFinite(seconds) && seconds > 0 ? { expiresAt: new Date(Date.now() + seconds * 1000) } : {}),
  };
}

/** Tells the service that a token is no longer used (RFC 7009). Nothing is sent where it has no address for it. @throws ConnectorError */
export async function revokeOAuth(gate: EgressGate, revocation: OAuthRevocation): Promise<void> {
  const { revokeUrl } = oauthOf(revocation);
  if (revokeUrl === undefined) return;
  const { token } = revocation;
  await postForm(gate, { client: revocation, address: revokeUrl, fields: { token }, secret: token });
}
