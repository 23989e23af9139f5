import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What Entra ID and Resource Manager know. */
export interface FakeAzure {
  readonly tenant: string;
  readonly application: string;
  readonly secret: string;
  readonly subscription: string;
  readonly hasRole: boolean;
  /** Directory that the subscription belongs to. */
  readonly owner: string;
  readonly state: string;
  /** Instead of any token: a refusal by its number. */
  readonly refuse?: number;
}

const TOKEN = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.made.for-tests';

/**
 * Both services at one address, as a base URL of the operator's joins them.
 * Source: Microsoft identity platform, client credentials flow; Azure Resource Manager REST API, Subscriptions - Get 2022-12-01.
 */
export function fakeAzure(azure: FakeAzure): (request: TestRequest) => TestAnswer {
  return (request) => {
    const token = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(request.path);
    if (token) return tokenAnswer(azure, token[1] ?? '', new URLSearchParams(request.body));
    const subscription = /^\/subscriptions\/([^/]+)$/.exec(request.path);
    if (!subscription || request.query.get('api-version') !== '2022-12-01') return arm(404, 'InvalidResourceType');
    if (request.headers['authorization'] !== `Bearer ${TOKEN}`) return arm(401, 'InvalidAuthenticationToken');
    if (subscription[1] !== azure.subscription) return arm(404, 'SubscriptionNotFound');
    if (!azure.hasRole) return arm(403, 'AuthorizationFailed');
    return {
      json: {
        id: `/subscriptions/${azure.subscription}`,
        subscriptionId: azure.subscription,
        tenantId: azure.owner,
        displayName: 'Example Subscription',
        state: azure.state,
        subscriptionPolicies: {
          locationPlacementId: 'Internal_2014-09-01',
          quotaId: 'Internal_2014-09-01',
          spendingLimit: 'Off',
        },
        authorizationSource: 'RoleBased',
      },
    };
  };
}

function tokenAnswer(azure: FakeAzure, tenant: string, form: URLSearchParams): TestAnswer {
  if (azure.refuse !== undefined) return entra(400, azure.refuse);
  if (tenant !== azure.tenant) return entra(400, 90002, 'invalid_request');
  if (form.get('client_id') !== azure.application) return entra(400, 700016, 'unauthorized_client');
  if (form.get('client_secret') !== azure.secret) return entra(401, 7000215, 'invalid_client');
  const isRight =
    form.get('grant_type') === 'client_credentials' && form.get('scope') === 'https://management.azure.com/.default';
  if (!isRight) return entra(400, 70011, 'invalid_scope');
  return { json: { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: TOKEN } };
}

function entra(status: number, number: number, error = 'invalid_client'): TestAnswer {
  const json: Json = {
    error,
    error_description: `AADSTS${number}: Refused. Trace ID: 255d1aef-8c98-452f-ac51-23d051240864 Timestamp: 2026-01-09 02:02:12Z`,
    error_codes: [number],
    timestamp: '2026-01-09 02:02:12Z',
    trace_id: '255d1aef-8c98-452f-ac51-23d051240864',
    correlation_id: 'fb3d2015-bc17-4bb9-bb85-30c5cf1aaaa7',
  };
  return { status, json };
}

function arm(status: number, code: string): TestAnswer {
  return { status, json: { error: { code, message: 'Refused.' } } };
}
