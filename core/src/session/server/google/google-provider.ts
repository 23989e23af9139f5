import { isConnectorError } from '@breakwater/sdk';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, customFetch as keyFetch } from 'jose';
import { type Configuration, fetchUserInfo } from 'openid-client';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { discoverIssuer, type IssuerDeps, isSameIssuer } from '../../../platform/server/identity/discover-issuer.ts';
import { createEgressFetch } from '../../../platform/server/identity/egress-fetch.ts';

/** What Google proved of a person. */
export interface GooglePerson {
  subject: string;
  email: string;
  name: string;
  /**
   * Google answers for the address: it is verified, and of Gmail or of the person's Workspace domain (`hd`). Anything else may have
   * changed hands since. Source: Google Identity, "Verify the Google ID token on your server side", 2026-11.
   */
  ownsEmail: boolean;
}

export interface GoogleOptions extends IssuerDeps {
  /** Of this installation, registered at Google for web applications. */
  clientId: string;
  /** `https://accounts.google.com`, or what stands in for it. */
  issuer: string;
}

/** Google as an identity provider. */
export interface Google {
  clientId: string;
  scriptUrl: string;
  /** Verifies an ID token. @throws single_sign_on_refused, upstream_failed */
  verify(
    credential: string,
    expected: { clientId: string; isOwnNonce: (nonce: string) => Promise<boolean> },
  ): Promise<GooglePerson>;
  /** Asks the userinfo endpoint whose access token this is. @throws single_sign_on_refused, upstream_failed */
  lookUp(accessToken: string, subject: string): Promise<Pick<GooglePerson, 'email' | 'name'>>;
}

/** Google's ID tokens live an hour; an older one was not made by this sign-in. */
const MAX_AGE_SECONDS = 3600;
const CLOCK_TOLERANCE_SECONDS = 60;
const GMAIL = new Set(['gmail.com', 'googlemail.com']);

const refusal = (message: string, cause?: unknown): AppError =>
  new AppError('single_sign_on_refused', message, cause === undefined ? {} : { cause });

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 300) : '');

const ownsEmail = (payload: JWTPayload, email: string): boolean => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const isOfWorkspace = textOf(payload['hd']).toLowerCase() === domain && domain !== '';
  return payload['email_verified'] === true && (GMAIL.has(domain) || isOfWorkspace);
};

/** A key or document that could not be fetched is no verdict on the person. */
const explain = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const cause = error instanceof Error && isConnectorError(error.cause) ? error.cause : error;
  if (isConnectorError(cause))
    return new AppError('upstream_failed', say('Google does not answer. {message}', { message: cause.message }), {
      cause,
    });
  if (error instanceof errors.JWTExpired)
    return refusal(msg('The sign-in by Google took too long. Begin it again.'), error);
  const isVerdict =
    error instanceof errors.JOSEError && error.code !== 'ERR_JWKS_TIMEOUT' && error.code !== 'ERR_JOSE_GENERIC';
  return isVerdict
    ? refusal(msg('The ID token is not one that Google made for this sign-in. Begin it again.'), error)
    : new AppError('upstream_failed', msg('Google does not answer. Try again, or sign in with your password.'), {
        cause: error,
      });
};

const personOf = (payload: JWTPayload): GooglePerson => {
  const email = textOf(payload['email']);
  const subject = textOf(payload.sub);
  if (subject === '') throw refusal(msg('Google did not say who you are. Begin the sign-in again.'));
  return { subject, email, name: textOf(payload['name']), ownsEmail: ownsEmail(payload, email) };
};

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Reads addresses and keys once they are needed. Keys are kept by the library, which fetches them anew when an unknown one signs. */
const createReader = (options: GoogleOptions) => {
  let reading: Promise<{ config: Configuration; keys: Keys }> | undefined;
  const read = async () => {
    const config = await discoverIssuer(options, options.issuer, options.clientId);
    const { issuer, jwks_uri } = config.serverMetadata();
    if (!isSameIssuer(issuer, options.issuer) || jwks_uri === undefined) {
      throw new AppError('upstream_failed', say('{issuer} does not answer as Google.', { issuer: options.issuer }));
    }
    const fetchKeys = createEgressFetch(options.gate);
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      [keyFetch]: (url, { headers, signal }) =>
        fetchKeys(url, {
          method: 'GET',
          headers: Object.fromEntries(headers),
          body: undefined,
          redirect: 'manual',
          signal,
        }),
    });
    return { config, keys };
  };
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
};

/** Google by its own keys, asked through the egress gate. */
export const createGoogle = (options: GoogleOptions): Google => {
  const read = createReader(options);
  const { clientId, issuer } = options;
  return {
    clientId,
    scriptUrl: `${issuer.replace(/\/$/, '')}/gsi/client`,
    verify: async (credential, expected) => {
      if (expected.clientId !== clientId)
        throw refusal(msg('This sign-in by Google was made for another application.'));
      try {
        const { keys } = await read();
        const { payload } = await jwtVerify(credential, keys, {
          // Google writes its name with and without the scheme
          issuer: [issuer, issuer.replace(/^https?:\/\//, '')],
          audience: clientId,
          algorithms: ['RS256'],
          requiredClaims: ['sub', 'exp', 'nonce'],
          maxTokenAge: MAX_AGE_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        });
        const { aud, azp } = { aud: payload.aud, azp: payload['azp'] };
        if (Array.isArray(aud) || (azp !== undefined && azp !== clientId)) {
          throw refusal(msg('This sign-in by Google was made for another application.'));
        }
        if (!(await expected.isOwnNonce(textOf(payload['nonce'])))) {
          throw refusal(
            msg('This sign-in by Google was not begun in this browser, or was used already. Begin it again.'),
          );
        }
        return personOf(payload);
      } catch (error) {
        throw explain(error);
      }
    },
    lookUp: async (accessToken, subject) => {
      try {
        const { config } = await read();
        const found = await fetchUserInfo(config, accessToken, subject);
        return { email: textOf(found.email), name: textOf(found.name) };
      } catch (error) {
        throw lookUpError(error);
      }
    },
  };
};

const lookUpError = (error: unknown): AppError => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return refusal(msg('The access token belongs to another Google account than the one you sign in with.'), error);
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') {
    return refusal(msg('Google does not accept the access token. It may have expired: give a new one.'), error);
  }
  return explain(error);
};
