import type { EgressGate, Outgoing } from '../../../host/egress/egress-gate.ts';
import type { AskedRequest } from '../service/exact-request.ts';
import { answerOf, textOf } from './recording-gate.ts';
import { type NamedRoot, rootOfAddress, type ScrubbedExchange } from './scrubbed-exchange.ts';

/** What was asked in a replay, and which exchange answered. */
export interface Replayed {
  readonly exchange: ScrubbedExchange;
  readonly asked: AskedRequest;
}

/**
 * A gate that answers from a recording, each exchange once: the one of the same path that is most alike. So a request may hold a time or
 * a random id that is another one each time.
 */
export function createReplayGate(
  exchanges: readonly ScrubbedExchange[],
  roots: readonly NamedRoot[],
): { gate: EgressGate; replayed: readonly Replayed[] } {
  const left = new Set(exchanges);
  const replayed: Replayed[] = [];
  return {
    gate: {
      send: async (request) => {
        const root = rootOfAddress(roots, request.url);
        const path = request.url.pathname.slice(root?.path.length ?? 0);
        const [exchange] = [...left]
          .filter((one) => one.method === request.method && one.service === root?.service && one.path === path)
          .toSorted((one, other) => distance(one, request) - distance(other, request));
        if (exchange === undefined || root === undefined) {
          throw new Error(`${request.method} ${request.url.pathname} was not asked while it was recorded`);
        }
        left.delete(exchange);
        replayed.push({ exchange, asked: askedOf(request) });
        const { status = 200, headers = {}, body, text } = exchange.answer;
        const type = body === undefined ? {} : { 'content-type': 'application/json' };
        const fill = (value: string): string => value.replaceAll('{{base}}', `${root.origin}${root.path}`);
        return answerOf(
          {
            status,
            headers: {
              ...type,
              ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
            },
            hasBody: request.method !== 'HEAD',
          },
          new TextEncoder().encode(fill(body === undefined ? (text ?? '') : JSON.stringify(body))),
        );
      },
      close: async () => undefined,
    },
    replayed,
  };
}

function askedOf({ method, url, headers, body }: Outgoing): AskedRequest {
  return { method, address: `${url.pathname}${url.search}`, headers, body: textOf(body) };
}

/** In how many parameters a request differs, and whether its body does. */
function distance({ search, body }: ScrubbedExchange, { url, body: sent }: Outgoing): number {
  const [recorded, asked] = [new URLSearchParams(search), url.searchParams];
  const names = new Set([...recorded.keys(), ...asked.keys()]);
  const others = [...names].filter((name) => String(recorded.getAll(name)) !== String(asked.getAll(name)));
  return others.length + (body === textOf(sent) ? 0 : 0.5);
}
