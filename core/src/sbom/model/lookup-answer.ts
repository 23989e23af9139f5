/** What came of asking for a package. */
export const LOOKUP_OUTCOMES = ['found', 'not_found', 'unreadable'] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

/** Whether the package of a component is looked up, and what came of it. */
export const LOOKUP_STATES = ['off', 'unsupported', 'excluded', 'waiting', ...LOOKUP_OUTCOMES] as const;
export type LookupState = (typeof LOOKUP_STATES)[number];

const HOUR = 3600;
const DAY = 24 * HOUR;

/** When a package may be asked for again, in seconds: versions come every day, a name that no registry has seldom appears. */
export const ASK_AGAIN_SECONDS: Readonly<Record<LookupOutcome, number>> = {
  found: DAY,
  not_found: 7 * DAY,
  unreadable: DAY,
};

/** How long nobody is asked after the service refused, in seconds. */
const LEAST_PAUSE = 60;
const MOST_PAUSE = DAY;
const FIRST_PAUSE = 5 * 60;
const LONGEST_OWN_PAUSE = 6 * HOUR;

/**
 * How long to leave the service alone after it answered 429, 5xx or not at all: what it asks for in Retry-After (seconds or a date, RFC 9110
 * 10.2.3), at most a day; else five minutes, doubled with every failure in a row up to six hours.
 */
export const pauseSeconds = (retryAfter: string | null, failures: number, now = new Date()): number => {
  const text = retryAfter?.trim() ?? '';
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  if (text !== '' && !Number.isNaN(wanted)) return Math.ceil(Math.min(MOST_PAUSE, Math.max(LEAST_PAUSE, wanted)));
  return Math.min(LONGEST_OWN_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 10));
};
