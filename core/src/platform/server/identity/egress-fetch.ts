import { ConnectorError } from '@breakwater/sdk';
import type { EgressGate } from '@breakwater/sdk/host';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';

/** Documents of identity and payment providers are small. */
const MAX_BYTES = 1024 * 1024;
const REQUEST_MS = 10_000;
const NO_BODY = new Set([204, 205, 304]);

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** Who is asked. */
interface Service {
  /** What asks, for messages of the gate. */
  title: string;
  /** As sentences begin with it. */
  name: string;
  /** `host:port` that the operator named. */
  trusted: readonly string[];
  timeoutMs: number;
  /** Of an answer; without it 1 MB. */
  maxBytes?: number;
}

const IDENTITY_PROVIDER: Service = {
  title: 'single sign-on',
  name: 'The identity provider',
  trusted: [],
  timeoutMs: REQUEST_MS,
};

const bodyOf = (body: CustomFetchOptions['body']): string | Uint8Array | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A request to a service has a body of an unknown kind.');
};

const readBody = async (
  body: AsyncIterable<Uint8Array>,
  { name, maxBytes = MAX_BYTES }: Service,
): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxBytes) {
      // no text: the caller says what failed
      throw new ConnectorError('upstream', `${name} answered with more than ${maxBytes / 1024 / 1024} MB.`);
    }
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
};

/**
 * Requests of libraries, such as openid-client and stripe, by the egress gate: no private address unless the operator allows it, names resolved once, redirects not
 * followed. A provider names its endpoints itself, so each may be at another public host.
 */
export const createEgressFetch =
  (gate: EgressGate, service: Service = IDENTITY_PROVIDER): CustomFetch =>
  async (address, options) => {
    const { title, name, trusted, timeoutMs } = service;
    const url = new URL(address);
    const method = METHODS.find((one) => one === options.method);
    if (method === undefined) throw new TypeError(`${name} is not called by ${options.method}.`);
    const host = { name: url.hostname.replace(/\.$/, ''), isWildcard: false, port: url.port === '' ? null : url.port };
    const deadline = AbortSignal.timeout(timeoutMs);
    const incoming = await gate.send({
      url,
      method,
      headers: options.headers,
      body: bodyOf(options.body),
      rules: { title, setting: '', hosts: [host], places: new Set(), trusted: new Set(trusted) },
      isRedirect: false,
      signal: options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]),
      headersMs: timeoutMs,
      idleMs: timeoutMs,
    });
    const bytes = await readBody(incoming.body, service);
    const { status, headers } = incoming;
    return new Response(NO_BODY.has(status) ? null : bytes, { status, headers: { ...headers } });
  };
