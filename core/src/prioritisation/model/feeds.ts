/** Public data that changes from day to day. */
export const FEED_SOURCES = ['epss', 'kev'] as const;
export type FeedSource = (typeof FEED_SOURCES)[number];

export const FEED_TITLES: Readonly<Record<FeedSource, string>> = { epss: 'EPSS', kev: 'CISA KEV' };

/** A file of public data cannot be used. The message says why, for people. */
export class FeedError extends Error {}
