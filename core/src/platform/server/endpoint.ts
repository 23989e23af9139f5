import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Route, RouteDefinition } from '../api/contract.ts';
import { can, type Role, type TokenScope } from '../model/permissions.ts';
import type { AuditDetails, RequestOrigin } from './audit.ts';
import type { Db } from './database.ts';

/** Who calls. Taken from the session or token, never from the request's own fields. */
export interface Caller {
  userId: string;
  clientId: string;
  role: Role;
  username: string;
  email: string;
  /** SHA-256 of the session token, to end just this session. */
  sessionHash: Buffer;
  /** Set where an API token of these scopes calls. One of the organisation is a machine: `userId` is the token's id, `username` its name. */
  tokenScopes?: readonly TokenScope[];
  /** Name of the personal token with which this person calls; their role limits it too. */
  personalToken?: string;
  /** The organisation requires two-factor and this person has none: only their own account answers. */
  needsTwoFactor?: true;
}

export interface CookieOptions {
  maxAgeSeconds?: number;
}

/** What a handler may say besides its return value. */
export interface Reply {
  status(code: number): void;
  header(name: string, value: string): void;
  setSessionCookie(token: string, options: CookieOptions): void;
  clearSessionCookie(): void;
  /** Kept by the browser after the session, so that it is known again. */
  setDeviceCookie(token: string, options: CookieOptions): void;
  /** Ties a sign-in that leads over another site to this browser. */
  setSignInCookie(token: string, options: CookieOptions): void;
}

/** What the entry of the audit log tells besides its kind. */
export interface AuditNote {
  /** What or whom it is about; the parameters of the address where the handler says nothing. */
  subject?: string;
  /** Never a secret; the names of the body's fields where the handler says nothing. */
  details?: AuditDetails;
  /** Nothing was changed: no entry. */
  isUnchanged?: boolean;
}

/** What every handler gets. */
export interface HandlerInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** Ends when the client goes away or the server stops. */
  signal: AbortSignal;
  requestId: string;
  log: Logger;
  reply: Reply;
  /** The raw request, for `bodyKind: 'stream'` and headers. */
  request: IncomingMessage;
  /** Address of the caller; X-Forwarded-For counts only behind a configured proxy. */
  remoteAddress: string;
  /** Where the request comes from, as logs of it are kept. */
  origin: RequestOrigin;
  /** Completes the entry of a route that has `audit`. */
  audit(note: AuditNote): void;
  /** The caller provably sits at this machine, and no proxy stands in between. */
  isLocal: boolean;
  /** What `setDeviceCookie` left in this browser. */
  deviceToken: string | undefined;
  /** What `setSignInCookie` left in this browser. */
  signInToken: string | undefined;
}

export interface SignedInInput<P, Q, B> extends HandlerInput<P, Q, B> {
  caller: Caller;
}

export interface TenantInput<P, Q, B> extends SignedInInput<P, Q, B> {
  /** One transaction for the whole request, limited to the caller's client. */
  db: Db;
}

/** A server-sent event. */
export interface ServerEvent {
  event: string;
  data: unknown;
}

/** A route with its handler, ready to be mounted. */
export interface Endpoint {
  route: RouteDefinition;
  needs: 'nothing' | 'caller' | 'tenant';
  // The types of one route are checked where `handle` is attached; the list of all endpoints is uniform.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  handle(input: any): unknown;
}

type Result<S> = S | Promise<S>;

/** Attaches a handler to a public route. Curried so that literals in its answer keep their types. */
export const publicEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: HandlerInput<P, Q, B>) => Result<S>): Endpoint => ({ route, needs: 'nothing', handle });

/** Attaches a handler that needs to know who calls but opens its own transactions. */
export const callerEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: SignedInInput<P, Q, B>) => Result<S>): Endpoint => ({ route, needs: 'caller', handle });

/** Attaches a handler that works in one transaction of the caller's client. */
export const tenantEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: TenantInput<P, Q, B>) => Result<S>): Endpoint => ({ route, needs: 'tenant', handle });

/** Attaches a stream of server-sent events. */
export const eventsEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: SignedInInput<P, Q, B>) => AsyncIterable<ServerEvent>): Endpoint => ({
    route,
    needs: 'caller',
    handle,
  });

/** A download. */
export interface FileAnswer {
  fileName: string;
  /** Media type, such as `application/json`. */
  contentType: string;
  /** A stream is sent as it comes; where it fails, the download breaks off. */
  content: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** It is shown where it is asked for, and not saved: for what brings a policy of its own. */
  isShown?: true;
}

/** The same for a file that is read while it is sent: the handler opens its own, short transactions. */
export const streamedFileEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: SignedInInput<P, Q, B>) => Result<FileAnswer>): Endpoint => ({ route, needs: 'caller', handle });

/** Attaches a handler that answers anybody with a file. */
export const publicFileEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: HandlerInput<P, Q, B>) => Result<FileAnswer>): Endpoint => ({ route, needs: 'nothing', handle });

/** Attaches a handler that answers with a file to a route of `responseKind: 'file'`. */
export const fileEndpoint =
  <P, Q, B, S>(route: Route<P, Q, B, S>) =>
  (handle: (input: TenantInput<P, Q, B>) => Result<FileAnswer>): Endpoint => ({ route, needs: 'tenant', handle });

/** Whose repositories a list is limited to: the caller's own; null shows all. Source: decisions.md "Roles". */
export const ownedOnly = (caller: Caller): string | null =>
  can(caller.role, 'organization.read-all') ? null : caller.userId;

const PIECE_CHARACTERS = 65_536;

/** Texts of a document on their way, joined into pieces of about 64 kB. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}
