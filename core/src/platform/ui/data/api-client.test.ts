import { describe, expect, it, vi } from 'vitest';
import { listFindings, toggleFalsePositive } from '../../../findings/api/routes.ts';
import { getSession, login } from '../../../session/api/routes.ts';
import { addressOf, createApiClient, toQueryString } from './api-client.ts';
import { ApiError, issuesByField } from './api-error.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const ID = '0191c2e0-7b1a-7000-8000-000000000001';

describe('toQueryString', () => {
  it('writes filters in brackets with lists joined by commas', () => {
    expect(toQueryString({ filters: { severity: ['critical', 'high'], cvssv3_score_gt: 7 }, search: 'a b&c' })).toBe(
      'filters[severity]=critical,high&filters[cvssv3_score_gt]=7&search=a%20b%26c',
    );
  });

  it('omits empty values', () => {
    const query = {
      filters: { severity: [], tool: [''], kev: undefined },
      search: '',
      sort: null,
      page: 0,
      flag: false,
    };
    expect(toQueryString(query)).toBe('page=0&flag=false');
  });

  it('sends each value of a list apart where one contains a comma, a single one too', () => {
    expect(toQueryString({ filters: { category: ['a,b', 'c'] } })).toBe(
      'filters[category][]=a%2Cb&filters[category][]=c',
    );
    expect(toQueryString({ filters: { file: ['src/a,b.ts'] } })).toBe('filters[file][]=src%2Fa%2Cb.ts');
  });

  it('nests paging', () => {
    expect(toQueryString({ pagination: { page: 2, pageSize: 50 } })).toBe('pagination[page]=2&pagination[pageSize]=50');
  });
});

describe('addressOf', () => {
  it('escapes parameters and refuses missing ones', () => {
    expect(addressOf(toggleFalsePositive, { id: 'a/../b' }, undefined)).toBe(
      '/api/v1/findings/a%2F..%2Fb/toggle_false_positive',
    );
    const frontend = { ...toggleFalsePositive, base: 'frontend' } as const;
    expect(addressOf(frontend, { id: ID }, undefined)).toBe(`/api/findings/${ID}/toggle_false_positive`);
    expect(() => addressOf(toggleFalsePositive, {}, undefined)).toThrow('needs the parameter id');
  });
});

describe('createApiClient', () => {
  it('sends method, body and cookie by the contract', async () => {
    const fetch = vi.fn(async () => json(200, { data: { _id: ID } }));
    const api = createApiClient(fetch);
    await api.call(toggleFalsePositive, { params: { id: ID }, body: { reason: 'test code' } });
    expect(fetch).toHaveBeenCalledWith(`/api/v1/findings/${ID}/toggle_false_positive`, {
      method: 'PUT',
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: '{"reason":"test code"}',
    });
  });

  it('types the call by the route', () => {
    const api = createApiClient(async () => json(200, {}));
    // Never run: these lines only have to compile, or not.
    const wrong = () => {
      // @ts-expect-error the route has parameters
      api.call(toggleFalsePositive, { body: {} });
      // @ts-expect-error not a severity
      api.call(listFindings, { query: { filters: { severity: ['worst'] } } });
      // @ts-expect-error the route has no body
      api.call(getSession, { body: {} });
      api.call(getSession);
      api.call(listFindings);
      api.call(listFindings, { query: { filters: { severity: ['high'] } } });
    };
    expect(wrong).toBeTypeOf('function');
  });

  it('turns an error envelope into an ApiError with every message', async () => {
    const detail = [
      { loc: ['body', 'email'], msg: 'Enter an e-mail address.', type: 'format' },
      { loc: ['body', 'password'], msg: 'Enter a password.', type: 'minLength' },
    ];
    const api = createApiClient(async () => json(422, { detail, code: 'validation_failed', request_id: 'r-1' }));
    const error = await api.call(login, { body: { password: '' } }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', requestId: 'r-1' });
    expect((error as ApiError).messages).toEqual(['Enter an e-mail address.', 'Enter a password.']);
    expect(issuesByField(error)).toEqual({ email: 'Enter an e-mail address.', password: 'Enter a password.' });
  });

  it('notifies the session of a 401 and reads Retry-After', async () => {
    const onUnauthorized = vi.fn();
    const api = createApiClient(async () => json(401, { detail: 'No session.', code: 'not_authenticated' }), {
      onUnauthorized,
    });
    await expect(api.call(getSession)).rejects.toMatchObject({ status: 401, code: 'not_authenticated' });
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
    const busy = createApiClient(async () =>
      json(429, { detail: 'Wait.', code: 'too_many_requests' }, { 'retry-after': '30' }),
    );
    await expect(busy.call(getSession)).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });

  it('survives answers that are not JSON and servers that are away', async () => {
    const proxy = createApiClient(async () => new Response('<html>', { status: 502 }));
    await expect(proxy.call(getSession)).rejects.toMatchObject({
      status: 502,
      code: 'internal',
      messages: ['An unexpected error occurred.'],
    });
    const away = createApiClient(async () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(away.call(getSession)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  it('lets an abort through as an abort', async () => {
    const api = createApiClient(async (_url, init) => Promise.reject(init?.signal?.reason));
    const abort = new AbortController();
    abort.abort();
    await expect(api.call(getSession, { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
