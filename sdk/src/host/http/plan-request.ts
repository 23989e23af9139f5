import type { Auth } from '../../connector.ts';
import type { HttpRequest } from '../../context.ts';
import { ConnectorError } from '../../errors.ts';
import type { HostConnection } from '../connection.ts';
import type { Outgoing } from '../egress/egress-gate.ts';
import { type Root, rootOf } from '../egress/roots.ts';
import { isSentToSecret } from '../egress/secret-address.ts';

/** A request of a connector's code, judged and made whole, not yet signed. */
export interface PlannedRequest {
  readonly url: URL;
  readonly method: Outgoing['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Sent to `baseUrl`, so the host signs it. */
  readonly isSigned: boolean;
  /** Sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean;
  accepts(status: number): boolean;
}

/** The host's own, or of one connection and not of one request. */
const HOST_HEADERS = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws ConnectorError config, where the form has no such address; TypeError, where the code asks for what it may not */
export function planRequest(connection: HostConnection, request: HttpRequest): PlannedRequest {
  const url = isSentToSecret(connection, request.service)
    ? placeholderOf(request)
    : addressOf(rootOf(connection, request.service), request);
  const { method = 'GET', accept = [] } = request;
  const { type, content } = contentOf(request);
  const own = ownHeaders(connection, request);
  return {
    url,
    method,
    headers: {
      accept: '*/*',
      'user-agent': 'Breakwater',
      ...(type === undefined ? {} : { 'content-type': type }),
      ...own,
      'accept-encoding': 'gzip, deflate',
    },
    body: content,
    isSigned: request.service === undefined,
    isRepeatable: method === 'GET' || method === 'HEAD' || Object.hasOwn(own, 'idempotency-key'),
    accepts: (status) => (status >= 200 && status < 300) || accept.includes(status),
  };
}

/** The secret address takes its place when the request is sent. */
function placeholderOf({ path, query = {} }: HttpRequest): URL {
  if (path !== '' || Object.keys(query).length > 0) {
    throw new TypeError('a request to a secret address has an empty path and no query: the address is whole');
  }
  return new URL('https://secret-address.invalid');
}

/** Built as text: `new URL(path, root)` would follow a path like `//elsewhere` to another host. */
function addressOf(root: Root, { path, query = {} }: HttpRequest): URL {
  // The URL standard drops some control characters in silence.
  if (!/^(\/|$)/.test(path) || /[\p{Cc} \\]/u.test(path)) {
    throw new TypeError(
      'the path of a request begins with /, or is empty, and holds no space, backslash or control character',
    );
  }
  const url = new URL(`${root.origin}${root.path}${path.replaceAll('#', '%23')}`);
  if (url.pathname !== root.path && !url.pathname.startsWith(`${root.path}/`)) {
    throw new ConnectorError('config', 'A name in the settings leads out of the service: it must not hold "..".');
  }
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [pair(name, String(one))])),
  );
  // Not by `searchParams`, which would write what stands in the path anew, after the code has signed it.
  if (pairs.length > 0) url.search = `${url.search === '' ? '' : `${url.search}&`}${pairs.join('&')}`;
  return url;
}

/** The same request with other values of these query parameters. */
export function withQuery(request: PlannedRequest, query: Readonly<Record<string, string>>): PlannedRequest {
  const url = new URL(request.url);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((text) => text !== '' && !Object.keys(query).some((name) => text.startsWith(`${encoded(name)}=`)));
  url.search = [...kept, ...Object.entries(query).map(([name, value]) => pair(name, value))].join('&');
  return { ...request, url };
}

/**
 * The same request with other values at these paths of its JSON body; what leads there is made where it is missing.
 * @throws TypeError, where the request has no JSON body
 */
export function withBody(request: PlannedRequest, values: Readonly<Record<string, string | number>>): PlannedRequest {
  if (request.headers['content-type'] !== 'application/json' || typeof request.body !== 'string') {
    throw new TypeError('a list that is paged in the body needs a request with a JSON body');
  }
  let body: unknown = JSON.parse(request.body);
  for (const [path, value] of Object.entries(values)) body = placed(body, path.split('.'), value);
  return { ...request, body: JSON.stringify(body) };
}

function placed(target: unknown, [key, ...rest]: readonly string[], value: string | number): unknown {
  if (key === undefined) return value;
  const fields = typeof target === 'object' && target !== null ? Object.entries(target) : [];
  const known = fields.find(([name]) => name === key)?.[1];
  return Object.fromEntries([...fields.filter(([name]) => name !== key), [key, placed(known, rest, value)]]);
}

function pair(name: string, value: string): string {
  return `${encoded(name)}=${encoded(value)}`;
}

/** Also of half a character, which a browser's form can hold. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function contentOf({ body, form, raw }: HttpRequest): { type?: string; content: string | Uint8Array | undefined } {
  if ([body, form, raw].filter((content) => content !== undefined).length > 1) {
    throw new TypeError('a request has one of body, form and raw');
  }
  if (body !== undefined) return { type: 'application/json', content: JSON.stringify(body) };
  if (form !== undefined) {
    return { type: 'application/x-www-form-urlencoded', content: new URLSearchParams({ ...form }).toString() };
  }
  return { content: raw };
}

function ownHeaders({ connector }: HostConnection, { service, headers = {} }: HttpRequest): Record<string, string> {
  const maySign = (connector.permissions.reveal ?? []).length > 0;
  const signing = service === undefined ? signingHeader(connector.auth) : null;
  const entries = Object.entries(headers).map(([given, value]): [string, string] => {
    const name = given.toLowerCase();
    if (HOST_HEADERS.has(name) || name === signing || (name === 'authorization' && !maySign)) {
      throw new TypeError(`the header "${name}" is the host's`);
    }
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw new TypeError('a header has a name that cannot be sent');
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new TypeError(`the header "${name}" cannot be sent`);
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** The header that the host writes itself into a request to `baseUrl`. */
function signingHeader(auth: Auth): string | null {
  if (auth.type === 'none' || auth.type === 'address') return null;
  return auth.type === 'header' ? auth.name.toLowerCase() : 'authorization';
}
