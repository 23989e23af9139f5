import type { FieldIssue } from '../../model/app-error.ts';

export interface ApiErrorDetails {
  status: number;
  code: string;
  messages: string[];
  faults: FieldIssue[];
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
}

/** A call that did not succeed. Status 0: the server could not be reached. Recognise by `code`, never by message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Every message of the server's `detail`; at least one. */
  readonly messages: string[];
  /** Faults with their place, for showing beside form fields. */
  readonly faults: FieldIssue[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    super(details.messages.join(' '), options);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.messages = details.messages;
    this.faults = details.faults;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** True for a call that was given up on purpose; nobody needs to be told. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

/** The messages of any error, fit for a person. Specification §8: "An unexpected error occurred." where there is no text. */
export const messagesOf = (error: unknown): string[] =>
  error instanceof ApiError ? error.messages : ['An unexpected error occurred.'];

/** First fault of each field, by the last word of its place: `["body", "email"]` becomes `email`. */
export const faultsByField = (error: unknown): Record<string, string> => {
  const faults: Record<string, string> = {};
  if (!(error instanceof ApiError)) return faults;
  for (const fault of error.faults) {
    const field = fault.loc.at(-1);
    if (typeof field === 'string' && faults[field] === undefined) faults[field] = fault.msg;
  }
  return faults;
};
