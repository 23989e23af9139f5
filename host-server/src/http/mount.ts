import { once, setMaxListeners } from 'node:events';
import {
  documentedPath,
  fullPath,
  isAllowed,
  isPublic,
  type RouteBase,
  tokenScopesOf,
} from '@breakwater/core/platform/api/contract.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import type { TokenScope } from '@breakwater/core/platform/model/permissions.ts';
import { say } from '@breakwater/core/platform/model/sentence.ts';
import { originOf } from '@breakwater/core/platform/server/audit.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type {
  Caller,
  Endpoint,
  FileAnswer,
  HandlerInput,
  ServerEvent,
} from '@breakwater/core/platform/server/endpoint.ts';
import type { EventBus } from '@breakwater/core/platform/server/events.ts';
import type { Authenticator } from '@breakwater/core/session/server/index.ts';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { createAuditTrail } from './audit-trail.ts';
import { sendJson } from './encoding.ts';
import { writeEvents } from './events-stream.ts';
import { createReply, readDeviceCookie, readSessionCookie, readSignInCookie } from './reply.ts';
import { SCIM_MEDIA_TYPE } from './scim.ts';
import { isLocalName, isLocalRequest, refuseCrossSite } from './security.ts';
import { createRequestReader, createResponseChecker, type RequestReader } from './validation.ts';

/** Largest JSON body. Uploads are streamed and have their own limit. */
const JSON_LIMIT = '1mb';

export interface MountDeps {
  database: DatabaseHandle;
  authenticator: Authenticator;
  events: EventBus;
  publicUrl: URL | undefined;
  /** Ends when the server stops: open event streams end with it. */
  stopping: AbortSignal;
  /** Tests check every answer against its contract. */
  checkResponses?: boolean;
}

const parseJson = express.json({ limit: JSON_LIMIT, type: ['application/json', 'application/*+json'] });

const readJson = async (request: Request, response: Response): Promise<unknown> => {
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (request.body === undefined && hasBody) {
    throw new AppError('validation_failed', undefined, {
      issues: [
        { loc: ['header', 'content-type'], msg: msg('Send the body as application/json.'), type: 'content_type' },
      ],
    });
  }
  return request.body ?? {};
};

const bearerOf = (request: Request): string | undefined => {
  const { authorization } = request.headers;
  return authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length).trim() : undefined;
};

/** Who calls: the holder of a session, or a machine, whose token counts in the Authorization header only. */
const identify = async (request: Request, deps: MountDeps): Promise<Caller | undefined> => {
  const { authenticator } = deps;
  const bearer = bearerOf(request);
  const token = bearer ?? readSessionCookie(request.headers.cookie, isSecure(request, deps));
  if (token === undefined) return undefined;
  const caller = await authenticator.authenticate(token);
  return caller ?? (bearer === undefined ? undefined : authenticator.authenticateMachine(bearer, request.ip ?? ''));
};

/** @throws forbidden */
const refuseUnscoped = (
  { held, isPersonal }: { held: readonly TokenScope[]; isPersonal: boolean },
  accepted: readonly TokenScope[],
): void => {
  if (accepted.some((scope) => held.includes(scope))) return;
  if (accepted.length === 0)
    throw new AppError('forbidden', msg('No API token allows this: a person has to sign in for it.'));
  const missing = accepted.map((scope) => `"${scope}"`).join(' or ');
  const way = isPersonal ? say('Make one that has it.') : say('An admin can make one that has it.');
  throw new AppError('forbidden', say('The API token lacks the scope {missing}. {way}', { missing, way }));
};

/** Who calls, if the route lets them. @throws not_authenticated, forbidden, too_many_requests */
const admit = async (request: Request, endpoint: Endpoint, deps: MountDeps): Promise<Caller | undefined> => {
  const { access, isCrossSite } = endpoint.route;
  if (isCrossSite !== true) refuseCrossSite(request, deps.publicUrl);
  if (isPublic(access)) return undefined;
  const caller = await identify(request, deps);
  if (caller === undefined) throw new AppError('not_authenticated');
  if (caller.tokenScopes !== undefined) {
    const isPersonal = caller.personalToken !== undefined;
    refuseUnscoped({ held: caller.tokenScopes, isPersonal }, tokenScopesOf(access));
    if (!isPersonal) return caller;
  }
  if (caller.needsTwoFactor === true && access.permission !== 'account.use') throw new AppError('two_factor_required');
  if (!isAllowed(access, caller.role)) throw new AppError('forbidden', msg('Your role does not allow this.'));
  return caller;
};

