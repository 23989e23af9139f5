import type { CredentialSchema, PublicFields, SecretKey } from './credentials.ts';

/** Anything that JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One request to the service. `path` is appended to the connector's `baseUrl`. */
export interface HttpRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: Json;
}

/** How a list of the service tells where it goes on. */
export type Paging =
  /** RFC 8288 `Link: <…>; rel="next"`. */
  | { type: 'link' }
  /** The answer names the next cursor at `cursorAt` (`meta.next`); it is sent back as query parameter `parameter`. */
  | { type: 'cursor'; cursorAt: string; parameter: string }
  /** `parameter` counts pages from `first` (default 1); the list ends with a page shorter than `size`. */
  | { type: 'page'; parameter: string; size: number; sizeParameter?: string; first?: number }
  /** `parameter` counts the items skipped; the list ends with a page shorter than `size`. */
  | { type: 'offset'; parameter: string; size: number; sizeParameter?: string };

/**
 * The way out. The host adds the authorization of the connector, checks each address against `permissions.egress`, caps size
 * and time, retries what is safe to retry, and turns failures into `ConnectorError`s.
 */
export interface Http {
  /** @throws ConnectorError */
  json(request: HttpRequest): Promise<Json>;
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
