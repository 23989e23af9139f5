import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { requestIssues, responseIssues, type SentRequest } from './api-document.ts';

export const TENANT = '7a3f0c1e-2b44-4c66-9a0e-51d2f7c3b801';
export const APPLICATION = '0f9e8d7c-6b5a-4433-9211-0a1b2c3d4e5f';
const SECRET = 'quiet-harbour-marketplace-secret';
/** The marketplace as an application of Entra ID. */
const MARKETPLACE = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7';
const ACCESS_TOKEN = 'access-token-of-the-publisher';

type Status = 'PendingFulfillmentStart' | 'Subscribed' | 'Suspended' | 'Unsubscribed';
type Action = 'Unsubscribe' | 'ChangePlan' | 'ChangeQuantity' | 'Suspend' | 'Reinstate' | 'Renew';

export interface Purchase {
  id: string;
  publisherId: string;
  offerId: string;
  name: string;
  saasSubscriptionStatus: Status;
  planId: string;
  quantity?: number;
  term: { termUnit: 'P1M'; startDate: string; endDate: string };
}

export interface Operation {
  id: string;
  activityId: string;
  subscriptionId: string;
  offerId: string;
  publisherId: string;
  planId: string;
  quantity?: number;
  action: Action;
  timeStamp: string;
  status: 'InProgress' | 'Succeeded' | 'Failed';
}

interface Announcement {
  url: string;
  /** In place of what Microsoft's token says. */
  claims?: JWTPayload;
  /** Signed by a key that Entra ID does not know; null: without a token. */
  signedBy?: 'stranger' | null;
}