/** Ends when the client goes away. */
const signalOf = (response: Response, stopping?: AbortSignal): { signal: AbortSignal; end: () => void } => {
  const leaving = new AbortController();
  const end = (): void => leaving.abort();
  response.once('close', end);
  if (stopping?.aborted) end();
  stopping?.addEventListener('abort', end, { once: true });
  if (stopping !== undefined) response.once('close', () => stopping.removeEventListener('abort', end));
  return { signal: leaving.signal, end };
};

const inputOf = async (
  request: Request,
  response: Response,
  endpoint: Endpoint,
  parts: { reader: RequestReader; signal: AbortSignal; deps: MountDeps },
): Promise<HandlerInput<unknown, unknown, unknown>> => {
  const { reader, signal, deps } = parts;
  const { publicUrl } = deps;
  const isJson = endpoint.route.body !== undefined && endpoint.route.bodyKind !== 'stream';
  return {
    params: reader.params(request.params),
    query: reader.query(request.originalUrl),
    body: isJson ? reader.body(await readJson(request, response)) : undefined,
    signal,
    requestId: String(request.id),
    log: request.log,
    reply: createReply(response, isSecure(request, deps)),
    request,
    remoteAddress: request.ip ?? '',
    origin: originOf(request, request.ip ?? ''),
    audit: () => undefined,
    // where people arrive by another name, what calls from this machine may be their proxy
    isLocal: isLocalRequest(request) && (publicUrl === undefined || isLocalName(publicUrl.hostname)),
    deviceToken: readDeviceCookie(request.headers.cookie, isSecure(request, deps)),
    signInToken: readSignInCookie(request.headers.cookie, isSecure(request, deps)),
  };
};

/** Event streams end at once when the session of their reader is closed. */
const watchSession = async (
  request: Request,
  caller: Caller,
  deps: MountDeps,
  stream: { signal: AbortSignal; end: () => void },
): Promise<void> => {
  for await (const event of deps.events.subscribe(caller.clientId, stream.signal)) {
    if (event.type === 'session.closed' && !(await isStillSignedIn(request, deps))) stream.end();
  }
};

const isStillSignedIn = async (request: Request, deps: MountDeps): Promise<boolean> =>
  (await deps.authenticator.authenticate(
    bearerOf(request) ?? readSessionCookie(request.headers.cookie, isSecure(request, deps)) ?? '',
  )) !== undefined;

const isEventSource = (value: unknown): value is AsyncIterable<ServerEvent> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const isFile = (value: unknown): value is FileAnswer =>
  typeof value === 'object' && value !== null && 'fileName' in value && 'content' in value;

