import type { ConnectionEvent } from '../connection-machine.ts';
import { FAILURE_STATES } from '../connection-machine.ts';
import type { ConnectorError } from '../errors.ts';

type FailEvent = Extract<ConnectionEvent, { type: 'FAIL' }>;

export interface FailOptions {
  /** Failures in a row before this one: `attempts` of the stored connection. */
  readonly attempts: number;
  readonly now: Date;
  /** 0 to 1, for tests. */
  readonly random?: () => number;
}

const FIRST_BACKOFF_MS = 30_000;
const LONGEST_BACKOFF_MS = 3_600_000;
const PAUSE_MS = 60_000;
/** A service that says "at once" and refuses again is not asked without a breath. */
const SHORTEST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 24 * 3_600_000;
const MOST_ATTEMPTS = 12;

/**
 * The event that a failure is for the statechart, with the time to come back where there is one: the service's own
 * Retry-After (5 s to 24 h), else 30 s doubled with each attempt (at most 1 h), of which chance takes up to half.
 */
export function failEvent(error: ConnectorError, options: FailOptions): FailEvent {
  const { code, message, help } = error;
  const waitMs = waitOf(error, options);
  return {
    type: 'FAIL',
    code,
    message,
    ...(help === undefined ? {} : { help }),
    ...(waitMs === null ? {} : { retryAt: new Date(options.now.getTime() + waitMs).toISOString() }),
  };
}

function waitOf(
  { code, retryAfterMs }: ConnectorError,
  { attempts, random = Math.random }: FailOptions,
): number | null {
  const asked = Math.min(Math.max(retryAfterMs ?? 0, 0), LONGEST_PAUSE_MS);
  const state = FAILURE_STATES[code];
  if (state === 'paused') return retryAfterMs === undefined ? PAUSE_MS : Math.max(asked, SHORTEST_PAUSE_MS);
  if (state !== 'retrying') return null;
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** attempts, LONGEST_BACKOFF_MS);
  return Math.max(asked, Math.round(backoff * (0.5 + random() / 2)));
}

/** Whether to stop trying after so many failures in a row: 12, which take three to six hours. */
export function shouldGiveUp(attempts: number): boolean {
  return attempts >= MOST_ATTEMPTS;
}
