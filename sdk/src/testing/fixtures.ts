import type { Json } from '../context.ts';
import type { ConnectorErrorCode } from '../errors.ts';

/**
 * A request that the service was recorded to get, exactly: what is sent and not recorded is as wrong as what is recorded and not sent.
 * In values, `{{field}}` is a field of the form (secrets, too) and `{{any}}` stands for any text. At most one of `body`, `form` and `text`.
 * The exchanges of `wrong` answer to whatever holds what they name.
 */
export interface RecordedRequest {
  /** Default GET. */
  readonly method?: string;
  /** As the connector writes it, below `baseUrl` or below the root that `service` names: `/user`; empty: the root itself. */
  readonly path: string;
  /** Name of one of the connector's `services`; left out: `baseUrl`. */
  readonly service?: string;
  /** The whole query; a list where a name comes more than once. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Headers that the connector sets itself; those of `signature`, of the host and of the kind of body are added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly text?: string;
  /** A text that the body must hold, to tell requests to one path apart: `Action=GetCallerIdentity`. */
  readonly bodyHas?: string;
}

/**
 * What the service was recorded to answer, secrets removed. At most one of `body`, `text` and `file`.
 * `{{base}}` in headers and texts is the address of the fake service for that root, `{{field}}` a field of `credentials`.
 */
export interface RecordedAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as it is. */
  readonly text?: string;
  /** Path of a file below the plugin's folder, sent as it is. */
  readonly file?: string;
}

/** The same request recorded twice gives the first answer first, the last one again and again. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/** A situation in which the connector must fail, and with which code. */
export interface WrongCase {
  /** `no such project`. */
  readonly name: string;
  /** Which operation runs: `check` (default), `findings.sync`, `cloud.inventory`, `GET /projects` … */
  readonly during?: string;
  /** Values of the form in place of the usual ones; null leaves one out. */
  readonly credentials?: Readonly<Record<string, Json>>;
  /** Put before the recorded exchanges: what differs. */
  readonly exchanges: readonly Exchange[];
  readonly code: ConnectorErrorCode;
  /** How long the connection waits, of a case of `rate_limited`; null where the service does not say. */
  readonly retryAfterSeconds?: number | null;
}

/**
 * The service or the form is another than the recorded one, and nothing is wrong: a file that is not there, a second kind of account, an
 * empty list. What is asked and what comes out is compared exactly here, too.
 */
export interface Situation {
  /** `a file that is not there`. */
  readonly name: string;
  /** Which operation runs. */
  readonly during: string;
  /** Values of the form in place of the usual ones; null leaves one out. */
  readonly credentials?: Readonly<Record<string, Json>>;
  /** Each takes the place of the recorded exchanges of the same request; the others stay. */
  readonly exchanges: readonly Exchange[];
  /**
   * Of a write: the service shows what the same idempotency key has made before. It must answer as the first time, and what made it is not sent
   * again.
   */
  readonly isRepeated?: boolean;
  /** What the operation answers. `breakwater-connector test --update` writes it. */
  readonly expect?: Json;
}

/** Writes of `scm` that the kit can call. */
export const SCM_WRITES = [
  'createBranch',
  'commitFiles',
  'openPullRequest',
  'openIssue',
  'comment',
  'setStatus',
  'createWebhook',
  'deleteWebhook',
] as const;
export type ScmWriteName = (typeof SCM_WRITES)[number];

/** Writes of `tickets` that the kit can call. */
export const TICKET_WRITES = ['createTicket', 'link', 'transition'] as const;
export type TicketWriteName = (typeof TICKET_WRITES)[number];

