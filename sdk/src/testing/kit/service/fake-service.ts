import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RecordedRequest } from '../../fixtures.ts';
import { misbehave, type PlayedExchange, type ServiceFault } from './service-fault.ts';

/** What the fake service is to do wrong, and with which of the exchanges. */
interface PlannedFault {
  readonly kind: ServiceFault;
  readonly at: PlayedExchange;
}

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers: string;
  readonly body: string;
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
}

/** Plays recorded exchanges; a request that was not recorded is answered with 404 and kept. */
export async function startFakeService(options: FakeServiceOptions): Promise<FakeService> {
  const seen: SeenRequest[] = [];
  let played: readonly PlayedExchange[] = [];
  let fault: PlannedFault | undefined;
  const used = new Map<PlayedExchange, number>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const exchange = choose(played, request, body, used);
    seen.push({
      method: request.method ?? 'GET',
      address: request.url ?? '/',
      headers: request.rawHeaders.join('\n'),
      body,
      exchange,
    });
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** The most specific exchange; of equal ones the first that was not used yet, else the last. */
function choose(
  exchanges: readonly PlayedExchange[],
  request: IncomingMessage,
  body: string,
  used: ReadonlyMap<PlayedExchange, number>,
): PlayedExchange | null {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const fitting = exchanges.filter(
    ({ path, recorded }) => url.pathname === path && fits(recorded.request, request.method ?? 'GET', url, body),
  );
  const best = Math.max(...fitting.map(specificity));
  const equals = fitting.filter((exchange) => specificity(exchange) === best);
  return equals.find((exchange) => !used.has(exchange)) ?? equals.at(-1) ?? null;
}

function fits({ method = 'GET', query = {}, bodyHas = '' }: RecordedRequest, asked: string, url: URL, body: string) {
  return (
    method === asked &&
    body.includes(bodyHas) &&
    Object.entries(query).every(([name, value]) => url.searchParams.getAll(name).includes(value))
  );
}

function specificity({ recorded: { request } }: PlayedExchange): number {
  return Object.keys(request.query ?? {}).length + (request.bodyHas === undefined ? 0 : 1);
}
