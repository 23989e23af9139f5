import type { CredentialSchema, PublicFields, SecretKey } from './credentials.ts';

/** Anything that JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One request to the service. `path` is appended to the connector's `baseUrl`, or to the root that `service` names. */
export interface HttpRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with `/`, or is empty for the root itself. Never a whole address: the host of a request is the manifest's. */
  path: string;
  /** Name of one of the connector's `services`. Requests there are not signed by the host. */
  service?: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** `authorization` may stand here only where the connector has `permissions.reveal` and signs by itself. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: Json;
  /** Sent as `application/x-www-form-urlencoded`, instead of `body`. */
  form?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `body`; set `content-type` in the headers. For what is signed byte by byte, and for uploads of files. */
  raw?: string | Uint8Array;
  /** Statuses that are answers to this request and no failures: `[404]`. The default is every 2xx. */
  accept?: readonly number[];
}

/** A whole answer, where status or headers matter. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Where the parameters of a page are sent. */
export interface PagingPlace {
  /** Default `query`. In the JSON body their names are paths: `variables.after`. Page, offset and size are numbers there. */
  in?: 'query' | 'body';
}

/** How a list of the service tells where it goes on. */
export type Paging =
  /** RFC 8288 `Link: <…>; rel="next"`. */
  | { type: 'link' }
  /**
   * The answer names the next cursor at `cursorAt` (`meta.next`); it is sent back as `parameter`. Where services name a cursor on their last
   * page too, as GraphQL does, `moreAt` (`data.issues.pageInfo.hasNextPage`) says whether there is a next one.
   */
  | ({ type: 'cursor'; cursorAt: string; parameter: string; moreAt?: string } & PagingPlace)
  /** The answer holds the whole address of the next page at `nextAt` (`next`). */
  | { type: 'next'; nextAt: string }
  /** `parameter` counts pages from `first` (default 1); the list ends with a page shorter than `size`. */
  | ({
      type: 'page';
      parameter: string;
      size: number;
      sizeParameter?: string;
      first?: number;
      itemsAt?: string;
    } & PagingPlace)
  /** `parameter` counts the items skipped; the list ends with a page shorter than `size`. */
  | ({ type: 'offset'; parameter: string; size: number; sizeParameter?: string; itemsAt?: string } & PagingPlace);

/**
 * HTTP egress. The host adds the authorization of the connector, checks each address against `permissions.egress`, caps size
 * and time, retries what is safe to retry, and turns failures into `ConnectorError`s.
 */
export interface Http {
  /** The body as JSON; null for an empty one. @throws ConnectorError, `upstream` where it is not JSON */
  json(request: HttpRequest): Promise<Json>;
  /** Status, headers and body, at most 10 MB. @throws ConnectorError */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** The body as it arrives. @throws ConnectorError */
  stream(request: HttpRequest): AsyncIterable<Uint8Array>;
  /** Every page of a list, in order; the caller takes the items out of each. @throws ConnectorError */
  pages(request: HttpRequest, paging: Paging): AsyncIterable<Json>;
}

/** Small memory of one connection, at most 1 MiB in all. Removed with the connection. Never put secrets here. */
export interface Store {
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Structured log of one connection. Secrets of the connection are masked by the host. */
export interface Log {
  debug(message: string, facts?: Readonly<Record<string, Json>>): void;
  info(message: string, facts?: Readonly<Record<string, Json>>): void;
  warn(message: string, facts?: Readonly<Record<string, Json>>): void;
}

/** All that code of a connector gets. There is nothing else: no container, no environment, no file system. */
export interface Ctx<S extends CredentialSchema> {
  /** The fields of the form that are no secrets. */
  readonly config: PublicFields<S>;
  readonly http: Http;
  readonly store: Store;
  readonly log: Log;
  /** Aborted when the host gives up; work ends within a second. */
  readonly signal: AbortSignal;
  /** The host's clock. */
  now(): Date;
  /** A secret itself, only for keys in `permissions.reveal`; every call is audited. @throws ConnectorError config */
  reveal(key: SecretKey<S>): Promise<string>;
}
