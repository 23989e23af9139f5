import type { TSchema } from 'typebox';
import type { Ctx, Json } from './context.ts';
import type { CredentialSchema } from './credentials.ts';
import type { NormalizedFinding } from './findings/finding.ts';
import type { ScmEvent } from './scm/scm.ts';
import type { TicketEvent } from './tickets/tickets.ts';

/** What a scanner can look at. */
export type ScanTarget =
  /** `files`: paths below the folder, with `/`. */
  | { readonly kind: 'repository'; readonly folder: string; readonly files: readonly string[] }
  | { readonly kind: 'image'; readonly reference: string }
  | { readonly kind: 'url'; readonly url: string }
  /** `provider`: id of the cloud's connector; `account`: what programs call it, such as the id of the subscription. */
  | { readonly kind: 'cloud'; readonly provider: string; readonly account: string };

/** A program to start: never a shell line. The host refuses what it did not find by `detect`. */
export interface ScanCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Added to an otherwise empty environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files that it needs, by their names below the work folder. They hold no secret. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where the program writes its report, below the work folder that the host gives. */
  readonly reportPath: string;
  /** The program prints its report: the host writes what it prints to `reportPath`. */
  readonly printsReport?: true;
  /** Where it runs. Default: the work folder, so that files of the repository are not taken for the program's own settings. */
  readonly runsIn?: 'target';
  /** Files at the root of the repository that the program would obey or run; they are taken away while it runs. */
  readonly hides?: readonly string[];
  readonly limits: { readonly timeoutMs: number; readonly memoryMb: number };
  /** Exit codes that mean "done" besides 0: many scanners answer 1 when they found something. */
  readonly okExitCodes?: readonly number[];
  /** Exit codes that mean "there is nothing here for me": no report is expected. */
  readonly nothingExitCodes?: readonly number[];
  /** Programs that take the same arguments, where `file` is not installed. */
  readonly alternatives?: readonly string[];
  /** What the operator can do where the program fails and prints such a text: a whole sentence each, shown behind its reason. */
  readonly help?: readonly { readonly says: RegExp; readonly text: string }[];
}

/** What a scanner may ask of the machine. */
export interface ScanHost {
  /** Output of `<file> <args>`, or null where the program is not installed. */
  run(file: string, args: readonly string[]): Promise<string | null>;
}

export interface ScanOptions {
  /** Of this scan alone, empty at first and removed afterwards. */
  readonly workFolder: string;
  /** Of this scanner on this host, kept between scans: for its own data, such as a database of vulnerabilities. */
  readonly cacheFolder: string;
}

/** A scanner that the host can start itself. Pure but for `detect`: it says what to run, the host runs it. */
export interface Scanner {
  readonly targets: readonly ScanTarget['kind'][];
  /**
   * Hosts that it calls while it scans, such as that of its database, each as `name` (port 443), `name:port` or `*.name`. Where the machine can do
   * that, it is started without a network but for a proxy (`HTTPS_PROXY`) that lets it through to those by TLS; with an empty list to none. Left
   * out: it may call any.
   */
  readonly hosts?: readonly string[];
  /** Version of the installed program, or null where there is none. */
  detect(host: ScanHost): Promise<{ readonly version: string } | null>;
  /** Null where there is nothing for it in the target. */
  command(target: ScanTarget, options: ScanOptions): ScanCommand | null;
}

/**
 * What the findings after it belong to: a project, application or release of the service. It becomes an application of the
 * organisation. Findings of a target are its whole present state: those not yielded any more are closed, once the sync has
 * reached the end.
 */
export interface SyncTarget {
  readonly kind: 'target';
  /** Id at the service, kept so that a rename is no new application. */
  readonly id: string;
  readonly name: string;
  /** Address for people, https. */
  readonly url?: string;
}

/** Where to go on after an interruption; handed back as `since`. Everything yielded before it has been kept. */
export interface SyncCursor {
  readonly kind: 'cursor';
  readonly cursor: string;
}

export type SyncRecord = SyncTarget | SyncCursor | NormalizedFinding;

/** Pulls findings from a service. A step may take 60 s; the host resumes by cursor. @throws ConnectorError */
export interface FindingsSource<S extends CredentialSchema = CredentialSchema> {
  sync(ctx: Ctx<S>, since?: string): AsyncIterable<SyncRecord>;
}

/** Account, subscription, project or tenancy that the credentials belong to. */
export interface CloudIdentity {
  readonly account: string;
  /** User, role or service account in the provider's own words. */
  readonly principal?: string;
}

/** Something that exists in a cloud account. */
export interface CloudResource {
  /** The provider's own unique name: ARN, resource id, self link, OCID. */
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly region?: string;
}

/** What scanners of a cloud log in with, as the provider's own libraries find it. */
export interface CloudLogin {
  /** What programs call the account, where it is not `CloudIdentity.account`. */
  readonly account?: string;
  /** Variables of the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Written below the home folder of the program alone, readable by nobody else, and removed when it has ended. */
  readonly files?: readonly CloudLoginFile[];
}

