import { describe, expect, it } from 'vitest';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { FindingDetailStore } from './finding-detail.store.ts';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const attributes = {
  title: 'SQL injection',
  priority: 68,
  false_positive: false,
  verdict: 'none',
  verdict_reason: null,
  priority_parts: [
    { key: 'severity', points: 48, of: 40, reason: '' },
    { key: 'epss', points: 20, of: 15, reason: '' },
  ],
};
const one = (changes: object = {}) => ({ data: { _id: ID, attributes: { ...attributes, ...changes } } });
const history = { 'GET /findings/0191c2e0-7b1a-7000-8000-000000000001/history': () => ({ data: [] }) };

describe('FindingDetailStore', () => {
  it('loads a finding and its history', async () => {
    const { api } = fakeHttp({ 'GET /findings/': () => one(), ...history });
    const store = new FindingDetailStore(api);
    await store.load(ID);
    expect(store.detail?.title).toBe('SQL injection');
    expect(store.history).toEqual([]);
    expect(store.partsTotal).toBe(store.detail?.priority);
  });

  it('reads an empty attribute set as "Finding data not found"', async () => {
    const { api } = fakeHttp({ 'GET /findings/': () => ({ data: { _id: ID, attributes: {} } }), ...history });
    const store = new FindingDetailStore(api);
    await store.load(ID);
    expect(store.error).toEqual({ status: 404, message: 'Finding data not found' });
  });

  it.each([
    [answer(404, { detail: 'nothing here', code: 'finding_not_found' }), 404, 'Finding data not found'],
    [answer(403, { detail: 'Not yours.', code: 'forbidden' }), 403, 'Not yours.'],
    [answer(409, { detail: 'The connector is not set up.', code: 'conflict' }), 409, 'The connector is not set up.'],
  ])('passes on the status and detail of a refusal', async (response, status, message) => {
    const { api } = fakeHttp({ 'GET /findings/': () => response });
    const store = new FindingDetailStore(api);
    await store.load(ID);
    expect(store.error).toEqual({ status, message });
  });

  it('calls an error without status or text 500 "An unexpected error occurred."', async () => {
    const { api } = fakeHttp({ 'GET /findings/': () => new Response('not json', { status: 200 }) });
    const store = new FindingDetailStore(api);
    await store.load(ID);
    expect(store.error).toEqual({ status: 500, message: 'An unexpected error occurred.' });
  });

  it('shows a change at once, and puts back what stood there for this finding alone', async () => {
    const { api } = fakeHttp({ 'GET /findings/': () => one(), ...history });
    const store = new FindingDetailStore(api);
    await store.load(ID);
    const takeBack = store.patch({ verdict: 'valid' });
    expect(store.detail?.verdict).toBe('valid');
    takeBack();
    expect(store.detail?.verdict).toBe('none');
    const late = store.patch({ verdict: 'valid' });
    await store.load('0191c2e0-7b1a-7000-8000-000000000009');
    const other = store.detail;
    late();
    expect(store.detail).toBe(other);
  });
});