/** Waits for the first piece: what fails until then is answered like any other error. */
const startReading = async (content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> => {
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  return (async function* () {
    try {
      for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
    } finally {
      await pieces.return?.();
    }
  })();
};

const writeFile = async (request: Request, response: Response, answer: unknown): Promise<void> => {
  if (!isFile(answer)) throw new Error('The endpoint did not return a file.');
  const { fileName, contentType, content } = answer;
  if (typeof content === 'string' || content instanceof Uint8Array) {
    if (answer.isShown !== true) response.attachment(fileName);
    response.type(contentType);
    response.send(typeof content === 'string' ? content : Buffer.from(content));
    return;
  }
  const whole = await startReading(content);
  response.attachment(fileName).type(contentType);
  const { signal } = signalOf(response);
  try {
    for await (const piece of whole) {
      signal.throwIfAborted();
      if (!response.write(piece)) await once(response, 'drain', { signal });
    }
    response.end();
  } catch (error) {
    if (!signal.aborted) request.log.warn({ err: error }, 'a download broke off');
    // too late for an answer: the connection is reset, so that nobody takes a part for the whole, not even a reader of HTTP/1.0
    request.socket.resetAndDestroy();
  }
};

/** One request handler for one endpoint: who, what, answer. */
export const createHandler = (endpoint: Endpoint, deps: MountDeps): RequestHandler => {
  const { route, needs } = endpoint;
  const reader = createRequestReader(route);
  const check =
    deps.checkResponses === true && route.responseKind === undefined ? createResponseChecker(route) : undefined;

  const answerWith = async (
    input: HandlerInput<unknown, unknown, unknown>,
    caller: Caller | undefined,
  ): Promise<unknown> => {
    if (needs === 'nothing') return endpoint.handle(input);
    if (caller === undefined) throw new AppError('not_authenticated');
    const { audit, write } = createAuditTrail(route, input, caller);
    if (needs === 'tenant') {
      // what is written down is written with it
      const isRead = route.method === 'GET' && write === undefined;
      return deps.database[isRead ? 'readClient' : 'forClient'](caller.clientId, async (db) => {
        const answer = await endpoint.handle({ ...input, audit, caller, db });
        await write?.(db);
        return answer;
      });
    }
    const answer = await endpoint.handle({ ...input, audit, caller });
    if (write !== undefined) await deps.database.forClient(caller.clientId, write);
    return answer;
  };

  const stream = async (request: Request, response: Response, caller: Caller | undefined): Promise<void> => {
    if (caller === undefined) throw new AppError('not_authenticated');
    const { signal, end } = signalOf(response, deps.stopping);
    const input = await inputOf(request, response, endpoint, { reader, signal, deps });
    watchSession(request, caller, deps, { signal, end }).catch((error) =>
      request.log.warn({ err: error }, 'event stream'),
    );
    const isStillAllowed = (): Promise<boolean> => isStillSignedIn(request, deps);
    const events = endpoint.handle({ ...input, caller });
    if (!isEventSource(events)) throw new Error(`${route.path} did not return a stream of events.`);
    await writeEvents(response, { events, signal, isStillAllowed, end });
  };

  return async (request, response) => {
    const caller = await admit(request, endpoint, deps);
    if (route.responseKind === 'events') return stream(request, response, caller);
    const { signal } = signalOf(response);
    setMaxListeners(50, signal);
    const input = await inputOf(request, response, endpoint, { reader, signal, deps });
    response.status(route.status ?? 200);
    const answer = await answerWith(input, caller);
    if (route.responseKind === 'file') return writeFile(request, response, answer);
    if (route.status === 204) {
      response.end();
      return;
    }
    const text = JSON.stringify(answer);
    check?.(text);
    if (route.base === 'scim') response.type(SCIM_MEDIA_TYPE);
    await sendJson(request, response, text);
  };
};

const isSecure = (request: Request, deps: MountDeps): boolean =>
  request.secure || deps.publicUrl?.protocol === 'https:';

/** `{id}` as Express writes it. */
export const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Fixed words before parameters, so that `/findings/bulk` is not taken for an id. */
const byFixedWordsFirst = (left: Endpoint, right: Endpoint): number => {
  const key = (endpoint: Endpoint): string => endpoint.route.path.replace(/\{\w+\}/g, '\uffff');
  return key(left) < key(right) ? -1 : Number(key(left) > key(right));
};

/** All endpoints of one base under one router; known addresses with another method answer 405, the rest 404. */
export const createApiRouter = (all: readonly Endpoint[], base: RouteBase, deps: MountDeps): express.Router => {
  const router = express.Router({ caseSensitive: true, strict: false });
  const methods = new Map<string, Set<string>>();
  const endpoints = all.filter(({ route }) => (route.base ?? 'backend') === base);
  for (const endpoint of endpoints.sort(byFixedWordsFirst)) {
    const path = expressPath(endpoint.route.path);
    const method = endpoint.route.method;
    const known = methods.get(path) ?? new Set();
    if (known.has(method)) throw new Error(`Two endpoints answer to ${method} ${fullPath(endpoint.route)}.`);
    methods.set(path, known.add(method));
    const handler = createHandler(endpoint, deps);
    const remember: RequestHandler = (_request, response, next) => {
      response.locals['route'] = documentedPath(endpoint.route);
      next();
    };
    if (method === 'GET') router.get(path, remember, handler);
    else if (method === 'POST') router.post(path, remember, handler);
    else if (method === 'PUT') router.put(path, remember, handler);
    else if (method === 'PATCH') router.patch(path, remember, handler);
    else router.delete(path, remember, handler);
  }
  for (const [path, known] of methods) {
    router.all(path, (_request, response) => {
      response.setHeader('Allow', [...known].join(', '));
      throw new AppError('method_not_allowed');
    });
  }
  router.use(() => {
    throw new AppError('not_found');
  });
  return router;
};
