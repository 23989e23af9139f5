/**
 * Why a connector could not do its work. The code alone decides the next state of the connection:
 *
 * | code | meaning | next state |
 * | --- | --- | --- |
 * | `auth` | the service refused the credentials (401, revoked or expired token) | needsAuth |
 * | `scope` | the credentials are valid but may not do this (403) | needsAuth |
 * | `config` | a field of the form is wrong: no such project or region, an address that may not be called | draft |
 * | `unreachable` | no answer: DNS, connection refused, timeout | retrying |
 * | `rate_limited` | asked too often (429); `retryAfterMs` says when to come back | paused |
 * | `upstream` | the service answered, but wrongly: 5xx or an unreadable body | retrying |
 * | `unsupported` | this version, edition or feature of the service cannot work | failed |
 *
 * Source: architecture.md §5.
 */
export const CONNECTOR_ERROR_CODES = [
  'auth',
  'scope',
  'config',
  'unreachable',
  'rate_limited',
  'upstream',
  'unsupported',
] as const;

export type ConnectorErrorCode = (typeof CONNECTOR_ERROR_CODES)[number];

/** What goes with a `ConnectorError` besides its code and message. */
export interface ConnectorErrorOptions {
  /** Milliseconds until asking again makes sense, from the service's own answer (Retry-After). */
  retryAfterMs?: number;
  /** What the person can do about it, one sentence. */
  help?: string;
  cause?: unknown;
}

/** The only error a connector throws on purpose. `message` is shown to people: no secrets, no stack, no HTML. */
export class ConnectorError extends Error {
  readonly code: ConnectorErrorCode;
  readonly retryAfterMs: number | undefined;
  readonly help: string | undefined;

  constructor(code: ConnectorErrorCode, message: string, options: ConnectorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectorError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.help = options.help;
  }
}

/**
 * True for a `ConnectorError`, also one thrown by another copy of this package: recognised by its code, not its class.
 */
export function isConnectorError(error: unknown): error is ConnectorError {
  return (
    error instanceof Error && 'code' in error && error.name === 'ConnectorError' && isConnectorErrorCode(error.code)
  );
}

function isConnectorErrorCode(code: unknown): code is ConnectorErrorCode {
  return CONNECTOR_ERROR_CODES.some((known) => known === code);
}
