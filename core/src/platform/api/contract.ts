import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../model/app-error.ts';
import type { AuditKind } from '../model/audit-kinds.ts';
import { can, type Permission, type Role, type TokenScope } from '../model/permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route. `public`: anyone. Else every role with the permission (`model/permissions.ts`); with `tenant` the handler gets a database
 * transaction limited to the caller's client. With `apiToken` a machine may call it too, by a token that has one of these scopes: they count in
 * place of the permission. A person's own token needs both.
 */
export type Access = { public: true } | { permission: Permission; tenant: boolean; apiToken?: readonly TokenScope[] };

/**
 * Where routes lie: those of the backend, the frontend server routes of specification §7 (source: decisions.md "Addresses"), and SCIM, whose
 * clients expect its version at the end and answers in its own form.
 */
const BASES = { backend: '/api/v1', frontend: '/api', scim: '/scim/v2' } as const;
export type RouteBase = keyof typeof BASES;
export const ROUTE_BASES = ['backend', 'frontend', 'scim'] as const satisfies readonly RouteBase[];

/** How the body arrives. `json` is validated; `stream` hands the raw request to the handler (uploads). */
export type BodyKind = 'json' | 'stream';

/** What leaves the server. `json` is the default; `events` is a server-sent event stream; `file` a download. */
export type ResponseKind = 'json' | 'events' | 'file';

export interface RouteDefinition {
  method: Method;
  /** `backend` unless said. */
  base?: RouteBase;
  /** Below the base, with `{name}` for parameters. */
  path: string;
  /** One line for OpenAPI. */
  summary: string;
  /** Slice, for grouping in OpenAPI. */
  tag: string;
  access: Access;
  /** What the audit log keeps of a call that succeeded; the handler may say more by `audit()`. */
  audit?: AuditKind;
  /** Pages of other sites may call it: what they bring proves itself, and no cookie counts. For public routes alone. */
  isCrossSite?: true;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  bodyKind?: BodyKind;
  response: TSchema;
  responseKind?: ResponseKind;
  /** Status of success; 200 unless said. With 204 nothing is sent. */
  status?: 200 | 201 | 202 | 204;
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

/** Where a kind of routes begins: `/api/v1`, `/api` or `/scim/v2`. */
export const basePath = (base: RouteBase = 'backend'): string => BASES[base];

/** The whole path of a route, with `{name}` for parameters. */
export const fullPath = (route: Pick<RouteDefinition, 'base' | 'path'>): string =>
  `${basePath(route.base)}${route.path}`;

/** As documents name a route: a backend route by its path below `/api/v1`, another by its whole path. */
export const documentedPath = (route: Pick<RouteDefinition, 'base' | 'path'>): string =>
  (route.base ?? 'backend') === 'backend' ? route.path : fullPath(route);

/** Scopes of which one lets an API token call it; none where no token may. */
export const tokenScopesOf = (access: Access): readonly TokenScope[] =>
  isPublic(access) ? [] : (access.apiToken ?? []);

export const isPublic = (access: Access): access is { public: true } => 'public' in access;

/** Whether a user of this role may call it. */
export const isAllowed = (access: Access, role: Role): boolean => isPublic(access) || can(role, access.permission);
