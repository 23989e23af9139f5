import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { requestIssues, responseIssues, type SentRequest } from './api-document.ts';

const ID = randomUUID();
const request = (change: Partial<SentRequest> = {}): SentRequest => ({
  method: 'POST',
  path: `/saas/subscriptions/${ID}/activate`,
  query: new URLSearchParams({ 'api-version': '2018-08-31' }),
  headers: { 'x-ms-requestid': randomUUID() },
  body: { planId: 'team', quantity: 3 },
  ...change,
});

test('a request that is in the document has no issue', () => {
  expect(requestIssues(request())).toEqual([]);
  expect(requestIssues(request({ method: 'GET', path: `/saas/subscriptions/${ID}`, body: undefined }))).toEqual([]);
});

test.each<[Partial<SentRequest>]>([
  [{ method: 'PUT' }],
  [{ path: '/saas/subscriptions/one/activate' }],
  [{ path: '/saas/purchases' }],
  [{ query: new URLSearchParams() }],
  [{ query: new URLSearchParams({ 'api-version': '2020-01-01' }) }],
  [{ query: new URLSearchParams({ 'api-version': '2018-08-31', page: '1' }) }],
  [{ headers: { 'x-ms-requestid': 'one' } }],
  [{ body: { planId: 7 } }],
  [{ body: { plan: 'team' } }],
  [{ body: undefined }],
  [{ method: 'GET', path: `/saas/subscriptions/${ID}` }],
  [{ path: '/saas/subscriptions/resolve', body: undefined }],
])('%j is against it', (change) => {
  expect(requestIssues(request(change))).not.toEqual([]);
});

test('answers are held to it, too', () => {
  const asked = request({ method: 'GET', path: `/saas/subscriptions/${ID}`, body: undefined });
  const purchase = { id: ID, offerId: 'offer', planId: 'team', saasSubscriptionStatus: 'Subscribed' };
  expect(responseIssues(asked, 200, purchase)).toEqual([]);
  expect(responseIssues(asked, 200, { ...purchase, saasSubscriptionStatus: 'Paid' })).not.toEqual([]);
  expect(responseIssues(asked, 418, purchase)).not.toEqual([]);
});
