import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../model/app-error.ts';
import type { Role } from '../model/roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call a route. `public`: anyone. Else the listed roles; with `tenant` the handler gets a database
 * transaction limited to the caller's client.
 */
export type Access = { public: true } | { roles: readonly Role[]; tenant: boolean };

/** How the body arrives. `json` is validated; `stream` hands the raw request to the handler (uploads). */
export type BodyKind = 'json' | 'stream';

/** What leaves the server. `json` is the default; `events` is a server-sent event stream; `file` a download. */
export type ResponseKind = 'json' | 'events' | 'file';

export interface RouteDefinition {
  method: Method;
  /** Below `/api/v1`, with `{name}` for parameters. */
  path: string;
  /** One line for OpenAPI. */
  summary: string;
  /** Slice, for grouping in OpenAPI. */
  tag: string;
  access: Access;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  bodyKind?: BodyKind;
  response: TSchema;
  responseKind?: ResponseKind;
  /** Status of success; 200 unless said. */
  status?: 200 | 201 | 202;
  errors?: readonly ErrorCode[];
}

type In<S> = S extends TSchema ? Static<S> : undefined;

/** A declared route. The phantom member carries its types, computed once here (foundation.md §2). */
export interface Route<P = unknown, Q = unknown, B = unknown, S = unknown> extends RouteDefinition {
  readonly '~'?: { params: P; query: Q; body: B; response: S };
}

/** Declares a route: the one truth for handler, browser client, OpenAPI and authorization matrix. */
export const route = <const R extends RouteDefinition>(
  definition: R,
): Route<In<R['params']>, In<R['query']>, In<R['body']>, Static<R['response']>> => definition;

export const isPublic = (access: Access): access is { public: true } => 'public' in access;