export interface CloudLoginFile {
  /** Below the home folder: `.oci/config`. */
  readonly path: string;
  readonly text: string;
  /** Variable that names its whole path. */
  readonly variable?: string;
}

/** A cloud account. @throws ConnectorError */
export interface Cloud<S extends CredentialSchema = CredentialSchema> {
  identity(ctx: Ctx<S>): Promise<CloudIdentity>;
  /** For scanners that the host starts. They get it by their environment and by files, never by a command line. */
  login?(ctx: Ctx<S>): Promise<CloudLogin>;
  inventory?(ctx: Ctx<S>): AsyncIterable<CloudResource>;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why the model stopped: it was done, the answer reached its upper bound, or the provider withheld the rest. */
export type CompletionEnd = 'done' | 'length' | 'filter';

/** A part of an answer as it arrives; at its end why it ended, and `usage` where the provider counts. */
export type CompletionPart =
  | { readonly text: string }
  | { readonly end: CompletionEnd }
  | { readonly usage: TokenUsage };

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Upper bound of the answer in tokens. */
  readonly maxOutputTokens?: number;
}

/**
 * Fields of the form of an AI provider that the host reads: the model that it asks for, by the first of these that is filled, and what
 * 1,000,000 tokens cost, in US dollars. All are optional; without a name, the title of the connector is the model.
 */
export const MODEL_FIELDS = {
  names: ['deployment_name', 'model'],
  prices: { input: 'input_price', output: 'output_price' },
} as const;

/** An AI provider that writes remediations. @throws ConnectorError */
export interface Remediator<S extends CredentialSchema = CredentialSchema> {
  models(ctx: Ctx<S>): Promise<readonly string[]>;
  complete(ctx: Ctx<S>, request: CompletionRequest): AsyncIterable<CompletionPart>;
}

/**
 * How the host proves that a delivery comes from the service, before any code of the connector sees it. `secret` names a secret field
 * of the form; of a connector that makes its hooks itself (`Scm.write.createWebhook`) it is no field of the form but one that
 * the host fills with what it gave to `createWebhook`.
 */
export type WebhookProof =
  /** HMAC of the raw body, hex or `sha256=<hex>`, keyed by the secret. GitHub and Bitbucket write the prefix, Gitea does not. */
  | { readonly type: 'hmac-sha256'; readonly header: string; readonly secret: string }
  /** The header equals the secret. */
  | { readonly type: 'token'; readonly header: string; readonly secret: string };

/** A delivery whose proof held. */
export interface Delivery {
  /** What it is about, in the service's own words: `push`, `pull_request`, `Push Hook`, `repo:push`. */
  readonly event: string;
  readonly id: string;
  readonly body: Json;
}

/** What a delivery means, in words of ours. */
export type DeliveryEvent = ScmEvent | TicketEvent;

/** Deliveries of the service to Breakwater. The same delivery may come twice. */
export interface Webhook<S extends CredentialSchema = CredentialSchema> {
  readonly proof: WebhookProof;
  /**
   * @returns what it means for repositories and tickets, for the host to act on; nothing where it means nothing
   * @throws ConnectorError upstream, where a delivery of a known kind cannot be read
   */
  on(ctx: Ctx<S>, delivery: Delivery): Promise<readonly DeliveryEvent[] | undefined>;
}

/** One segment of the path of an own route: lower case, nothing that a router would read as a pattern. */
export const OWN_ROUTE_SEGMENT = '[a-z0-9][a-z0-9_-]{0,99}';
/** Path of an own route: one or two segments. */
export const OWN_ROUTE_PATH: RegExp = new RegExp(`^(?:/${OWN_ROUTE_SEGMENT}){1,2}$`);

/** An own route of a connector, mounted below `/api/v1/connectors/<id>/routes`. JSON in, JSON out, within 15 s. */
export interface ConnectorRoute<S extends CredentialSchema = CredentialSchema> {
  readonly method: 'GET' | 'POST';
  /** `/projects` or `/projects/open`, see `OWN_ROUTE_PATH`. */
  readonly path: string;
  /** Least role that may call it. */
  readonly role: 'admin' | 'cyberoper' | 'developer';
  /** Body of a POST, query of a GET. Validated before `handle` runs. */
  readonly input?: TSchema;
  /** @throws ConnectorError */
  handle(ctx: Ctx<S>, input: Json): Promise<Json>;
}

/**
 * How stored fields of an older version become those of this one. Secrets move by name and are never read; `config` gets
 * the fields that are no secrets. Steps run in order, from the version that stored the fields to the present one.
 */
export interface CredentialMigration {
  /** Plugin version, `1.0.0`: applies to what it or an older version stored. */
  readonly from: string;
  /** Old field name to new field name; also for secrets. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Pure. */
  config?(old: Readonly<Record<string, Json>>): Readonly<Record<string, Json>>;
}

/** A migration as the host calls it, which may be computed in another process. */
export interface HostMigration extends Omit<CredentialMigration, 'config'> {
  config?(
    old: Readonly<Record<string, Json>>,
  ): Readonly<Record<string, Json>> | Promise<Readonly<Record<string, Json>>>;
}