/** What the service delivers to the host. */
export interface RecordedDelivery {
  /** `a push to a tag`; the operation is `webhook: a push to a tag`. */
  readonly name: string;
  /** As the host reads it in the headers; empty where the body alone says it. */
  readonly event: string;
  readonly body: Json;
  /**
   * Headers by which the service says what it delivers and proves that it does. `{{proof}}` stands for the proof, which the kit computes;
   * gold wants them.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * How a person signs in at the service: what the kit sends with its own code and client, and what the service was recorded to answer.
 * `breakwater-connector test --update` writes the requests.
 */
export interface RecordedSignIn {
  /** Where the person is sent to agree, whole. */
  readonly consent?: string;
  /** To the code that the person brings back. In its answer `{{field}}` stands for a token: `{ "access_token": "{{oauth_token}}" }`. */
  readonly exchange: Exchange;
  /** Left out where the service renews nothing. */
  readonly refresh?: Exchange;
  /** To a code or refresh token that it does not take any more. */
  readonly refused: RecordedAnswer;
  /** Left out where tokens cannot be revoked. */
  readonly revoke?: Exchange;
}

/** Fields as an older version of the plugin stored them, and what they are now. */
export interface RecordedMigration {
  /** Version that stored them. */
  readonly from: string;
  /** Fields that are no secrets. */
  readonly config: Readonly<Record<string, Json>>;
  /** Names of secrets that were stored. */
  readonly secrets?: readonly string[];
  readonly expect: { readonly config: Readonly<Record<string, Json>>; readonly secrets?: readonly string[] };
}

/** A report that one of the plugin's parsers reads: a file, or written out. */
export interface RecordedReport {
  /** Below the plugin's folder. */
  readonly file?: string;
  /** The report itself, instead of a file: a connector without code has no more than its two files. */
  readonly text?: string;
  /** Every record in order. `breakwater-connector test --update` writes it. */
  readonly expect?: Json;
}

/** What the kit needs to call capabilities that take something. */
export interface Calls {
  readonly scm?: {
    /** `ScmRepository.id`. */
    readonly repository: string;
    readonly file?: { readonly path: string; readonly at: string };
    /** Numbers of a pull request and of an issue of the repository. */
    readonly pullRequest?: number;
    readonly issue?: number;
    /** A tag or branch, of a repository by its name. */
    readonly ref?: { readonly name: string; readonly ref: string };
    /** True: `scm.posture` is asked of the repository. */
    readonly posture?: boolean;
    /** Questions of `write.settings.checks` whose settings are planned and set. */
    readonly settings?: readonly string[];
    /** What each write is given, besides the repository and the idempotency key, which is `kit`. */
    readonly write?: Readonly<Partial<Record<ScmWriteName, Readonly<Record<string, Json>>>>>;
  };
  /** What deliveries of the service are, for `webhook.on`. */
  readonly deliveries?: readonly RecordedDelivery[];
  readonly remediator?: { readonly model: string; readonly prompt: string; readonly maxOutputTokens?: number };
  readonly tickets?: {
    /** `TicketProject.key` of one with types, where `tracking.types` names them. */
    readonly project?: string;
    /** `Ticket.id` of one that can be read, where there is `tracking`. */
    readonly ticket?: string;
    /** What each write is given, besides the idempotency key. */
    readonly write?: Readonly<Partial<Record<TicketWriteName, Readonly<Record<string, Json>>>>>;
  };
  /** What the channel is told; left out: texts that look like mentions, links and markup. */
  readonly notify?: { readonly title?: string; readonly text?: string };
  /** Input by method and path of an own route: `{ "GET /projects": {} }`. */
  readonly routes?: Readonly<Record<string, Json>>;
}

/** Recorded conversation of one connector with its service. */
export interface ConnectorFixture {
  /**
   * Test values of the form. A secret that is left out, or written `{{canary}}`, gets a random canary; one that must have a shape
   * (a key file) is written out, made for the test alone, and is looked for in the same way.
   */
  readonly credentials?: Readonly<Record<string, Json>>;
  /**
   * Where requests go with these values: of `baseUrl` under that name, of each of `services` under its own.
   * `breakwater-connector test --update` writes it.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  readonly exchanges?: readonly Exchange[];
  /**
   * Headers that the host signs every request to `baseUrl` with: `{ "authorization": "Bearer {{token}}" }`. `Basic {{username}}:{{password}}` is
   * sent in base64.
   */
  readonly signature?: Readonly<Record<string, string>>;
  /**
   * What each operation answers with the recorded exchanges, by its name: `{ "check": { "identity": "ada" }, "findings.sync": [ … ] }`. `{{any}}`
   * stands for any text, `{{origin}}` for the address of the fake service. `breakwater-connector test --update` writes it.
   */
  readonly expect?: Readonly<Record<string, Json>>;
  readonly wrong?: readonly WrongCase[];
  readonly situations?: readonly Situation[];
  readonly calls?: Calls;
  /** Of a connector that signs in by OAuth 2.0. */
  readonly signIn?: RecordedSignIn;
  /** Of a connector with `migrate`. */
  readonly migrations?: readonly RecordedMigration[];
}

/** Content of `conformance.json`. */
export interface Fixtures {
  /** By connector id. */
  readonly connectors: Readonly<Record<string, ConnectorFixture>>;
  /** Reports by the tool of the parser that reads them. */
  readonly reports?: Readonly<Record<string, readonly RecordedReport[]>>;
}
