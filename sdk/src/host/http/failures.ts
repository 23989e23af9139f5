import { ConnectorError, type ConnectorErrorCode, isConnectorError } from '../../errors.ts';
import type { Incoming } from '../egress/egress-gate.ts';
import { AnswerTooLarge, codeOfError } from './read-body.ts';

/** Why an answer is no answer to the request. */
interface Refusal {
  /** Name of the connector. */
  readonly title: string;
  readonly answer: Pick<Incoming, 'status' | 'headers'>;
  /** The service's own words, masked. */
  readonly said: string | null;
  readonly now: Date;
}

const HELP: Partial<Record<ConnectorErrorCode, string>> = {
  auth: 'Enter a new token, or connect again.',
  scope: 'Give the token the rights that the connector needs.',
  config: 'Check the fields of the form.',
  unsupported: 'Check which versions of the service the connector supports.',
};

/** Before the words of a service. */
export const IT_SAYS = 'It says:';

/** What a status means for the connection. Source: sdk, `CONNECTOR_ERROR_CODES`. */
export function refusalError({ title, answer, said, now }: Refusal): ConnectorError {
  const { status, headers } = answer;
  const code = codeOf(status, headers);
  const words = said === null ? '' : ` ${IT_SAYS} "${said}"`;
  const help = HELP[code];
  const waitMs = code === 'rate_limited' || code === 'upstream' ? retryAfterMs(headers, now) : undefined;
  return new ConnectorError(code, `${sentence(code, title, status)}${words}`, {
    ...(help === undefined ? {} : { help }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

function codeOf(status: number, headers: Incoming['headers']): ConnectorErrorCode {
  switch (status) {
    case 401:
      return 'auth';
    case 403:
      return isRateLimit(headers) ? 'rate_limited' : 'scope';
    case 404:
      return 'config';
    case 410:
    case 426:
    case 501:
      return 'unsupported';
    case 429:
      return 'rate_limited';
    default:
      return 'upstream';
  }
}

function sentence(code: ConnectorErrorCode, title: string, status: number): string {
  switch (code) {
    case 'auth':
      return `${title} refused the credentials (status 401).`;
    case 'scope':
      return `${title} does not let these credentials do this (status 403).`;
    case 'config':
      return `${title} does not know what was asked for (status ${status}).`;
    case 'rate_limited':
      return `${title} was asked too often (status ${status}).`;
    case 'unsupported':
      return `${title} does not offer this any more, or not yet (status ${status}).`;
    default:
      return status >= 500
        ? `${title} has an error (status ${status}).`
        : `${title} refused the request (status ${status}).`;
  }
}

/** What the network did, without the addresses that its own messages tell. */
interface NetworkFailure {
  readonly title: string;
  readonly host: string;
  /** The service had begun to answer. */
  readonly hasAnswered: boolean;
  readonly error: unknown;
}

/** @returns the error itself where it is a ConnectorError already */
export function networkError({ title, host, hasAnswered, error }: NetworkFailure): ConnectorError {
  if (isConnectorError(error)) return error;
  if (error instanceof AnswerTooLarge) {
    const megabytes = Math.floor(error.limitBytes / (1024 * 1024));
    return new ConnectorError('upstream', `${title} sent more than ${megabytes} MB in one answer.`);
  }
  const code = codeOfError(error);
  // Of the error only its code goes on: its message names addresses of the network that the host is in.
  const options = { cause: new Error(code), help: 'Is the address right, and can it be reached from here?' };
  if (/^Z_|^ERR__ERROR_FORMAT|^ERR_BROTLI|^HPE_|^UND_ERR_(HEADERS_OVERFLOW|RES_)/.test(code)) {
    return new ConnectorError('upstream', `${title} sent an answer that cannot be read.`, { cause: new Error(code) });
  }
  if (/TIMEOUT|ETIMEDOUT|TimeoutError/.test(code)) {
    return new ConnectorError('unreachable', `${title} did not answer in time.`, options);
  }
  if (hasAnswered)
    return new ConnectorError('upstream', `${title} broke off in the middle of its answer.`, {
      cause: new Error(code),
    });
  return new ConnectorError('unreachable', `${reason(code, host)}`, options);
}

function reason(code: string, host: string): string {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return `There is no host of the name "${host}".`;
  if (code === 'EAI_AGAIN') return `The name "${host}" could not be looked up just now.`;
  if (code === 'ECONNREFUSED') return `"${host}" refused the connection.`;
  if (/^EPROTO$|^ERR_SSL_/.test(code)) return `"${host}" does not answer by https.`;
  if (/CERT|SIGNATURE|SSL|TLS|ISSUER/.test(code)) return `"${host}" has no certificate that can be trusted.`;
  return `"${host}" could not be reached.`;
}

type Headers = Incoming['headers'];

const EPOCH_FROM = 1_000_000_000;

/** Milliseconds that the service asks to wait, from Retry-After (seconds or a date) or the reset time of its limit; else undefined. */
function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const header = headers['retry-after']?.trim();
  if (header !== undefined && header !== '') {
    const seconds = Number(header);
    if (Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds * 1000);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - now.getTime());
  }
  const reset = Number((headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'])?.trim() || Number.NaN);
  if (!Number.isFinite(reset) || reset < 0 || !isSpent(headers)) return undefined;
  // GitHub and GitLab give the time of day, others the seconds until then.
  return Math.max(0, reset >= EPOCH_FROM ? reset * 1000 - now.getTime() : reset * 1000);
}

/** Whether a refusal is about how often we asked and not about rights: GitHub says 403 for both. */
function isRateLimit(headers: Headers): boolean {
  return headers['retry-after'] !== undefined || isSpent(headers);
}

function isSpent(headers: Headers): boolean {
  return (headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'])?.trim() === '0';
}
