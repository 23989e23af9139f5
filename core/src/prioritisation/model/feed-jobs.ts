/** Asks one feed. */
export const FEED_JOB = 'reference.refresh';
/** Scores the findings of one client with the newest data. */
export const RESCORE_JOB = 'reference.rescore';
/** Scores all findings of one client with its newest settings. Also the kind of the job that a person sees. */
export const SETTINGS_JOB = 'prioritisation.rescore';
