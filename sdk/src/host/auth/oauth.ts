import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { Json } from '../../context.ts';
import { ConnectorError } from '../../errors.ts';
import type { EgressGate, Incoming } from '../egress/egress-gate.ts';
import { egressRules } from '../egress/egress-rules.ts';
import { addressOf } from '../egress/roots.ts';
import { parseJson, saidByService } from '../http/answers.ts';
import { IT_SAYS, networkError, refusalError } from '../http/failures.ts';
import { wholeBody } from '../http/read-body.ts';
import { sendAndFollow } from '../http/redirects.ts';
import { LIMITS } from '../limits.ts';
import { type OAuthClient, oauthOf } from './consent.ts';
import { createSecretMask, type SecretMask } from './secret-mask.ts';

export interface OAuthRefresh extends OAuthClient {
  readonly refreshToken: string;
}

export interface OAuthRevocation extends OAuthClient {
  readonly token: string;
}

export interface OAuthExchange extends OAuthClient {
  readonly code: string;
  /** The very one with which the person was sent to the service. */
  readonly redirectUri: string;
  /** Proof key (RFC 7636), where the person was sent with its challenge. */
  readonly verifier?: string;
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
  const auth = oauthOf(refresh.connector);
  if (auth.refresh === 'none') throw new ConnectorError('auth', 'The access token has expired.', { help: RECONNECT });
  const answer = await postForm(gate, {
    client: refresh,
    address: auth.tokenUrl,
    fields: { grant_type: 'refresh_token', refresh_token: refresh.refreshToken },
    secrets: [refresh.refreshToken],
  });
  if (!Check(TokenAnswer, answer)) {
    throw new ConnectorError('upstream', `${refresh.connector.title} answered the renewal of the token without one.`);
  }
  const { refreshToken, ...tokens } = tokensIn(answer);
  return auth.refresh === 'reuse' || refreshToken === undefined ? tokens : { ...tokens, refreshToken };
}

/**
 * Trades the code that a person brought back from the service for tokens (RFC 6749 §4.1.3). Never repeated by itself: a code is
 * good for one request. @throws ConnectorError `auth` where the service does not take the code, `config` where it does not know the client
 */
export async function exchangeOAuth(gate: EgressGate, exchange: OAuthExchange): Promise<OAuthTokens> {
  const { connector, code, redirectUri, verifier } = exchange;
  const answer = await postForm(gate, {
    client: exchange,
    address: oauthOf(connector).tokenUrl,
    fields: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
    },
    secrets: [code, verifier ?? ''],
    refused: `${connector.title} did not accept the sign-in.`,
  });
  if (!Check(TokenAnswer, answer)) {
    throw new ConnectorError('upstream', `${connector.title} answered the sign-in without a token.`);
  }
  return tokensIn(answer);
}

function tokensIn(answer: Static<typeof TokenAnswer>): OAuthTokens {
  const seconds = Number(answer.expires_in ?? Number.NaN);
  const refreshToken = answer.refresh_token ?? '';
  return {
    accessToken: answer.access_token,
    ...(refreshToken === '' ? {} : { refreshToken }),
    ...(Number.isFinite(seconds) && seconds > 0 ? { expiresAt: new Date(Date.now() + seconds * 1000) } : {}),
  };
}

/** Tells the service that a token is no longer used (RFC 7009). Nothing is sent where it has no address for it. @throws ConnectorError */
export async function revokeOAuth(gate: EgressGate, revocation: OAuthRevocation): Promise<void> {
  const { revokeUrl, revokeAuth } = oauthOf(revocation.connector);
  if (revokeUrl === undefined) return;
  const { token } = revocation;
  const as = revokeAuth === undefined ? {} : { clientAuth: revokeAuth };
  await postForm(gate, { client: revocation, address: revokeUrl, fields: { token }, secrets: [token], ...as });
}

/** What a service says of a request for tokens that it refused, masked and cut short. Source: RFC 6749 §5.2. */
export class OAuthRefusal extends Error {
  /** Its own word, such as `invalid_grant`. */
  readonly error: string;
  readonly description: string | null;
  /** Where it explains more: http or https, else null. */
  readonly uri: string | null;

  constructor(answer: { error: string; error_description?: unknown; error_uri?: unknown }, mask: SecretMask) {
    super('the service refused a request for tokens');
    this.name = 'OAuthRefusal';
    this.error = shortened(mask, answer.error) ?? 'invalid_request';
    this.description = shortened(mask, answer.error_description);
    const uri = shortened(mask, answer.error_uri);
    this.uri = uri !== null && /^https?:\/\/[^\s]+$/.test(uri) ? uri : null;
  }
}

