/** Asks one feed. */
export const FEED_JOB = 'reference.refresh';
/** Scores the findings of one client with the newest data. */
export const RESCORE_JOB = 'reference.rescore';
