import type { AnyConnector } from '../../../connector.ts';
import { type Root, rootOf } from '../../../host/egress/roots.ts';
import type { RecordedAnswer } from '../../fixtures.ts';
import { CommandError } from '../commands/command-error.ts';
import type { RawExchange } from './recording-gate.ts';
import type { Scrubber } from './scrub.ts';

/** An exchange of the service without secrets, below the root that it was sent to. */
export interface ScrubbedExchange {
  readonly method: string;
  /** Name of one of the connector's services; left out: `baseUrl`. */
  readonly service?: string;
  /** Below the root. */
  readonly path: string;
  /** Query and body as they were sent, to tell requests to one path apart. */
  readonly search: string;
  readonly body: string;
  readonly answer: RecordedAnswer;
}

/** A root of the connector with its name; `baseUrl` has none. */
export interface NamedRoot extends Root {
  readonly service?: string;
}

/** Roots of a connector with these values, those with the longest path first. */
export function rootsOf(
  connector: AnyConnector,
  config: Readonly<Record<string, unknown>>,
  baseUrlOverride?: URL,
): NamedRoot[] {
  const address = { connector, config, baseUrlOverride };
  const own = connector.baseUrl === undefined ? [] : [rootOf(address)];
  const services = Object.keys(connector.services ?? {}).map((service) => ({ service, ...rootOf(address, service) }));
  return [...own, ...services].toSorted((left, right) => right.path.length - left.path.length);
}

/** The root that an address is below; undefined where there is none, as after a redirect to another host. */
export function rootOfAddress(roots: readonly NamedRoot[], { origin, pathname }: URL): NamedRoot | undefined {
  return roots.find(
    (root) => root.origin === origin && (pathname === root.path || pathname.startsWith(`${root.path}/`)),
  );
}

/** @throws CommandError where an answer cannot be written down */
export function scrubbedExchange(raw: RawExchange, roots: readonly NamedRoot[], scrubber: Scrubber): ScrubbedExchange {
  const root = rootOfAddress(roots, raw.url);
  if (root === undefined) {
    throw new CommandError(
      `A request went to ${raw.url.origin}, which is no root of the connector: a fixture cannot hold it.`,
    );
  }
  const { service } = root;
  return {
    method: raw.method,
    ...(service === undefined ? {} : { service }),
    path: scrubber.text(raw.url.pathname.slice(root.path.length)),
    search: scrubber.text(raw.url.search),
    body: scrubber.text(raw.body),
    answer: scrubbedAnswer(raw, root, scrubber),
  };
}

function scrubbedAnswer({ answer, url }: RawExchange, root: Root, scrubber: Scrubber): RecordedAnswer {
  const base = `${root.origin}${root.path}`;
  /** The service's own address becomes that of the fake service. */
  const relative = (text: string): string => text.replaceAll(base, '{{base}}');
  const text = decoded(answer.bytes, url);
  const json = parsed(text);
  const names = [...answer.used].filter((name) => name !== 'content-type' || json === undefined).toSorted();
  const headers = names.flatMap((name): [string, string][] => {
    const value = answer.headers[name];
    return value === undefined ? [] : [[name, relative(scrubber.header(name, value))]];
  });
  const type = answer.headers['content-type'];
  if (json === undefined && text !== '' && type !== undefined && !answer.used.has('content-type'))
    headers.push(['content-type', type]);
  return {
    ...(answer.status === 200 ? {} : { status: answer.status }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(json === undefined
      ? text === ''
        ? {}
        : { text: relative(scrubber.text(text)) }
      : { body: JSON.parse(relative(JSON.stringify(scrubber.json(json)))) }),
  };
}

function decoded(bytes: Uint8Array, { pathname }: URL): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(
      `The answer to ${pathname} is not text: secrets in it could not be scrubbed. Put it into a file by hand.`,
    );
  }
}

/** A scalar is left as text, so that it is answered byte by byte. */
function parsed(text: string) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
