import { ConnectorError, isConnectorError } from '../errors.ts';
import { IsolationError } from './isolation/isolation-error.ts';

/** What came of a piece of work. `crashed`: the code itself tripped; its own error is the `cause`, for the log only. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ConnectorError; readonly crashed: boolean };

export interface StepOptions {
  readonly timeoutMs: number;
  /** Ends the work early. */
  readonly signal?: AbortSignal;
}

/** Time for work to end by itself after it was told to. Source: architecture §6, "abort within 1 s". */
const GRACE_MS = 800;
const TELL_PUBLISHER = 'If it stays so, the connector needs a repair: tell its publisher.';

/**
 * Runs work of a connector until its deadline. Never rejects. Work that goes on after it was told to stop is left alone: its
 * result is nobody's any more.
 */
export async function runStep<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal }: StepOptions,
): Promise<Outcome<T>> {
  if (signal?.aborted) return failed(wasStopped());
  const abort = new AbortController();
  const abandoned = Promise.withResolvers<Outcome<T>>();
  let grace: NodeJS.Timeout | undefined;
  const stop = (error: ConnectorError): void => {
    if (abort.signal.aborted) return;
    abort.abort(error);
    grace = setTimeout(() => abandoned.resolve(failed(error)), GRACE_MS);
  };
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  const deadline = setTimeout(
    () =>
      stop(
        new ConnectorError('unreachable', `The service did not answer in time: it was not done within ${seconds} s.`, {
          help: 'Is the service slow, or out of reach from here?',
          cause: new DOMException('', 'TimeoutError'),
        }),
      ),
    timeoutMs,
  );
  const handleAbort = (): void => stop(wasStopped());
  signal?.addEventListener('abort', handleAbort, { once: true });
  const done = (async () => work(abort.signal))().then(
    (value): Outcome<T> => ({ ok: true, value }),
    (error: unknown) => failure<T>(error, abort.signal),
  );
  try {
    return await Promise.race([done, abandoned.promise]);
  } finally {
    clearTimeout(deadline);
    clearTimeout(grace);
    signal?.removeEventListener('abort', handleAbort);
  }
}

function failure<T>(error: unknown, signal: AbortSignal): Outcome<T> {
  if (isConnectorError(error)) return failed(error);
  if (signal.aborted && isConnectorError(signal.reason)) return failed(signal.reason);
  if (error instanceof IsolationError) {
    const named = new ConnectorError('upstream', error.message, { help: TELL_PUBLISHER, cause: error });
    return { ok: false, crashed: true, error: named };
  }
  const cause = error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
  return {
    ok: false,
    crashed: true,
    error: new ConnectorError('upstream', 'The connector could not deal with what the service answered.', {
      help: TELL_PUBLISHER,
      cause,
    }),
  };
}

function wasStopped(): ConnectorError {
  return new ConnectorError('unreachable', 'It was stopped before it was done.');
}

function failed<T>(error: ConnectorError): Outcome<T> {
  return { ok: false, error, crashed: false };
}
