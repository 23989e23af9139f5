import { createHash } from 'node:crypto';
import type { AnyConnector, OAuth2 } from '../../connector.ts';
import { addressOf, type ServiceAddress } from '../egress/roots.ts';

/** Connector, form, and the client that the service knows us by, where it wants one. */
export interface OAuthClient extends ServiceAddress {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** The connector's `auth`. @throws TypeError, where it is not OAuth 2.0 */
export function oauthOf(connector: AnyConnector): OAuth2 {
  if (connector.auth.type === 'oauth2') return connector.auth;
  throw new TypeError(`connector "${connector.id}" has no OAuth 2.0`);
}

export interface OAuthConsent extends ServiceAddress {
  readonly clientId: string;
  /** Where the service sends the person back to. */
  readonly redirectUri: string;
  /** Comes back with the person and proves that we sent them. */
  readonly state: string;
  /** Proof key; used where the connector's service takes one. */
  readonly verifier: string;
}

/** Whether the service takes a proof key for the exchange of codes (RFC 7636). */
export const usesProofKey = (connector: AnyConnector): boolean => oauthOf(connector).pkce !== false;

/** Where a person agrees that we may use their account (RFC 6749 §4.1.1, with the challenge of RFC 7636). @throws ConnectorError config */
export function consentAddress(consent: OAuthConsent): URL {
  const { connector, clientId, redirectUri, state, verifier } = consent;
  const { authorizeUrl, scopes } = oauthOf(connector);
  const url = addressOf(consent, authorizeUrl);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    state,
    ...(usesProofKey(connector) ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Where a person installs the application. @param app its name at the service @throws ConnectorError config; TypeError where there is no such page */
export function installationAddress(address: ServiceAddress, { app, state }: { app: string; state: string }): URL {
  const { installation } = oauthOf(address.connector);
  if (installation === undefined) throw new TypeError(`connector "${address.connector.id}" has nothing to install`);
  const url = addressOf(address, installation.url.replace('{app}', encodeURIComponent(app)));
  url.searchParams.set('state', state);
  return url;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}
