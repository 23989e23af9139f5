import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
} from 'openid-client';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';
import {
  discoverIssuer,
  type IssuerDeps,
  isSameIssuer,
  withEgress,
} from '../../../platform/server/identity/discover-issuer.ts';
import type { ProvenIdentity } from '../../model/identity.ts';
import { egressMessage, refusal } from '../refusal.ts';

export interface OidcDeps extends IssuerDeps {
  /** A key of one sign-in, made from its state and stored nowhere. */
  proofKeyOf: (text: string) => string;
}

/** The provider of one organisation, as it is configured. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  /** None: a public client, which PKCE alone protects. */
  clientSecret: string | undefined;
  redirectUri: string;
  groupsClaim: string;
  trustsEmails: boolean;
}

const MAX_GROUPS = 1000;
const MAX_TEXT = 300;

const verifierOf = ({ proofKeyOf }: OidcDeps, state: string): string => proofKeyOf(`single sign-on verifier ${state}`);
const nonceOf = ({ proofKeyOf }: OidcDeps, state: string): string => proofKeyOf(`single sign-on nonce ${state}`);

/** Text of a provider, fit for a person. */
const shown = (text: string): string => visibleText(text.toWellFormed()).replace(/\s+/g, ' ').slice(0, MAX_TEXT);

const explain = (error: unknown): string => {
  const blocked = egressMessage(error);
  if (blocked !== undefined) return blocked;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const said = error.error_description ?? error.error;
    return `The identity provider ended the sign-in. It says: "${shown(said)}"`;
  }
  const texts = [error, error instanceof Error ? error.cause : undefined].flatMap((one) =>
    one instanceof Error && one.message !== '' ? [one.message] : [],
  );
  return sayEnglish('The answer of the identity provider was refused: {texts}.', {
    texts: shown([...new Set(texts)].join(': ')),
  });
};

const authenticationFor = (methods: readonly string[] | undefined, secret: string | undefined) => {
  if (secret === undefined) return None();
  // without a list a provider takes the basic method (OpenID Connect Discovery §3)
  return methods === undefined || methods.includes('client_secret_basic')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret);
};

/** Reads what the provider says of itself. @throws single_sign_on_refused */
const configure = async (deps: OidcDeps, provider: OidcProvider): Promise<Configuration> => {
  const { issuer, clientId, clientSecret } = provider;
  try {
    const server = (await discoverIssuer(deps, issuer, clientId)).serverMetadata();
    // the library lets two vendors answer for others: with an issuer of many tenants anybody could sign in
    if (!isSameIssuer(server.issuer, issuer)) {
      throw refusal(
        sayEnglish(
          'The identity provider calls itself "{issuer}", not "{expected}". Enter the issuer of your own tenant.',
          { issuer: shown(server.issuer), expected: issuer },
        ),
      );
    }
    const authentication = authenticationFor(server.token_endpoint_auth_methods_supported, clientSecret);
    const config = withEgress(deps, new Configuration(server, clientId, undefined, authentication));
    // signatures are verified although the ID token comes from the provider itself
    enableNonRepudiationChecks(config);
    return config;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(`${provider.issuer} does not answer as an OpenID Connect issuer. ${explain(error)}`, error);
  }
};

/** Where the person goes to sign in. @throws single_sign_on_refused */
export const oidcAddress = async (
  deps: OidcDeps,
  provider: OidcProvider,
  { state, loginHint }: { state: string; loginHint: string | undefined },
): Promise<string> => {
  const config = await configure(deps, provider);
  const hasGroups = config.serverMetadata().scopes_supported?.includes('groups') === true;
  return buildAuthorizationUrl(config, {
    redirect_uri: provider.redirectUri,
    scope: `openid email profile${hasGroups ? ' groups' : ''}`,
    state,
    nonce: nonceOf(deps, state),
    code_challenge: await calculatePKCECodeChallenge(verifierOf(deps, state)),
    code_challenge_method: 'S256',
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  }).href;
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const groupsOf = (value: unknown): string[] => {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((group) => typeof group === 'string').slice(0, MAX_GROUPS);
};

type Claims = Readonly<Record<string, unknown>>;

const identityOf = (issuer: string, subject: string, claims: Claims, provider: OidcProvider): ProvenIdentity => ({
  issuer,
  subject,
  email: textOf(claims['email']),
  isEmailVerified:
    claims['email_verified'] === true || (provider.trustsEmails && claims['email_verified'] === undefined),
  name: textOf(claims['preferred_username']) ?? textOf(claims['name']),
  groups: groupsOf(claims[provider.groupsClaim]),
});

/** What the provider sent the browser back with. */
export interface OidcAnswer {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
}

const answerAddress = ({ redirectUri }: OidcProvider, answer: OidcAnswer): URL => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (typeof value === 'string') url.searchParams.set(name, value);
  return url;
};

/**
 * Trades the code for what the provider says of the person: signature, issuer, audience, nonce, times, state and PKCE are verified.
 * @throws single_sign_on_refused
 */
export const redeemOidc = async (
  deps: OidcDeps,
  provider: OidcProvider,
  answer: OidcAnswer,
): Promise<ProvenIdentity> => {
  const config = await configure(deps, provider);
  try {
    const tokens = await authorizationCodeGrant(config, answerAddress(provider, answer), {
      pkceCodeVerifier: verifierOf(deps, answer.state),
      expectedState: answer.state,
      expectedNonce: nonceOf(deps, answer.state),
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw refusal(msg('The identity provider sent no ID token.'));
    // e-mail and groups may stand at the userinfo endpoint alone (OpenID Connect Core §5.4)
    const isComplete = claims['email'] !== undefined && claims[provider.groupsClaim] !== undefined;
    const hasMore = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
    return identityOf(claims.iss, claims.sub, { ...more, ...claims }, provider);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(explain(error), error);
  }
};
