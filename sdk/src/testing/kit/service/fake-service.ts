import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RecordedRequest } from '../../fixtures.ts';
import { type AskedRequest, differencesOf } from './exact-request.ts';
import { isMatch, type Values } from './placeholders.ts';
import { misbehave, type PlayedExchange, type ServiceFault } from './service-fault.ts';

/** What the fake service is to do wrong, and with which of the exchanges. */
interface PlannedFault {
  readonly kind: ServiceFault;
  readonly at: PlayedExchange;
}

export interface SeenRequest extends AskedRequest {
  /** Which recorded exchange answered. */
  readonly exchange: PlayedExchange | null;
}

/** A service of one conversation on 127.0.0.1. */
export interface FakeService {
  readonly url: URL;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

interface FakeServiceOptions {
  /** Made after the address is known, because answers may hold it. */
  exchanges(url: URL): readonly PlayedExchange[];
  fault?(exchanges: readonly PlayedExchange[]): PlannedFault | undefined;
  /** What the service repeats in the faults that echo. */
  readonly secrets?: readonly string[];
  /** Fields of the form, for `{{field}}` in recorded requests. */
  readonly values?: Values;
}

/** Plays recorded exchanges; a request that was not recorded is answered with 404 and kept. */
export async function startFakeService(options: FakeServiceOptions): Promise<FakeService> {
  const seen: SeenRequest[] = [];
  let played: readonly PlayedExchange[] = [];
  let fault: PlannedFault | undefined;
  const used = new Map<PlayedExchange, number>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await readRequest(request);
    const exchange = choose(played, asked, { used, values: options.values ?? {} });
    seen.push({ ...asked, exchange });
    if (exchange === null) return answer(response, NOT_RECORDED);
    if (fault?.at === exchange) return misbehave(fault.kind, { response, exchange, secrets: options.secrets ?? [] });
    used.set(exchange, (used.get(exchange) ?? 0) + 1);
    answer(response, exchange.answer);
  };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = new URL(`http://127.0.0.1:${port}`);
  played = options.exchanges(url);
  fault = options.fault?.(played);
  return {
    url,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NOT_RECORDED = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"message":"not recorded"}'),
};

function answer(response: ServerResponse, { status, headers, body }: PlayedExchange['answer']): void {
  response.writeHead(status, { ...headers, 'content-length': String(body.byteLength) });
  response.end(body);
}

async function readRequest(request: IncomingMessage): Promise<AskedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers = Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return {
    method: request.method ?? 'GET',
    address: request.url ?? '/',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

interface Choice {
  readonly used: ReadonlyMap<PlayedExchange, number>;
  readonly values: Values;
}

/**
 * Of a case of `wrong` first; then the one that is exactly as asked, then the most specific one. Of equal ones the first that was not
 * used yet, else the last.
 */
function choose(
  exchanges: readonly PlayedExchange[],
  asked: AskedRequest,
  { used, values }: Choice,
): PlayedExchange | null {
  const url = new URL(asked.address, 'http://127.0.0.1');
  const fitting = exchanges.filter(
    ({ path, request }) => url.pathname === path && fits(request, asked, url.searchParams),
  );
  const overrides = fitting.filter(({ isOverride }) => isOverride);
  const exact = fitting.filter(({ request }) => differencesOf(request, asked, values).length === 0);
  const [candidates = fitting] = [overrides, exact].filter((some) => some.length > 0);
  const best = Math.max(...candidates.map(specificity));
  const equals = candidates.filter((exchange) => specificity(exchange) === best);
  return equals.find((exchange) => !used.has(exchange)) ?? equals.at(-1) ?? null;
}

function fits(
  { method = 'GET', query = {}, bodyHas = '' }: RecordedRequest,
  asked: AskedRequest,
  sent: URLSearchParams,
) {
  return (
    method === asked.method &&
    asked.body.includes(bodyHas) &&
    Object.entries(query).every(([name, value]) =>
      [value].flat().every((one) => sent.getAll(name).some((text) => isMatch(one, text))),
    )
  );
}

function specificity({ request }: PlayedExchange): number {
  return Object.keys(request.query ?? {}).length + (request.bodyHas === undefined ? 0 : 1);
}
