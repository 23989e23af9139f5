/** Limits of every connector. Source: design of the sdk, "Limits by default"; safety 16, 22. */
export const LIMITS = {
  /** `check`, whole. Wide enough for a busy machine. */
  checkMs: 30_000,
  /** An own route of a connector, whole. */
  routeMs: 15_000,
  /** From one cursor of a sync to the next. */
  syncStepMs: 60_000,
  /** One answer held in memory, unpacked. */
  answerBytes: 10 * 1024 * 1024,
  /** One answer read as a stream, unpacked. */
  streamBytes: 512 * 1024 * 1024,
  /** Name resolved, connected and TLS agreed. */
  connectMs: 10_000,
  /** From the request to the first line of the answer. */
  headersMs: 60_000,
  /** Between two pieces of an answer. */
  idleMs: 60_000,
  /** One whole request whose answer is held in memory. */
  requestMs: 60_000,
  redirects: 5,
  /** Repeats of a request that is safe to repeat. */
  retries: 2,
  /** A longer Retry-After is not waited for inside a step. */
  retryAfterMs: 5_000,
  /** Levels of a JSON answer. */
  jsonDepth: 200,
  /** Pages of one list. */
  pages: 10_000,
  /** `ctx.store` of one connection, all keys and values. */
  storeBytes: 1024 * 1024,
  /** So many crashes within the window put a connector in quarantine. */
  crashes: 3,
  crashWindowMs: 10 * 60_000,
} as const;

/** The limits that a host may set for one `Ctx`. */
export type HttpLimits = {
  readonly [K in 'answerBytes' | 'streamBytes' | 'headersMs' | 'idleMs' | 'requestMs']: number;
};
