import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ProvenIdentity } from '../model/identity.ts';
import { serviceAddresses } from '../model/settings.ts';
import type { SingleSignOnDeps } from './deps.ts';
import { type OidcAnswer, type OidcProvider, oidcAddress, redeemOidc } from './oidc/oidc-provider.ts';
import { redeemSaml, type SamlAnswer, type SamlProvider, samlAddress } from './saml/saml-provider.ts';
import { readSettings, SECRET, type Settings } from './settings-store.ts';

/** The provider of an organisation, ready to be asked. */
export type Provider = { settings: Settings } & (
  | { protocol: 'oidc'; oidc: OidcProvider }
  | { protocol: 'saml'; saml: SamlProvider }
);

const isComplete = (settings: Settings): boolean =>
  settings.protocol === 'oidc'
    ? settings.oidc_issuer !== '' && settings.oidc_client_id !== ''
    : settings.saml_entity_id !== '' && settings.saml_sign_in_url !== '' && settings.saml_certificates.length > 0;

/** Reads the provider with its secret. @throws integration_not_configured */
export const readProvider = async (deps: SingleSignOnDeps, db: Db, clientId: string): Promise<Provider> => {
  const settings = await readSettings(db, clientId);
  if (settings === undefined || !isComplete(settings)) {
    throw new AppError('integration_not_configured', msg('Single sign-on of this organisation is not configured.'));
  }
  const service = serviceAddresses(deps.origin, clientId);
  if (settings.protocol === 'saml') {
    const saml = {
      entityId: settings.saml_entity_id,
      signInUrl: settings.saml_sign_in_url,
      certificates: settings.saml_certificates,
      emailAttribute: settings.saml_email_attribute,
      groupsAttribute: settings.groups_claim,
      service,
    };
    return { protocol: 'saml', settings, saml };
  }
  const oidc = {
    issuer: settings.oidc_issuer,
    clientId: settings.oidc_client_id,
    clientSecret: await deps.vault.read(db, { clientId, ...SECRET }),
    redirectUri: service.redirectUri,
    groupsClaim: settings.groups_claim,
    trustsEmails: settings.trusts_emails,
  };
  return { protocol: 'oidc', settings, oidc };
};

/** Where the person goes. @throws single_sign_on_refused */
export const providerAddress = (
  deps: SingleSignOnDeps,
  provider: Provider,
  request: { state: string; loginHint: string | undefined },
): Promise<string> =>
  provider.protocol === 'oidc' ? oidcAddress(deps, provider.oidc, request) : samlAddress(provider.saml, request.state);

/** What an OIDC provider says of the person who came back. @throws single_sign_on_refused */
export const redeemCode = (deps: SingleSignOnDeps, provider: Provider, answer: OidcAnswer): Promise<ProvenIdentity> => {
  if (provider.protocol === 'oidc') return redeemOidc(deps, provider.oidc, answer);
  throw new AppError('single_sign_on_refused', msg('This organisation signs in by SAML.'));
};

/** What a SAML response says. @throws single_sign_on_refused */
export const redeemResponse = (provider: Provider, state: string, encoded: string): Promise<SamlAnswer> => {
  if (provider.protocol === 'saml') return redeemSaml(provider.saml, state, encoded);
  throw new AppError('single_sign_on_refused', msg('This organisation signs in by OpenID Connect.'));
};