/** Entra ID and the fulfilment API on this machine. Requests and answers are held to Microsoft's own API document. */
export interface FakeMarketplace {
  url: string;
  purchases: Map<string, Purchase>;
  operations: Map<string, Operation>;
  /** `METHOD path` of every request to the API. */
  requests: string[];
  /** What was against the API document. */
  violations: string[];
  environment: Record<string, string>;
  /** Does not answer as long as this is set. */
  isAway: boolean;
  /** @returns the token of the buyer */
  buy(plan: { planId: string; quantity?: number }): { token: string; purchase: Purchase };
  /** Begins what a buyer or Microsoft does to a subscription; changes wait to be confirmed. */
  begin(subscriptionId: string, action: Action, change?: { planId?: string; quantity?: number }): Operation;
  /** Tells of an operation. @returns the status of the answer */
  announce(operation: Operation, announcement: Announcement): Promise<number>;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

const STATUS_AFTER: Partial<Record<Action, Status>> = {
  Unsubscribe: 'Unsubscribed',
  Suspend: 'Suspended',
  Reinstate: 'Subscribed',
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const found = <T>(all: ReadonlyMap<string, T>, key: string | undefined): T => {
  const value = all.get(key ?? '');
  if (value === undefined) throw new Refusal(404);
  return value;
};

/** State of the marketplace, without the wire. */
class Account {
  readonly purchases = new Map<string, Purchase>();
  readonly operations = new Map<string, Operation>();
  readonly tokens = new Map<string, string>();

  buy({ planId, quantity }: { planId: string; quantity?: number }): { token: string; purchase: Purchase } {
    const purchase: Purchase = {
      id: randomUUID(),
      publisherId: 'breakwater',
      offerId: 'breakwater-saas',
      name: 'Breakwater for Harbour',
      saasSubscriptionStatus: 'PendingFulfillmentStart',
      planId,
      ...(quantity === undefined ? {} : { quantity }),
      term: { termUnit: 'P1M', startDate: '2026-11-01T00:00:00Z', endDate: '2026-12-01T00:00:00Z' },
    };
    // as Microsoft's: letters that an address has to escape
    const token = `${randomUUID()}+/=${purchase.id}`;
    this.purchases.set(purchase.id, purchase);
    this.tokens.set(token, purchase.id);
    return { token, purchase };
  }

  begin(subscriptionId: string, action: Action, change: { planId?: string; quantity?: number } = {}): Operation {
    const purchase = found(this.purchases, subscriptionId);
    const after = STATUS_AFTER[action];
    const quantity = change.quantity ?? purchase.quantity;
    const operation: Operation = {
      id: randomUUID(),
      activityId: randomUUID(),
      subscriptionId,
      offerId: purchase.offerId,
      publisherId: purchase.publisherId,
      planId: change.planId ?? purchase.planId,
      ...(quantity === undefined ? {} : { quantity }),
      action,
      timeStamp: new Date().toISOString(),
      status: after === undefined ? 'InProgress' : 'Succeeded',
    };
    if (after !== undefined) purchase.saasSubscriptionStatus = after;
    this.operations.set(operation.id, operation);
    return operation;
  }

  activate(id: string, body: { planId?: string }): void {
    const purchase = found(this.purchases, id);
    if (purchase.saasSubscriptionStatus !== 'PendingFulfillmentStart' || body.planId !== purchase.planId) {
      throw new Refusal(400);
    }
    purchase.saasSubscriptionStatus = 'Subscribed';
  }

  settle(id: string, body: { status?: string }): void {
    const operation = found(this.operations, id);
    if (operation.status !== 'InProgress') throw new Refusal(409);
    operation.status = body.status === 'Success' ? 'Succeeded' : 'Failed';
    if (operation.status === 'Failed') return;
    const purchase = found(this.purchases, operation.subscriptionId);
    purchase.planId = operation.planId;
    if (operation.quantity !== undefined) purchase.quantity = operation.quantity;
  }

  answer({ method, path, headers, body }: SentRequest): unknown {
    const [, , , id = '', what, operationId] = path.split('/');
    if (id === 'resolve') {
      const purchase = this.purchases.get(this.tokens.get(headers['x-ms-marketplace-token'] ?? '') ?? '');
      if (purchase === undefined) throw new Refusal(400);
      const { name: subscriptionName, offerId, planId, quantity } = purchase;
      return {
        id: purchase.id,
        subscriptionName,
        offerId,
        planId,
        ...(quantity && { quantity }),
        subscription: purchase,
      };
    }
    if (what === 'activate') return this.activate(id, body as { planId?: string });
    if (what !== 'operations') return found(this.purchases, id);
    const operation = found(this.operations, operationId);
    if (operation.subscriptionId !== id) throw new Refusal(404);
    return method === 'PATCH' ? this.settle(operation.id, body as { status?: string }) : operation;
  }
}

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
};

/** Starts one on a port of the system's choice. */
export const startFakeMarketplace = async (): Promise<FakeMarketplace> => {
  const account = new Account();
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
  const requests: string[] = [];
  const violations: string[] = [];

  const entra = async (request: IncomingMessage, path: string): Promise<unknown> => {
    if (path === `/${TENANT}/discovery/v2.0/keys`) return keys;
    if (path !== `/${TENANT}/oauth2/token`) throw new Refusal(404);
    const form = new URLSearchParams(await readText(request));
    const isRight =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === APPLICATION &&
      form.get('client_secret') === SECRET &&
      form.get('resource') === MARKETPLACE;
    if (!isRight) throw new Refusal(401);
    return { token_type: 'Bearer', expires_in: '3599', access_token: ACCESS_TOKEN };
  };
  const marketplace = async (request: IncomingMessage, url: URL): Promise<unknown> => {
    const text = await readText(request);
    const sent: SentRequest = {
      method: request.method ?? 'GET',
      path: url.pathname.slice('/api'.length),
      query: url.searchParams,
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      ),
      body: text === '' ? undefined : JSON.parse(text),
    };
    requests.push(`${sent.method} ${sent.path}`);
    const issues = requestIssues(sent);
    violations.push(...issues);
    if (issues.length > 0) throw new Refusal(400);
    if (sent.headers['authorization'] !== `Bearer ${ACCESS_TOKEN}`) throw new Refusal(403);
    const body = account.answer(sent);
    violations.push(...responseIssues(sent, 200, body));
    return body;
  };
  const self = { isAway: false };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://marketplace');
    if (self.isAway) return void request.socket.destroy();
    (url.pathname.startsWith('/api/') ? marketplace(request, url) : entra(request, url.pathname)).then(
      (body) => send(response, 200, body),
      (error: unknown) => send(response, error instanceof Refusal ? error.status : 500, { error: String(error) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const tokenOf = ({ claims, signedBy }: Announcement): Promise<string> =>
    new SignJWT({ tid: TENANT, appid: MARKETPLACE, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(claims?.iss ?? `https://sts.windows.net/${TENANT}/`)
      .setAudience(claims?.aud ?? APPLICATION)
      .setIssuedAt()
      .setExpirationTime(claims?.exp ?? '1h')
      .sign(signedBy === 'stranger' ? stranger.privateKey : privateKey);

  return Object.assign(self, {
    url,
    purchases: account.purchases,
    operations: account.operations,
    requests,
    violations,
    environment: {
      MICROSOFT_MARKETPLACE_TENANT_ID: TENANT,
      MICROSOFT_MARKETPLACE_CLIENT_ID: APPLICATION,
      MICROSOFT_MARKETPLACE_CLIENT_SECRET: SECRET,
      MICROSOFT_MARKETPLACE_BASE_URL: `${url}/api`,
      MICROSOFT_LOGIN_BASE_URL: url,
    },
    buy: (plan: { planId: string; quantity?: number }) => account.buy(plan),
    begin: (id: string, action: Action, change?: { planId?: string; quantity?: number }) =>
      account.begin(id, action, change),
    announce: async (operation: Operation, announcement: Announcement) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (announcement.signedBy !== null) headers['authorization'] = `Bearer ${await tokenOf(announcement)}`;
      const body = JSON.stringify({ ...operation, operationRequestSource: 'Azure' });
      return (await fetch(announcement.url, { method: 'POST', headers, body })).status;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
};
