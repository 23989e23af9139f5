import type { FieldIssue } from '../../model/app-error.ts';
import { msg } from '../../model/message.ts';
import { said } from '../language/translate.ts';

export interface ApiErrorDetails {
  status: number;
  code: string;
  messages: string[];
  issues: FieldIssue[];
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
}

/** A call that did not succeed. Status 0: the server could not be reached. Recognise by `code`, never by message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Every message of the server's `detail`; at least one. */
  readonly messages: string[];
  /** Issues with their place, for showing beside form fields. */
  readonly issues: FieldIssue[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    // the server speaks English; its texts have their translation
    const messages = details.messages.map(said);
    super(messages.join(' '), options);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.messages = messages;
    this.issues = details.issues.map((issue) => ({ ...issue, msg: said(issue.msg) }));
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** True for a call that was given up on purpose; nobody needs to be told. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

/** What is said where an error brings no text. Source: specification §8. */
export const UNEXPECTED = msg('An unexpected error occurred.');

/** The messages of any error, fit for a person. */
export const messagesOf = (error: unknown): string[] =>
  error instanceof ApiError ? error.messages : [said(UNEXPECTED)];

/** First error of each field, by the last word of its place: `["body", "email"]` becomes `email`. */
export const issuesByField = (error: unknown): Record<string, string> => {
  const issues: Record<string, string> = {};
  if (!(error instanceof ApiError)) return issues;
  for (const issue of error.issues) {
    const field = issue.loc.at(-1);
    if (typeof field === 'string' && issues[field] === undefined) issues[field] = issue.msg;
  }
  return issues;
};
