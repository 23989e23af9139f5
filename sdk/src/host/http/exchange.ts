import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError, isConnectorError } from '../../errors.ts';
import type { Secrets } from '../auth/secrets.ts';
import { renewToken, signatureOf, tokenGeneration } from '../auth/signing.ts';
import type { HostConnection } from '../connection.ts';
import type { EgressGate, Incoming } from '../egress/egress-gate.ts';
import { egressRules } from '../egress/egress-rules.ts';
import { isSentToSecret, secretAddress } from '../egress/secret-address.ts';
import { type HttpLimits, LIMITS } from '../limits.ts';
import { saidByService } from './answers.ts';
import { networkError, refusalError } from './failures.ts';
import type { PlannedRequest } from './plan-request.ts';
import { codeOfError, discard, wholeBody } from './read-body.ts';
import { sendAndFollow } from './redirects.ts';

/** What requests of one step are made of. */
export interface ExchangeParts {
  readonly gate: EgressGate;
  readonly connection: HostConnection;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  readonly limits: HttpLimits;
  now(): Date;
}

type Attempt<T> =
  | { readonly isDone: true; readonly value: T }
  | { readonly isDone: false; readonly error: ConnectorError; readonly status?: number; readonly isPassing: boolean };

type Read<T> = (answer: Incoming) => Promise<T>;

const BACKOFF_MS = 300;
const PASSING_STATUSES = new Set([429, 502, 503, 504]);
const PASSING_CODES = /^(ECONNRESET|ECONNREFUSED|EPIPE|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_SOCKET)$/;
/** What of a refusal is read for the service's own words, and for how long. */
const SAID_BYTES = 64 * 1024;
const SAID_MS = 2_000;

/**
 * Sends a request until it is answered: once more with a renewed token, at most twice more where it is safe and the error may
 * pass. @throws ConnectorError
 */
export async function exchange<T>(parts: ExchangeParts, planned: PlannedRequest, read: Read<T>): Promise<T> {
  const { connection, secrets } = parts;
  const isSecret = planned.isSigned && isSentToSecret(connection);
  const request = isSecret ? { ...planned, url: await secretAddress(connection, secrets) } : planned;
  let hasRenewed = false;
  for (let repeats = 0; ; ) {
    const generation = tokenGeneration(parts.connection);
    const attempt = await tryOnce(parts, request, read);
    if (attempt.isDone) return attempt.value;
    if (attempt.status === 401 && request.isSigned && !hasRenewed) {
      hasRenewed = true;
      if (await renewToken(parts.connection, generation)) continue;
    }
    const waitMs = waitBefore(repeats, attempt);
    if (!request.isRepeatable || waitMs === null) throw attempt.error;
    repeats += 1;
    // What stops the wait says why in the next attempt.
    await sleep(waitMs, undefined, { signal: parts.signal }).catch(() => undefined);
  }
}

/** Null where waiting inside a step is no use. */
function waitBefore(repeats: number, { error, isPassing }: Attempt<unknown> & { isDone: false }): number | null {
  if (!isPassing || repeats >= LIMITS.retries) return null;
  const { retryAfterMs, code } = error;
  if (retryAfterMs !== undefined) return retryAfterMs <= LIMITS.retryAfterMs ? retryAfterMs : null;
  return code === 'rate_limited' ? null : BACKOFF_MS * 2 ** repeats * (0.5 + Math.random());
}

async function tryOnce<T>(parts: ExchangeParts, request: PlannedRequest, read: Read<T>): Promise<Attempt<T>> {
  const { connection, signal, limits } = parts;
  const { title } = connection.connector;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException('', 'TimeoutError')), limits.requestMs);
  let hasAnswered = false;
  try {
    signal.throwIfAborted();
    const answer = await send(parts, request, AbortSignal.any([signal, deadline.signal]));
    hasAnswered = true;
    if (!request.accepts(answer.status)) return await refused(parts, answer);
    return { isDone: true, value: await read(answer) };
  } catch (error) {
    if (signal.aborted) throw stopped(title, signal);
    const isPassing = !isConnectorError(error) && PASSING_CODES.test(codeOfError(error));
    return {
      isDone: false,
      isPassing,
      error: networkError({ title, host: request.url.hostname, hasAnswered, error }),
    };
  } finally {
    clearTimeout(timer);
  }
}

async function send(parts: ExchangeParts, request: PlannedRequest, signal: AbortSignal): Promise<Incoming> {
  const { gate, connection, secrets, limits } = parts;
  const signature = request.isSigned ? await signatureOf(connection, secrets) : null;
  return sendAndFollow(gate, {
    url: request.url,
    method: request.method,
    headers: signature === null ? request.headers : { ...request.headers, [signature.name]: signature.value },
    body: request.body,
    rules: egressRules(connection),
    isRedirect: false,
    signal,
    headersMs: limits.headersMs,
    idleMs: limits.idleMs,
  });
}

async function refused(parts: ExchangeParts, answer: Incoming): Promise<Attempt<never>> {
  const { title } = parts.connection.connector;
  const said = await readSaid(parts, answer);
  const error = refusalError({ title, answer, said, now: parts.now() });
  return { isDone: false, error, status: answer.status, isPassing: PASSING_STATUSES.has(answer.status) };
}

/** The service's own words; none where it takes too long to say them. */
async function readSaid({ secrets }: ExchangeParts, answer: Incoming): Promise<string | null> {
  const timer = setTimeout(() => discard(answer.body), SAID_MS);
  try {
    const body = await wholeBody(answer, SAID_BYTES);
    await secrets.learnAll();
    return saidByService(body, secrets.mask);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** What a request of a step that was told to stop says. */
export function stopped(title: string, signal: AbortSignal): ConnectorError {
  const reason: unknown = signal.reason;
  const isLate = reason instanceof Error && (reason.name === 'TimeoutError' || isTimeout(reason.cause));
  return isLate
    ? new ConnectorError('unreachable', `${title} did not answer in time.`, {
        help: 'Is the service slow, or out of reach from here?',
      })
    : new ConnectorError('unreachable', `The request to ${title} was stopped before it was answered.`);
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}
