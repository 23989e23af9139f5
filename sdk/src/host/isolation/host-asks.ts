import type { Ctx, HttpRequest, Json, Paging } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import type { Ask } from './messages.ts';

/** What one call may ask of its host: its own `Ctx`, its own report, and nothing else. */
export interface AskHandler {
  answer(what: Ask, args: readonly unknown[]): Promise<unknown>;
  /** The host's clock, as the call sees it. */
  now(): number;
  /** Ends what was left open. */
  close(): void;
}

export interface AskParts {
  readonly ctx: Ctx<CredentialSchema> | undefined;
  readonly bytes: AsyncIterable<Uint8Array> | undefined;
}

/** Lists and streams that one call may have open at the same time. */
const MAX_OPEN = 32;

/** Answers for one call. What the process sends has any form: a wrong one is refused as it would be by the types. */
export function createAskHandler({ ctx, bytes }: AskParts): AskHandler {
  const open = new Map<number, AsyncIterator<unknown>>();
  const pieces = bytes?.[Symbol.asyncIterator]();
  let handles = 0;
  const openOne = (items: AsyncIterable<unknown>): number => {
    if (open.size >= MAX_OPEN) throw new TypeError('too many lists are read at the same time');
    handles += 1;
    open.set(handles, items[Symbol.asyncIterator]());
    return handles;
  };
  const next = async (handle: unknown): Promise<unknown> => {
    const step = await open.get(Number(handle))?.next();
    if (step === undefined || step.done === true) open.delete(Number(handle));
    return step === undefined || step.done === true ? { done: true } : { done: false, value: step.value };
  };
  const end = async (handle: unknown): Promise<void> => {
    const items = open.get(Number(handle));
    open.delete(Number(handle));
    await items?.return?.();
  };
  const ofCtx = (what: Ask, [first, second]: readonly unknown[]): unknown => {
    if (ctx === undefined) throw new TypeError('this call has no ctx');
    if (what === 'http.json') return ctx.http.json(requestOf(first));
    if (what === 'http.request') return ctx.http.request(requestOf(first));
    if (what === 'stream.open') return openOne(ctx.http.stream(requestOf(first)));
    if (what === 'pages.open') return openOne(ctx.http.pages(requestOf(first), pagingOf(second)));
    if (what === 'store.get') return ctx.store.get(textOf(first));
    if (what === 'store.set') return ctx.store.set(textOf(first), jsonOf(second));
    if (what === 'store.delete') return ctx.store.delete(textOf(first));
    return Reflect.apply(ctx.reveal, ctx, [textOf(first)]);
  };
  return {
    answer: async (what, args) => {
      if (what === 'next') return next(args[0]);
      if (what === 'return') return end(args[0]);
      if (what !== 'bytes') return ofCtx(what, args);
      const step = await pieces?.next();
      return step === undefined || step.done === true ? null : step.value;
    },
    now: () => (ctx?.now() ?? new Date()).getTime(),
    close: () => {
      for (const items of open.values()) Promise.resolve(items.return?.()).catch(() => undefined);
      open.clear();
    },
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a key must be text');
  return value;
}

function jsonOf(value: unknown): Json {
  // it came as JSON; bytes are none
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

const isTextOrMissing = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** The types of the parts that decide where a request goes; the rest is judged where the request is planned. */
function isRequest(value: unknown): value is HttpRequest {
  if (!isObject(value) || typeof value['path'] !== 'string') return false;
  const { method, service, query, headers, form, accept } = value;
  return (
    isTextOrMissing(method) &&
    isTextOrMissing(service) &&
    [query, headers, form].every((part) => part === undefined || isObject(part)) &&
    Object.values(isObject(headers) ? headers : {}).every((one) => typeof one === 'string') &&
    (accept === undefined || (Array.isArray(accept) && accept.every((one) => typeof one === 'number')))
  );
}

function requestOf(value: unknown): HttpRequest {
  if (isRequest(value)) return value;
  throw new TypeError('this is no request: see HttpRequest');
}

const PAGINGS = ['link', 'cursor', 'next', 'page', 'offset'];

function isPaging(value: unknown): value is Paging {
  return isObject(value) && PAGINGS.some((type) => type === value['type']);
}

function pagingOf(value: unknown): Paging {
  if (isPaging(value)) return value;
  throw new TypeError('this is no paging: see Paging');
}