const LONGEST = 300;

function shortened(mask: SecretMask, text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const line = mask
    .text(text.toWellFormed())
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.slice(0, LONGEST);
}

/** One request to an OAuth address of the manifest. */
interface OAuthRequest {
  readonly client: OAuthClient;
  readonly address: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The fields that are some. */
  readonly secrets: readonly string[];
  /** What it means when the service refuses, behind its name. */
  readonly refused?: string;
  /** Where the client's own secret goes, if not where token requests have it. */
  readonly clientAuth?: 'basic' | 'body';
}

const ANSWER_BYTES = 256 * 1024;
const ErrorAnswer = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.Unknown()),
  error_uri: Type.Optional(Type.Unknown()),
});
/** What is wrong with the client that the operator entered, not with the person's consent. Source: RFC 6749 §5.2. */
const CLIENT_ISSUES = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']);
/** What a service that names no reason means by them is the token. */
const REFUSALS = new Set([400, 401, 403]);
const RECONNECT = 'Connect again, or enter a new token.';

/** Sends a form and reads what JSON comes back; null for none. @throws ConnectorError */
async function postForm(gate: EgressGate, request: OAuthRequest): Promise<Json> {
  const { client, address } = request;
  const { title } = client.connector;
  const url = addressOf(client, address);
  const signal = AbortSignal.timeout(LIMITS.checkMs);
  let hasAnswered = false;
  let answer: Incoming;
  let body: Uint8Array;
  try {
    answer = await sendAndFollow(gate, {
      url,
      method: 'POST',
      ...contentOf(request),
      rules: egressRules(client),
      isRedirect: false,
      signal,
      headersMs: LIMITS.checkMs,
      idleMs: LIMITS.checkMs,
    });
    hasAnswered = true;
    body = await wholeBody(answer, ANSWER_BYTES);
  } catch (error) {
    throw networkError({ title, host: url.hostname, hasAnswered, error });
  }
  return judged(request, answer, body);
}

function contentOf({ client, fields, clientAuth }: OAuthRequest): { headers: Record<string, string>; body: string } {
  const { clientId, clientSecret } = client;
  const place = clientAuth ?? oauthOf(client.connector).tokenAuth;
  const isBasic = place === 'basic' && clientId !== undefined && clientSecret !== undefined;
  const form = new URLSearchParams({ ...fields });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': 'Breakwater',
    'content-type': 'application/x-www-form-urlencoded',
  };
  if (isBasic) {
    const pair = [clientId, clientSecret]
      .map((part) => new URLSearchParams([['', part]]).toString().slice(1))
      .join(':');
    return {
      headers: { ...headers, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
      body: String(form),
    };
  }
  if (clientId !== undefined) form.set('client_id', clientId);
  if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  return { headers, body: String(form) };
}

function judged({ client, secrets, refused }: OAuthRequest, answer: Incoming, body: Uint8Array): Json {
  const { title } = client.connector;
  const content = contentIn(body);
  const isGood = answer.status >= 200 && answer.status < 300;
  // GitHub says 200 where the standard says 400.
  const issue = Check(ErrorAnswer, content) ? content.error : null;
  if (isGood && issue === null) return content;
  const mask = createSecretMask();
  for (const known of [...secrets, client.clientSecret ?? '']) if (known !== '') mask.add(known);
  const said = saidByService(body, mask);
  const words = said === null ? '' : ` ${IT_SAYS} "${said}"`;
  const why = Check(ErrorAnswer, content) ? { cause: new OAuthRefusal(content, mask) } : {};
  const isOfToken = issue !== null && (oauthOf(client.connector).tokenErrors ?? []).includes(issue);
  if (issue !== null && !isOfToken && CLIENT_ISSUES.has(issue)) {
    throw new ConnectorError('config', `${title} does not know Breakwater by the client that is set up.${words}`, {
      help: 'The id and secret of the OAuth application must be those that the service gave out.',
      ...why,
    });
  }
  const isBusy = !isOfToken && (issue === 'temporarily_unavailable' || issue === 'server_error');
  if (isBusy || (issue === null && !REFUSALS.has(answer.status))) {
    const status = answer.status < 400 ? 503 : answer.status;
    throw refusalError({ title, answer: { ...answer, status }, said, now: new Date() });
  }
  throw new ConnectorError('auth', `${refused ?? `${title} no longer accepts this connection.`}${words}`, {
    help: RECONNECT,
    ...why,
  });
}

function contentIn(body: Uint8Array): Json {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}
