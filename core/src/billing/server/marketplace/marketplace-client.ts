import { randomUUID } from 'node:crypto';
import { isConnectorError } from '@breakwater/sdk';
import { type EgressGate, hostAndPort } from '@breakwater/sdk/host';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { createEgressFetch } from '../../../platform/server/identity/egress-fetch.ts';
import { createEntra, type EntraAccount } from './entra.ts';

export interface MarketplaceOptions extends EntraAccount {
  /** In place of `https://marketplaceapi.microsoft.com/api`. */
  baseUrl: URL | undefined;
  /** In place of `https://login.microsoftonline.com`. */
  loginUrl: URL | undefined;
  gate: EgressGate;
}

const API = 'https://marketplaceapi.microsoft.com/api';
const LOGIN = 'https://login.microsoftonline.com';
const API_VERSION = '2018-08-31';
/** Microsoft waits ten seconds for the answer to an operation, in which two requests are made. */
const REQUEST_MS = 8_000;

// answers of a vendor: what is needed, and no more
const Subscription = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  offerId: Type.String(),
  planId: Type.String(),
  quantity: Type.Optional(Type.Unknown()),
  saasSubscriptionStatus: Type.String(),
  term: Type.Optional(Type.Object({ endDate: Type.Optional(Type.String()) })),
});
const Resolved = Type.Object({ id: Type.String(), subscription: Subscription });
const Operation = Type.Object({
  id: Type.String(),
  subscriptionId: Type.String(),
  action: Type.String(),
  status: Type.String(),
  planId: Type.Optional(Type.String()),
  quantity: Type.Optional(Type.Unknown()),
});

export type MarketplacePurchase = Static<typeof Subscription>;
export type MarketplaceOperation = Static<typeof Operation>;

/** The marketplace, asked through the egress gate as the publisher. All of it throws upstream_failed with its reason. */
export interface Marketplace {
  /** What a buyer's token stands for. @throws link_invalid */
  resolve(token: string): Promise<MarketplacePurchase>;
  /** Undefined where the marketplace knows it no more. */
  readSubscription(id: string): Promise<MarketplacePurchase | undefined>;
  activate(id: string, plan: { planId: string; quantity: number | null }): Promise<void>;
  /** Undefined where there is no such operation. */
  readOperation(subscriptionId: string, operationId: string): Promise<MarketplaceOperation | undefined>;
  /** Says that a change was made here; one that is settled already is left alone. */
  confirmOperation(operation: MarketplaceOperation): Promise<void>;
  /** @throws forbidden where the header holds no token of Microsoft for this application */
  verifyCaller(authorization: string | undefined): Promise<void>;
}

