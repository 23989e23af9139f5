import { Readable } from 'node:stream';
import type { EgressGate, Incoming, Outgoing } from '../../../host/egress/egress-gate.ts';
import { wholeBody } from '../../../host/http/read-body.ts';
import { LIMITS } from '../../../host/limits.ts';
import { CommandError } from '../commands/command-error.ts';

/** One request as it went out, and its whole answer, nothing scrubbed. */
export interface RawExchange {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly bytes: Uint8Array;
    /** Headers that the host or the connector's code has looked at; the others change from answer to answer. */
    readonly used: ReadonlySet<string>;
  };
}

/** A recording of a larger account would be read by nobody. */
const MOST_EXCHANGES = 500;

/**
 * A gate that writes down everything that goes through it, in the order in which it was asked. What was asked at the same time is sorted:
 * its order differs from run to run.
 */
export function createRecordingGate(gate: EgressGate): { gate: EgressGate; exchanges(): RawExchange[] } {
  const places: { exchange?: RawExchange }[] = [];
  let open = 0;
  let isConcurrent = false;
  return {
    gate: {
      send: async (request) => {
        if (places.length >= MOST_EXCHANGES) {
          throw new CommandError(
            `More than ${MOST_EXCHANGES} requests were made: record with an account that holds less, such as one project.`,
          );
        }
        const place: { exchange?: RawExchange } = {};
        places.push(place);
        isConcurrent ||= open > 0;
        open += 1;
        const { answer, bytes } = await whole(gate, request).finally(() => {
          open -= 1;
        });
        const { headers, used } = watchHeaders(answer.headers);
        place.exchange = {
          method: request.method,
          url: request.url,
          body: textOf(request.body),
          answer: { status: answer.status, headers: plain(answer.headers), bytes, used },
        };
        return answerOf({ ...answer, headers }, bytes);
      },
      close: () => gate.close(),
    },
    exchanges: () => {
      const exchanges = places.flatMap(({ exchange }) => exchange ?? []);
      return isConcurrent
        ? exchanges.toSorted((one, other) => requestKey(one).localeCompare(requestKey(other), 'en'))
        : exchanges;
    },
  };
}

/** The same for the same request. */
export function requestKey({ method, url, body }: RawExchange): string {
  return `${method} ${url.href} ${body}`;
}

async function whole(gate: EgressGate, request: Outgoing): Promise<{ answer: Incoming; bytes: Uint8Array }> {
  const answer = await gate.send({ ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } });
  return { answer, bytes: await wholeBody(answer, LIMITS.answerBytes) };
}

/** Headers of how the body was sent, which has been read by now. */
const TRANSPORT = new Set(['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive']);

function plain(headers: Incoming['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !TRANSPORT.has(name)));
}

function watchHeaders(headers: Incoming['headers']): { headers: Incoming['headers']; used: Set<string> } {
  const used = new Set<string>();
  const watched = new Proxy(plain(headers), {
    get(target, name, receiver) {
      if (typeof name === 'string') used.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
  return { headers: watched, used };
}

/** An answer whose body has been read already. */
export function answerOf({ status, headers, hasBody }: Omit<Incoming, 'body'>, bytes: Uint8Array): Incoming {
  return { status, headers, hasBody, body: Readable.from(bytes.byteLength === 0 ? [] : [bytes]) };
}

/** The body of a request; connectors send text. */
export function textOf(body: Outgoing['body']): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array());
}
