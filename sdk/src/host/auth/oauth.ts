import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { OAuth2 } from '../../connector.ts';
import type { Json } from '../../context.ts';
import { ConnectorError } from '../../errors.ts';
import type { EgressGate, Incoming } from '../egress/egress-gate.ts';
import { egressRules } from '../egress/egress-rules.ts';
import { addressOf, type ServiceAddress } from '../egress/roots.ts';
import { parseJson, saidByService } from '../http/answers.ts';
import { networkError, refusalError } from '../http/failures.ts';
import { wholeBody } from '../http/read-body.ts';
import { sendAndFollow } from '../http/redirects.ts';
import { LIMITS } from '../limits.ts';
import { createSecretMask } from './secret-mask.ts';

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
  const { revokeUrl, revokeAuth } = oauthOf(revocation);
  if (revokeUrl === undefined) return;
  const { token } = revocation;
  const as = revokeAuth === undefined ? {} : { clientAuth: revokeAuth };
  await postForm(gate, { client: revocation, address: revokeUrl, fields: { token }, secret: token, ...as });
}

/** Connector, form, and the client that the service knows us by, where it wants one. */
interface OAuthClient extends ServiceAddress {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** One request to an OAuth address of the manifest. */
interface OAuthRequest {
  readonly client: OAuthClient;
  readonly address: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The field that is one. */
  readonly secret: string;
  /** Where the client's own secret goes, if not where token requests have it. */
  readonly clientAuth?: 'basic' | 'body';
}

const ANSWER_BYTES = 256 * 1024;
const ErrorAnswer = Type.Object({ error: Type.String() });
/** What is wrong with the client that the operator entered, not with the person's consent. Source: RFC 6749 §5.2. */
const CLIENT_ISSUES = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']);
/** What a service that names no reason means by them is the token. */
const REFUSALS = new Set([400, 401, 403]);
const RECONNECT = 'Connect again, or enter a new token.';

/** The connector's `auth`. @throws TypeError, where it is not OAuth 2.0 */
function oauthOf({ connector }: ServiceAddress): OAuth2 {
  if (connector.auth.type === 'oauth2') return connector.auth;
  throw new TypeError(`connector "${connector.id}" has no OAuth 2.0`);
}

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
  const place = clientAuth ?? oauthOf(client).tokenAuth;
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

function judged({ client, secret }: OAuthRequest, answer: Incoming, body: Uint8Array): Json {
  const { title } = client.connector;
  const content = contentIn(body);
  const isGood = answer.status >= 200 && answer.status < 300;
  // GitHub says 200 where the standard says 400.
  const issue = Check(ErrorAnswer, content) ? content.error : null;
  if (isGood && issue === null) return content;
  const mask = createSecretMask();
  for (const known of [secret, client.clientSecret]) if (known !== undefined) mask.add(known);
  const said = saidByService(body, mask);
  const words = said === null ? '' : ` It says: "${said}"`;
  if (issue !== null && CLIENT_ISSUES.has(issue)) {
    throw new ConnectorError('config', `${title} does not know Breakwater by the client that is set up.${words}`, {
      help: 'The id and secret of the OAuth application must be those that the service gave out.',
    });
  }
  const isBusy = issue === 'temporarily_unavailable' || issue === 'server_error';
  if (isBusy || (issue === null && !REFUSALS.has(answer.status))) {
    const status = answer.status < 400 ? 503 : answer.status;
    throw refusalError({ title, answer: { ...answer, status }, said, now: new Date() });
  }
  throw new ConnectorError('auth', `${title} no longer accepts this connection.${words}`, { help: RECONNECT });
}

function contentIn(body: Uint8Array): Json {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}