interface Asked {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

interface Answered {
  status: number;
  text: string;
}

const failure = (reason: string, cause?: unknown): AppError =>
  new AppError('upstream_failed', say('The Microsoft Marketplace did not answer as expected. {reason}', { reason }), {
    cause,
  });

const read = <S extends TSchema>(schema: S, { text }: Answered): Static<S> => {
  try {
    return Value.Parse(schema, JSON.parse(text));
  } catch (error) {
    throw failure(msg('Its answer cannot be read.'), error);
  }
};

/** Seats of a purchase or operation; null where the plan is not sold by seats. */
export const seatsOf = (quantity: unknown): number | null => {
  const count = typeof quantity === 'string' ? Number(quantity) : quantity;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : null;
};

const planBody = ({ planId, quantity }: { planId: string | undefined; quantity: number | null }) => ({
  ...(planId === undefined ? {} : { planId }),
  ...(quantity === null ? {} : { quantity }),
});

const hasSucceeded = ({ status }: Answered): boolean => status >= 200 && status < 300;

const requireSuccess = (answer: Answered): Answered => {
  if (!hasSucceeded(answer)) throw failure(sayEnglish('It answered with {status}.', { status: answer.status }));
  return answer;
};

/** Sends as the publisher, whose token Entra ID gives. */
const createSender = (options: MarketplaceOptions) => {
  const { gate, baseUrl, loginUrl } = options;
  const trusted = [baseUrl, loginUrl].flatMap((url) => (url === undefined ? [] : [hostAndPort(url)]));
  const send = createEgressFetch(gate, {
    title: 'billing',
    name: 'The Microsoft Marketplace',
    trusted,
    timeoutMs: REQUEST_MS,
  });
  const entra = createEntra(options, { send, loginUrl: loginUrl?.href.replace(/\/$/, '') ?? LOGIN });
  const base = baseUrl?.href.replace(/\/$/, '') ?? API;
  const ask = async ({ method, path, headers = {}, body }: Asked): Promise<Answered> => {
    const token = await entra.accessToken();
    const response = await send(`${base}${path}?api-version=${API_VERSION}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'x-ms-requestid': randomUUID(),
        'x-ms-correlationid': randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  };
  const explained = async (asked: Asked): Promise<Answered> => {
    try {
      return await ask(asked);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw failure(isConnectorError(error) ? error.message : msg('It cannot be reached.'), error);
    }
  };
  return { ask: explained, verifyCaller: entra.verifyCaller };
};

/** Source: Microsoft, "SaaS fulfilment APIs, version 2", api-version 2018-08-31. */
export const createMarketplace = (options: MarketplaceOptions): Marketplace => {
  const { ask, verifyCaller } = createSender(options);
  const pathOf = (id: string, rest = ''): string => `/saas/subscriptions/${encodeURIComponent(id)}${rest}`;
  return {
    verifyCaller,
    resolve: async (token) => {
      // a header holds no line breaks; no token of Microsoft has any
      if (!/^[\x21-\x7e]+$/.test(token)) throw new AppError('link_invalid');
      const headers = { 'x-ms-marketplace-token': token };
      const answer = await ask({ method: 'POST', path: '/saas/subscriptions/resolve', headers });
      if (answer.status === 400 || answer.status === 404) {
        throw new AppError(
          'link_invalid',
          msg('The Microsoft Marketplace does not know this purchase, or its link is older than an hour.'),
        );
      }
      return read(Resolved, requireSuccess(answer)).subscription;
    },
    readSubscription: async (id) => {
      const answer = await ask({ method: 'GET', path: pathOf(id) });
      return answer.status === 404 ? undefined : read(Subscription, requireSuccess(answer));
    },
    activate: async (id, plan) => {
      requireSuccess(await ask({ method: 'POST', path: pathOf(id, '/activate'), body: planBody(plan) }));
    },
    readOperation: async (subscriptionId, operationId) => {
      const path = pathOf(subscriptionId, `/operations/${encodeURIComponent(operationId)}`);
      const answer = await ask({ method: 'GET', path });
      return answer.status === 404 || answer.status === 400 ? undefined : read(Operation, requireSuccess(answer));
    },
    confirmOperation: async ({ subscriptionId, id, planId, quantity }) => {
      const body = { ...planBody({ planId, quantity: seatsOf(quantity) }), status: 'Success' };
      const answer = await ask({ method: 'PATCH', path: pathOf(subscriptionId, `/operations/${id}`), body });
      // "Conflict. For example, a newer update is already fulfilled."
      if (answer.status !== 409) requireSuccess(answer);
    },
  };
};

const NOT_CONFIGURED = msg(
  'The Microsoft Marketplace is not configured on this server. Its operator sets MICROSOFT_MARKETPLACE_TENANT_ID, MICROSOFT_MARKETPLACE_CLIENT_ID and MICROSOFT_MARKETPLACE_CLIENT_SECRET.',
);

/** @throws integration_not_configured */
export const requireMarketplace = (marketplace: Marketplace | undefined): Marketplace => {
  if (marketplace === undefined) throw new AppError('integration_not_configured', NOT_CONFIGURED);
  return marketplace;
};
