import type { Json } from '../context.ts';
import type { ConnectorErrorCode } from '../errors.ts';

/** A request that the service was recorded to get. */
export interface RecordedRequest {
  /** Default GET. */
  readonly method?: string;
  /** As the connector writes it, below `baseUrl` or below the root that `service` names: `/user`; empty: the root itself. */
  readonly path: string;
  /** Name of one of the connector's `services`; left out: `baseUrl`. */
  readonly service?: string;
  /** Pairs that the query must hold. Others may be there too. */
  readonly query?: Readonly<Record<string, string>>;
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
  /** Put before the recorded exchanges: what differs. */
  readonly exchanges: readonly Exchange[];
  readonly code: ConnectorErrorCode;
}

/** What the kit needs to call capabilities that take something. */
export interface Calls {
  readonly scm?: {
    /** `ScmRepository.id`. */
    readonly repository: string;
    readonly file?: { readonly path: string; readonly at: string };
  };
  readonly remediator?: { readonly model: string; readonly prompt: string };
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
  readonly exchanges?: readonly Exchange[];
  readonly expect?: {
    /** What `check` answers with the recorded exchanges. */
    readonly identity?: string;
    /** How many findings a whole `findings.sync` gives. */
    readonly findings?: number;
  };
  readonly wrong?: readonly WrongCase[];
  readonly calls?: Calls;
}

/** Content of `conformance.json`. */
export interface Fixtures {
  /** By connector id. */
  readonly connectors: Readonly<Record<string, ConnectorFixture>>;
}
