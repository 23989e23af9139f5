import type { HttpRequest } from '../context.ts';
import type { ConnectorErrorCode } from '../errors.ts';

/** A JSONata expression (https://docs.jsonata.org) without regular expressions and `$eval`; at most 4,000 characters. */
export type Expression = string;

/**
 * A request as data. In `path`, `query`, `headers`, `body` and `form`, `{{field}}` is a public field of the form and `{{target.id}}` or
 * `{{target.name}}` what the findings belong to: plain look-ups, in paths URL-encoded. Secrets stand in `auth` and nowhere else.
 */
export type RequestTemplate = Pick<
  HttpRequest,
  'method' | 'path' | 'service' | 'query' | 'headers' | 'body' | 'form' | 'accept'
>;

/** What an answer says more than its status, and what that means. */
export interface Refusal {
  /** Gives `true` where it is so: `plan = 'free'`, `$exists(errors)`. */
  readonly when: Expression;
  readonly code: ConnectorErrorCode;
  /** One sentence for people. */
  readonly message: string;
  readonly help?: string;
}

/**
 * Names that lead to the list, joined by dots: `data.alerts.nodes`. A list on the way is gone through: `files.issues` are the issues of all
 * files, and expressions see the file of each as `$parent`; `$.issues` where the answer is the list of files. It is no expression: where the list is missing, an answer is not what the document
 * expects, and JSONata knows no difference between that and an empty list.
 */
export type RecordsPath = string;
