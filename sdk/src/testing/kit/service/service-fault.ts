import type { ServerResponse } from 'node:http';
import type { Exchange, RecordedRequest } from '../../fixtures.ts';

/** Everything that a service can do wrong in the fault matrix. Source: architecture.md §6. */
export const SERVICE_FAULTS = [
  'status 401',
  'status 403',
  'status 429',
  'status 500',
  'no answer',
  'slow body',
  'reset connection',
  'truncated body',
  'cut connection',
  'page instead of data',
  'another document',
  'a bare text',
  'a bare number',
  'an empty document',
  'more than 10 MB',
  'redirect to a private address',
  'redirect to the metadata service',
  'secrets echoed with 401',
  'secrets echoed with 500',
] as const;

/** Answers that mean what the connector makes of them, tried on the paths of the statechart only. */
const OPEN_FAULTS = ['status 404', 'status 501'] as const;

export type ServiceFault = (typeof SERVICE_FAULTS)[number] | (typeof OPEN_FAULTS)[number];

export const RETRY_AFTER_SECONDS = 120;

/** An exchange whose path is whole and whose answer is bytes. */
export interface PlayedExchange {
  readonly recorded: Exchange;
  /** The recorded request, signed. */
  readonly request: RecordedRequest;
  /** Of a case of `wrong`: it goes before what is recorded otherwise. */
  readonly isOverride: boolean;
  /** Path with the root of its service before it. */
  readonly path: string;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  };
}

interface Situation {
  readonly response: ServerResponse;
  readonly exchange: PlayedExchange;
  readonly secrets: readonly string[];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const DRIP_MS = 50;
const MEGABYTE = 1024 * 1024;

/** Answers wrongly, in one of the ways of the fault matrix. */
export function misbehave(fault: ServiceFault, situation: Situation): void {
  FAULTS[fault](situation);
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  ({ response }: Situation) => {
    response.writeHead(code, { ...JSON_TYPE, ...headers });
    response.end(JSON.stringify({ message: 'It went wrong.' }));
  };
const document =
  (make: (recorded: string) => string) =>
  ({ response, exchange }: Situation) => {
    response.writeHead(exchange.answer.status, { ...JSON_TYPE, ...exchange.answer.headers });
    response.end(make(new TextDecoder().decode(exchange.answer.body)));
  };
const redirect = (location: string) => status(302, { location });
const echo =
  (code: number) =>
  ({ response, secrets }: Situation) => {
    response.writeHead(code, JSON_TYPE);
    const message = `Bad credentials: ${secrets.join(' ')}`;
    response.end(JSON.stringify({ message, error: message, error_description: message, errors: [{ message }] }));
  };

const FAULTS: Record<ServiceFault, (situation: Situation) => void> = {
  'status 401': status(401),
  'status 403': status(403),
  'status 404': status(404),
  'status 429': status(429, { 'retry-after': String(RETRY_AFTER_SECONDS) }),
  'status 500': status(500),
  'status 501': status(501),
  'no answer': () => undefined,
  'slow body': slowBody,
  'reset connection': ({ response }) => response.socket?.resetAndDestroy(),
  'truncated body': document((recorded) => recorded.slice(0, Math.floor(recorded.length / 2))),
  'cut connection': cutConnection,
  'page instead of data': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sign in to the network</title><p>Please sign in.');
  },
  'another document': document((recorded) => (recorded.trimStart().startsWith('[') ? '{}' : '[]')),
  'a bare text': document(() => '"unexpected"'),
  'a bare number': document(() => '42'),
  'an empty document': document((recorded) => (recorded.trimStart().startsWith('[') ? '[]' : '{}')),
  'more than 10 MB': huge,
  'redirect to a private address': redirect('http://10.0.0.1/'),
  'redirect to the metadata service': redirect('http://169.254.169.254/latest/meta-data/'),
  'secrets echoed with 401': echo(401),
  'secrets echoed with 500': echo(500),
};

/** A byte now and then, never the end. */
function slowBody({ response, exchange }: Situation): void {
  response.writeHead(exchange.answer.status, exchange.answer.headers);
  const timer = setInterval(() => response.write(' '), DRIP_MS);
  response.once('close', () => clearInterval(timer));
}

function cutConnection({ response, exchange }: Situation): void {
  const { status: code, headers, body } = exchange.answer;
  response.writeHead(code, { ...headers, 'content-length': String(body.byteLength + 1) });
  response.write(body, () => response.destroy());
}

/** Good JSON, but too much of it. */
function huge({ response, exchange }: Situation): void {
  response.writeHead(exchange.answer.status, JSON_TYPE);
  response.write('["');
  const part = Buffer.alloc(MEGABYTE, 'a');
  let left = 11;
  const writeMore = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(part)) {
        response.once('drain', writeMore);
        return;
      }
    }
    response.end('"]');
  };
  writeMore();
}
