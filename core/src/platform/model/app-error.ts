import { msg } from './message.ts';
import type { Sentence } from './sentence.ts';
import { ENGLISH } from './translator.ts';

/**
 * Every error code a person or client can meet, with its HTTP status. `docs/errors.md` is generated from here.
 * Source: decisions.md "Envelopes", specification §8.
 */
export const ERROR_CODES = {
  validation_failed: { status: 422, meaning: msg('A parameter or body field is wrong; `detail` lists each error.') },
  token_exchange_failed: {
    status: 400,
    meaning: msg(
      'A sign-in at a service gave no token: `error`, `error_description` and `error_uri` say why, in place of `detail`.',
    ),
  },
  bad_request: { status: 400, meaning: msg('The request breaks the rules of HTTP; `detail` says how.') },
  not_authenticated: { status: 401, meaning: msg('No session, or it has ended. Sign in.') },
  bad_credentials: { status: 401, meaning: msg('The e-mail, username or password is wrong.') },
  second_factor_wrong: { status: 401, meaning: msg('The code of the second factor is wrong or was used already.') },
  sign_in_ticket_invalid: {
    status: 401,
    meaning: msg('The sign-in took longer than five minutes, or was finished already. Begin again.'),
  },
  two_factor_required: {
    status: 403,
    meaning: msg('Your organisation requires two-factor. Set it up at /settings/setup-2fa first.'),
  },
  single_sign_on_required: {
    status: 403,
    meaning: msg(
      'Your organisation signs in by single sign-on, and passwords do not count. Use "Sign in with single sign-on".',
    ),
  },
  single_sign_on_refused: {
    status: 403,
    meaning: msg('The sign-in at the identity provider was not accepted; `detail` says why.'),
  },
  plan_limit: {
    status: 403,
    meaning: msg('The plan allows no more of this; `detail` says what it allows. An admin can choose a larger plan.'),
  },
  forbidden: { status: 403, meaning: msg('The role or plan does not allow this.') },
  cross_site_request: { status: 403, meaning: msg('A state-changing request with a cookie came from another site.') },
  host_not_allowed: {
    status: 403,
    meaning: msg('A state-changing request named a host that is not configured; see BREAKWATER_ALLOWED_HOSTS.'),
  },
  not_found: { status: 404, meaning: msg('There is nothing at this address, or it belongs to another organisation.') },
  link_invalid: { status: 404, meaning: msg('The link is wrong, was used already, or has ended. Ask for a new one.') },
  client_not_found: { status: 404, meaning: msg('No organisation has that id.') },
  framework_not_found: { status: 404, meaning: msg('There is no framework of that id.') },
  finding_not_found: { status: 404, meaning: msg('Finding data not found') },
  column_mapping_not_found: { status: 404, meaning: msg('The organisation keeps no such mapping of columns.') },
  format_file_not_found: { status: 404, meaning: msg('The format has no schema or template of that name.') },
  remediation_not_found: { status: 404, meaning: msg('The remediation does not exist, or its finding is not yours.') },
  saved_filter_not_found: { status: 404, meaning: msg('No saved filter of yours has that id or name.') },
  repository_not_found: { status: 404, meaning: msg('The repository does not exist in this organisation.') },
  scan_not_found: { status: 404, meaning: msg('The scan does not exist in this organisation.') },
  connector_not_found: { status: 404, meaning: msg('No connector has that address.') },
  published_connector_not_found: {
    status: 404,
    meaning: msg('No published connector has that id, or its publisher shows it to nobody else.'),
  },
  plugin_not_found: {
    status: 404,
    meaning: msg('No plugin of that id is installed, or the organisation has not enabled it.'),
  },
  token_not_found: { status: 404, meaning: msg('The token does not exist in this organisation.') },
  user_not_found: { status: 404, meaning: msg('Nobody with that id belongs to this organisation.') },
  invitation_not_found: { status: 404, meaning: msg('The invitation has expired, was withdrawn or has been used.') },
  pricing_not_found: { status: 404, meaning: msg('No plan has that id, or that price.') },
  partner_not_found: { status: 404, meaning: msg('No partner has that id.') },
  invoice_not_found: { status: 404, meaning: msg('The organisation has no invoice with that id.') },
  notification_not_found: { status: 404, meaning: msg('You have no notification with that id.') },
  component_not_found: { status: 404, meaning: msg('The component does not exist in this organisation.') },
  method_not_allowed: { status: 405, meaning: msg('This address does not answer to that method.') },
  conflict: { status: 409, meaning: msg('The request contradicts the present state.') },
  setup_already_done: { status: 409, meaning: msg('The first organisation already exists. Sign in instead.') },
  integration_not_configured: { status: 409, meaning: msg('The connector that this needs is not configured.') },
  connection_expired: {
    status: 409,
    meaning: msg(
      'The token of a connection has expired and cannot be renewed; its configuration was cleared. Connect again.',
    ),
  },
  upstream_failed: {
    status: 409,
    meaning: msg('A connected service answered with an error; its reason is in `detail`.'),
  },
  payload_too_large: { status: 413, meaning: msg('The body or report is larger than allowed.') },
  report_malformed: { status: 422, meaning: msg('The report cannot be read as its format.') },
  report_wrong_tool: { status: 422, meaning: msg('The report was written by another tool than the one named.') },
  report_unrecognised: { status: 422, meaning: msg('The tool could not be recognised from the content. Name it.') },
  report_unmapped: { status: 422, meaning: msg('The report is a table of no known tool. Say what its columns are.') },
  report_too_complex: { status: 422, meaning: msg('The report is nested or packed beyond the limits.') },
  import_stuck: { status: 422, meaning: msg('The import made no progress, or was not done in time, and was ended.') },
  report_empty: { status: 422, meaning: msg('The file holds 0 bytes, which this tool never writes.') },
  unknown_tool: { status: 422, meaning: msg('No importer has that name.') },
  tool_excluded: { status: 409, meaning: msg('The organisation excludes this tool. Nothing was imported.') },
  too_many_requests: { status: 429, meaning: msg('Too many requests; wait for the time in Retry-After.') },
  disk_full: {
    status: 507,
    meaning: msg('The disk of the database is full. Nothing was changed; free space and try again.'),
  },
  unavailable: { status: 503, meaning: msg('The server is starting or stopping, or its database is away. Try again.') },
  internal: { status: 500, meaning: msg('An unexpected error occurred.') },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One error of a request, as on the wire. `loc` names the place: `["body", "email"]`. */
export interface FieldIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** Why a service gave no token, in its own words. Source: specification §8 "Token exchange failure". */
export interface ExchangeFailure {
  error: string;
  /** Where the service explains it; empty for nowhere. */
  errorUri: string;
}

export interface AppErrorOptions {
  issues?: FieldIssue[];
  /** Of `token_exchange_failed` alone: its answer has these fields in place of `detail`. */
  exchange?: ExchangeFailure;
  isRetryable?: boolean;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error that handlers throw on purpose. Recognised by `code`; only `userMessage` reaches a user. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly userMessage: string;
  readonly issues: FieldIssue[] | undefined;
  readonly exchange: ExchangeFailure | undefined;
  readonly isRetryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  /** @param said an entry of the tables: a text marked by `msg()`, or one with values by `say()`, which is written in English here */
  constructor(code: ErrorCode, said?: string | Sentence, options: AppErrorOptions = {}) {
    const userMessage = typeof said === 'object' ? ENGLISH.say(said) : said;
    super(userMessage ?? ERROR_CODES[code].meaning, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.userMessage = this.message;
    this.issues = options.issues;
    this.exchange = options.exchange;
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
