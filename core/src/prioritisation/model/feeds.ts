/** Asks one feed. */
export const FEED_JOB = 'reference.refresh';
/** Scores the findings of one client with the newest data. */
export const RESCORE_JOB = 'reference.rescore';
/** Scores all findings of one client with its newest settings. Also the kind of the job that a person sees. */
export const SETTINGS_JOB = 'prioritisation.rescore';

/** Public data that changes from day to day. */
export const FEED_SOURCES = ['epss', 'kev'] as const;
export type FeedSource = (typeof FEED_SOURCES)[number];

export const FEED_TITLES: Readonly<Record<FeedSource, string>> = { epss: 'EPSS', kev: 'CISA KEV' };

/** A file of public data cannot be used. The message says why, for people. */
export class FeedError extends Error {}
