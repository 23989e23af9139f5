import type { EgressGate } from '@breakwater/sdk/host';
import { allowInsecureRequests, type Configuration, customFetch, discovery, None } from 'openid-client';
import { createEgressFetch } from './egress-fetch.ts';

export interface IssuerDeps {
  gate: EgressGate;
  /** The operator lets requests go to private addresses, and by plain http. */
  allowPrivateHosts: boolean;
}

const TIMEOUT_SECONDS = 10;

/** What a request to an identity provider needs: the egress gate, a deadline, and plain http where the operator allows it. */
export const withEgress = ({ gate, allowPrivateHosts }: IssuerDeps, config: Configuration): Configuration => {
  config[customFetch] = createEgressFetch(gate);
  config.timeout = TIMEOUT_SECONDS;
  if (allowPrivateHosts) allowInsecureRequests(config);
  return config;
};

/** Whether two issuers are one, but for a slash at the end. */
export const isSameIssuer = (one: string, other: string): boolean =>
  one.replace(/\/$/, '') === other.replace(/\/$/, '');

/**
 * Reads what an OpenID Connect issuer says of itself. Whether it calls itself by the name it was asked under is for the caller to compare
 * (`isSameIssuer`): the library lets two vendors answer for others.
 * @throws what the library or the egress gate throws. Source: OpenID Connect Discovery 1.0 §4.
 */
export const discoverIssuer = (deps: IssuerDeps, issuer: string, clientId: string): Promise<Configuration> =>
  discovery(new URL(issuer), clientId, undefined, None(), {
    [customFetch]: createEgressFetch(deps.gate),
    timeout: TIMEOUT_SECONDS,
    execute: deps.allowPrivateHosts ? [allowInsecureRequests] : [],
  });
