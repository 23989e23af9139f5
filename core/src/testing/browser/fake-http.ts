import { createApiClient } from '../../platform/ui/data/api-client.ts';

export interface SeenCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

export type Answer = (call: SeenCall) => Response | Promise<Response> | object;

/** JSON answer with a status, in the error envelope where it is one. */
export const answer = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A list as the server sends it. */
export const listOf = (data: object[], total = data.length): object => ({
  data,
  meta: { pagination: { page: 1, pageSize: data.length, pageCount: 1, total } },
});

const isAnswer = (value: Response | object): value is Response => value instanceof Response;

/** The wire seen from the browser: answers by "METHOD /path" and remembers every call. The longest key that fits wins. */
export const fakeHttp = (answers: Record<string, Answer>) => {
  const calls: SeenCall[] = [];
  const keys = Object.keys(answers).sort((a, b) => b.length - a.length);
  const fetch = async (...[input, init = {}]: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const url = new URL(String(input), 'http://test.invalid');
    const path = url.pathname.replace('/api/v1', '');
    const text = typeof init.body === 'string' ? init.body : undefined;
    const call = { method: init.method ?? 'GET', path, query: url.searchParams, body: text && JSON.parse(text) };
    calls.push(call);
    const key = keys.find((one) => `${call.method} ${path}`.startsWith(one));
    if (key === undefined) throw new Error(`Nobody answers ${call.method} ${path}.`);
    init.signal?.throwIfAborted();
    const given = await answers[key]!(call);
    init.signal?.throwIfAborted();
    return isAnswer(given) ? given : answer(200, given);
  };
  return { api: createApiClient(fetch), calls, fetch };
};
