import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { ConnectorError } from '../../errors.ts';
import { LIMITS } from '../limits.ts';
import {
  type AddressKind,
  addressKind,
  pinnedLookup,
  RefusedAddress,
  type Resolve,
  resolveBySystem,
} from './addresses.ts';
import { type EgressRules, hostAndPort, isAllowed } from './egress-rules.ts';

export interface EgressOptions {
  /** The operator's `BREAKWATER_ALLOW_PRIVATE_HOSTS`: private addresses and plain http for everybody. */
  readonly allowPrivateHosts: boolean;
  /** `host:port` that the operator or the kit named: private and plain http are allowed there. */
  readonly trusted?: readonly string[];
  /** Instead of the system's resolver. */
  readonly resolve?: Resolve;
}

/** One request as it goes out, one hop. */
export interface Outgoing {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly rules: EgressRules;
  /** The service sent us there: what is refused is its error, not the form's. */
  readonly isRedirect: boolean;
  readonly signal: AbortSignal;
  readonly headersMs: number;
  readonly idleMs: number;
}

/** An answer whose body has not been read. */
export interface Incoming {
  readonly status: number;
  /** Names in lower case; without `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** False for an answer that has none whatever its headers say. */
  readonly hasBody: boolean;
}

/** The only egress. Every request and every redirect goes through `send`. */
export interface EgressGate {
  /** @throws ConnectorError `config` (a redirect: `upstream`) where it may not go there; else what the network says */
  send(request: Outgoing): Promise<Incoming>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** All organisations share them; a request that waits for one is within its own limits. */
const CONNECTIONS_PER_ORIGIN = 128;

/** Source: architecture §5, safety 22. */
export function createEgressGate(options: EgressOptions): EgressGate {
  const { allowPrivateHosts, trusted = [], resolve = resolveBySystem } = options;
  const named = new Set(trusted.flatMap(placesOf));
  // Two pools: a connection that was opened for a trusted host must not serve who may not go there.
  const outer = agentFor(resolve, isPublic);
  const inner = agentFor(resolve, isReachable);
  return {
    send: async (request) => {
      const target = hostAndPort(request.url);
      const mayBePrivate = allowPrivateHosts || named.has(target) || request.rules.trusted.has(target);
      const accepts = mayBePrivate ? isReachable : isPublic;
      admit(request, mayBePrivate, accepts);
      try {
        return await dispatch(mayBePrivate ? inner : outer, request);
      } catch (error) {
        throw error instanceof RefusedAddress ? refusedAddress(request, error.kind) : error;
      }
    },
    close: async () => {
      await Promise.all([outer.destroy(), inner.destroy()]);
    },
  };
}

/** `host:port` of a trusted host; one without a port is trusted at the usual ones. */
function placesOf(host: string): string[] {
  return ['http', 'https'].flatMap((scheme) => URL.parse(`${scheme}://${host}`) ?? []).map(hostAndPort);
}

const isPublic = (kind: AddressKind): boolean => kind === 'public';
const isReachable = (kind: AddressKind): boolean => kind !== 'forbidden';

function agentFor(resolve: Resolve, accepts: (kind: AddressKind) => boolean): Agent {
  return new Agent({
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    connect: { lookup: pinnedLookup(resolve, accepts), timeout: LIMITS.connectMs },
  });
}

/** Everything that can be judged before a name is resolved. */
function admit(request: Outgoing, mayBePrivate: boolean, accepts: (kind: AddressKind) => boolean): void {
  const { url, rules } = request;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refusal(request, (host) => `${host} is not an address of the web.`);
  if (url.username !== '' || url.password !== '')
    throw refusal(request, (host) => `${host} comes with a user name or password in it.`);
  const literal = literalOf(url);
  if (literal !== null && !accepts(addressKind(literal))) throw refusedAddress(request, addressKind(literal));
  if (!isAllowed(rules, url))
    throw refusal(request, (host) => `${host} is not among the hosts that ${rules.title} may call.`);
  if (url.protocol === 'http:' && !mayBePrivate) {
    throw refusal(request, (host) => `${host} must be called by https.`, `Use https. ${operatorHelp(rules)}`);
  }
}

/** The address where the host is one. The URL standard has brought every spelling of IPv4 to four numbers. */
function literalOf({ hostname }: URL): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null;
}

function refusedAddress(request: Outgoing, kind: AddressKind): ConnectorError {
  if (kind === 'forbidden') return refusal(request, (host) => `${host} leads to an address that is never called.`);
  return refusal(
    request,
    (host) => `${host} is in a private network, which is not called.`,
    operatorHelp(request.rules),
  );
}

function operatorHelp({ setting }: EgressRules): string {
  return `For a host in your own network, the operator of Breakwater sets BREAKWATER_ALLOW_PRIVATE_HOSTS=true, or names the host in ${setting}.`;
}

/** @param sentence says it of the host, which is also the end of what another service did */
function refusal(
  { url, rules, isRedirect }: Outgoing,
  sentence: (host: string) => string,
  help?: string,
): ConnectorError {
  const host = url.host === '' ? url.protocol : url.host;
  const options = help === undefined ? {} : { help };
  return isRedirect
    ? new ConnectorError('upstream', sentence(`${rules.title} sent the request on to "${host}", which`), options)
    : new ConnectorError('config', sentence(`"${host}"`), options);
}

async function dispatch(agent: Agent, request: Outgoing): Promise<Incoming> {
  const { url, method, headers, body, signal, headersMs, idleMs } = request;
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers,
    body: body ?? null,
    signal,
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
  });
  const { statusCode: status } = answer;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  return { status, headers: plainHeaders(answer.headers), body: answer.body, hasBody };
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'set-cookie' ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}
