/** Everything that a service can do wrong in the fault matrix. Source: architecture.md §6. */
export const SERVICE_FAULTS = [
  'status 401',
  'status 403',
  'status 429',
  'status 500',
  'no answer',
  'slow body',
  'reset connection',
  'truncated body',
  'cut connection',
  'page instead of data',
  'another document',
  'a bare text',
  'a bare number',
  'an empty document',
  'more than 10 MB',
  'redirect to a private address',
  'redirect to the metadata service',
  'secrets echoed with 401',
  'secrets echoed with 500',
] as const;

/** Answers that mean what the connector makes of them, tried on the paths of the statechart only. */
export const OPEN_FAULTS = ['status 404', 'status 501'] as const;

export type ServiceFault = (typeof SERVICE_FAULTS)[number] | (typeof OPEN_FAULTS)[number];

export const RETRY_AFTER_SECONDS = 120;
