import { isConnectorError } from '@breakwater/sdk';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, customFetch as keyFetch } from 'jose';
import type { CustomFetch } from 'openid-client';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';

/** The publisher's application, registered at Entra ID. */
export interface EntraAccount {
  tenantId: string;
  clientId: string;
  clientSecret: string;
}

/** The marketplace itself as an application of Entra ID. Source: Microsoft, "Register a SaaS application". */
const MARKETPLACE_APPLICATION = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7';
const ISSUER_V1 = 'https://sts.windows.net';
const CLOCK_TOLERANCE_SECONDS = 60;
/** A token is renewed so long before it ends. */
const RENEWED_BEFORE_MS = 120_000;

// Entra ID writes the seconds of version 1 as text
const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Union([Type.Number(), Type.String()]),
});

export interface Entra {
  /** A token for requests to the marketplace. @throws upstream_failed */
  accessToken(): Promise<string>;
  /** @throws forbidden, upstream_failed */
  verifyCaller(authorization: string | undefined): Promise<void>;
}

interface EntraParts {
  send: CustomFetch;
  /** Without a slash at the end. */
  loginUrl: string;
}

const refusal = (cause?: unknown): AppError =>
  new AppError('forbidden', msg('The operation does not prove that it comes from the Microsoft Marketplace.'), {
    cause,
  });

const failure = (reason: string, cause?: unknown): AppError =>
  new AppError('upstream_failed', say('Entra ID did not answer as expected. {reason}', { reason }), { cause });

const createTokens = ({ tenantId, clientId, clientSecret }: EntraAccount, { send, loginUrl }: EntraParts) => {
  let known: { token: string; endsAt: number } | undefined;
  const fetchToken = async (): Promise<string> => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      resource: MARKETPLACE_APPLICATION,
    });
    const response = await send(`${loginUrl}/${tenantId}/oauth2/token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      redirect: 'manual',
    });
    const text = await response.text();
    if (!response.ok)
      throw failure(
        sayEnglish('It gave no token ({status}): are tenant, application and secret right?', {
          status: response.status,
        }),
      );
    const answer: unknown = JSON.parse(text);
    if (!Value.Check(TokenAnswer, answer)) throw failure(msg('Its answer holds no token.'));
    known = { token: answer.access_token, endsAt: Date.now() + Number(answer.expires_in) * 1000 };
    return answer.access_token;
  };
  return async (): Promise<string> => {
    if (known !== undefined && known.endsAt - RENEWED_BEFORE_MS > Date.now()) return known.token;
    try {
      return await fetchToken();
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw failure(isConnectorError(error) ? error.message : msg('Its answer cannot be read.'), error);
    }
  };
};

const isOfMarketplace = (payload: JWTPayload, tenantId: string): boolean =>
  payload['tid'] === tenantId && (payload['appid'] ?? payload['azp']) === MARKETPLACE_APPLICATION;

/** Keys that could not be fetched are no verdict. */
const isVerdict = (error: unknown): boolean =>
  error instanceof errors.JOSEError && error.code !== 'ERR_JWKS_TIMEOUT' && error.code !== 'ERR_JOSE_GENERIC';

/** Tokens of Entra ID, in both directions. */
export const createEntra = (account: EntraAccount, parts: EntraParts): Entra => {
  const { tenantId, clientId } = account;
  const { send, loginUrl } = parts;
  const keys = createRemoteJWKSet(new URL(`${loginUrl}/${tenantId}/discovery/v2.0/keys`), {
    [keyFetch]: (url, { headers, signal }) =>
      send(url, {
        method: 'GET',
        headers: Object.fromEntries(headers),
        body: undefined,
        redirect: 'manual',
        signal,
      }),
  });
  return {
    accessToken: createTokens(account, parts),
    verifyCaller: async (authorization) => {
      const token = /^Bearer ([A-Za-z0-9._-]+)$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) throw refusal();
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: [`${ISSUER_V1}/${tenantId}/`, `${loginUrl}/${tenantId}/v2.0`],
          audience: clientId,
          algorithms: ['RS256'],
          requiredClaims: ['exp'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        });
        if (!isOfMarketplace(payload, tenantId)) throw refusal();
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw isVerdict(error) ? refusal(error) : failure(msg('Its keys cannot be read.'), error);
      }
    },
  };
};
