import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { StripeAccount, StripeRefusal } from './stripe-account.ts';
import { stripePage } from './stripe-pages.ts';
import { answerStripe } from './stripe-routes.ts';

export const STRIPE_KEY = 'sk_test_breakwater';
export const STRIPE_WEBHOOK_SECRET = 'whsec_breakwater_test';

/** Stripe on this machine: keeps customers, products, prices, checkouts, subscriptions and invoices, and sends signed events. */
export interface FakeStripe {
  url: string;
  account: StripeAccount;
  /** What it was asked, newest last: method and path, with the form that was sent. */
  requests: { method: string; path: string; form: URLSearchParams; version: string | undefined }[];
  /** Environment of a server that asks it. */
  environment: Record<string, string>;
  /** Sends every event there from now on; undefined: nowhere. */
  sendEventsTo(url: string | undefined): void;
  /** Sends one event. @returns the status of the answer */
  deliver(event: Stripe.Event, options?: { url?: string; secret?: string; sentAt?: number }): Promise<number>;
  /** Waits until every event that was sent has its answer. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
};

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  response.end(JSON.stringify(body));
};

/** An answer is given again for the same key; another request with that key is refused. Source: Stripe, "Idempotent requests", 2026-11. */
class Repeats {
  readonly #known = new Map<string, { form: string; answer: unknown }>();

  answer(key: string | undefined, form: URLSearchParams, make: () => unknown): unknown {
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known === undefined) {
      const answer = structuredClone(make());
      if (key !== undefined) this.#known.set(key, { form: form.toString(), answer });
      return answer;
    }
    if (known.form !== form.toString()) {
      throw new StripeRefusal(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters.',
      );
    }
    return known.answer;
  }
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

const signatureOf = (payload: string, secret: string, sentAt: number | undefined): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, ...(sentAt === undefined ? {} : { timestamp: sentAt }) });

/** Starts one on a port of the system's choice. */
export const startFakeStripe = async (): Promise<FakeStripe> => {
  const requests: FakeStripe['requests'] = [];
  const repeats = new Repeats();
  const underWay = new Set<Promise<unknown>>();
  let target: string | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = request;
    const form = await readForm(request);
    if (!path.startsWith('/v1/')) {
      stripePage(account, { method, path }, response);
      return;
    }
    requests.push({ method, path, form, version: headerOf(request, 'stripe-version') });
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) {
      throw new StripeRefusal(401, 'invalid_request_error', 'Invalid API Key provided.');
    }
    const key = method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
    send(
      response,
      200,
      repeats.answer(key, form, () => answerStripe(account, { method, path, form })),
    );
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!(error instanceof StripeRefusal)) return void response.destroy();
      const { status, type, message, code } = error;
      send(response, status, { error: { type, message, ...(code === undefined ? {} : { code }) } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const deliver: FakeStripe['deliver'] = async (
    event,
    { url: to = target, secret = STRIPE_WEBHOOK_SECRET, sentAt } = {},
  ) => {
    if (to === undefined) throw new Error('no address for events');
    const payload = JSON.stringify(event);
    const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(payload, secret, sentAt) };
    return (await fetch(to, { method: 'POST', headers, body: payload })).status;
  };
  const account: StripeAccount = new StripeAccount(url, (event) => {
    if (target === undefined) return;
    // a server that is away gets nothing: the tests send it again
    const sending: Promise<unknown> = deliver(event)
      .catch(() => undefined)
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  });
  return {
    url,
    account,
    requests,
    environment: {
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET,
      STRIPE_BASE_URL: url,
    },
    sendEventsTo: (to) => {
      target = to;
    },
    deliver,
    settled: async () => {
      await Promise.all(underWay);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
