import { OWN_ROUTE_PATH } from '@breakwater/sdk';
import type { ViewErrorCode, ViewRequest } from '@breakwater/sdk/view';

/** Longest message of a view, in characters. */
export const MAX_REQUEST = 64 * 1024;

const MAX_ROUTE = 210;

/** A message of a view, or why it is none; `id` where one is known that can be answered. */
export type ReadRequest =
  | { readonly request: ViewRequest }
  | { readonly id: number | undefined; readonly code: ViewErrorCode; readonly message: string };

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of each message, and nothing besides. */
const SHAPES: ReadonlyMap<unknown, Shape> = new Map<ViewRequest['method'], Shape>([
  ['getConnection', { id: isId }],
  ['call', { id: isId, route: (value) => parseRoute(value) !== undefined, input: isRecord }],
  ['resize', { id: isId, height: (value) => typeof value === 'number' && Number.isFinite(value) }],
  ['pong', {}],
]);

/** `GET /projects` in its parts; nothing where it is no route. */
export const parseRoute = (route: unknown): { method: 'GET' | 'POST'; path: string } | undefined => {
  if (typeof route !== 'string' || route.length > MAX_ROUTE) return undefined;
  const [, method, path = ''] = /^(GET|POST) (.*)$/s.exec(route) ?? [];
  if (!OWN_ROUTE_PATH.test(path)) return undefined;
  return { method: method === 'GET' ? 'GET' : 'POST', path };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fits = (message: Record<string, unknown>): boolean => {
  const shape = SHAPES.get(message['method']);
  if (shape === undefined) return false;
  const names = Object.keys(message).filter((name) => name !== 'method');
  return (
    names.every((name) => Object.hasOwn(shape, name)) &&
    Object.entries(shape).every(([name, isSound]) => isSound(message[name]))
  );
};

const isRequest = (message: unknown): message is ViewRequest => isRecord(message) && fits(message);

/** Reads what a view sent. @param data as it came over the port: only text counts */
export const readViewRequest = (data: unknown): ReadRequest => {
  // no text: for the author of the view
  const invalid = (id: number | undefined, message: string): ReadRequest => ({ id, code: 'invalid', message });
  if (typeof data !== 'string') return invalid(undefined, 'A message is JSON text.');
  if (data.length > MAX_REQUEST) return invalid(undefined, `A message has at most ${MAX_REQUEST} characters.`);
  const parsed = parse(data);
  const message =
    isRecord(parsed) && parsed['method'] === 'call' ? { ...parsed, input: parsed['input'] ?? {} } : parsed;
  if (isRequest(message)) return { request: message };
  const id = isRecord(parsed) && isId(parsed['id']) ? Number(parsed['id']) : undefined;
  return invalid(
    id,
    'The host knows no such message: getConnection, call with a route such as "GET /projects", resize.',
  );
};
