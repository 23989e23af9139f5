import { type EgressGate, hostAndPort } from '@breakwater/sdk/host';
import Stripe from 'stripe';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { createEgressFetch } from '../../../platform/server/identity/egress-fetch.ts';

export interface StripeOptions {
  /** `sk_…` of the installation's account. */
  secretKey: string;
  /** `whsec_…` of the endpoint `/api/v1/stripe/webhook`. */
  webhookSecret: string;
  /** In place of `https://api.stripe.com`. */
  baseUrl: URL | undefined;
  gate: EgressGate;
}

/** Stripe, asked through the egress gate, by the library's own API version. */
export interface StripeService {
  client: Stripe;
  webhookSecret: string;
}

const REQUEST_MS = 20_000;
const API = new URL('https://api.stripe.com');

/** What the library needs of `fetch`. */
const fetchBy = (gate: EgressGate, base: URL | undefined): typeof globalThis.fetch => {
  const send = createEgressFetch(gate, {
    title: 'billing',
    name: 'The payment provider',
    trusted: base === undefined ? [] : [hostAndPort(base)],
    timeoutMs: REQUEST_MS,
  });
  return (address, { method = 'GET', headers, body, signal } = {}) =>
    send(address instanceof Request ? address.url : address.toString(), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : undefined,
      redirect: 'manual',
      ...(signal === null || signal === undefined ? {} : { signal }),
    });
};

export const createStripeService = ({ secretKey, webhookSecret, baseUrl, gate }: StripeOptions): StripeService => {
  const { hostname, port, protocol } = baseUrl ?? API;
  const isPlain = protocol === 'http:';
  const client = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(fetchBy(gate, baseUrl)),
    host: hostname,
    port: port === '' ? (isPlain ? '80' : '443') : port,
    protocol: isPlain ? 'http' : 'https',
    maxNetworkRetries: 2,
    timeout: REQUEST_MS,
    telemetry: false,
  });
  return { client, webhookSecret };
};

const NOT_CONFIGURED = msg(
  'Payment is not configured on this server. Its operator sets STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
);

/** @throws integration_not_configured */
export const requireStripe = (stripe: StripeService | undefined): StripeService => {
  if (stripe === undefined) throw new AppError('integration_not_configured', NOT_CONFIGURED);
  return stripe;
};

/** Whether Stripe says that there is no such thing. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

/** Asks Stripe. @throws upstream_failed with its reason */
export const askStripe = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const isOurs = error instanceof Stripe.errors.StripeConnectionError;
    const reason = isOurs ? msg('It cannot be reached.') : error.message;
    throw new AppError('upstream_failed', say('Stripe did not answer as expected. {reason}', { reason }), {
      cause: error,
    });
  }
};
