import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpRequest, Json, Paging } from '../../context.ts';
import { createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { connectionWith, TOKEN } from '../testing/host-connection.ts';
import { json, type LocalServer, startServer } from '../testing/local-server.ts';
import { nextOfLink } from './pages.ts';

type Answer = Parameters<typeof startServer>[0];

let gate: EgressGate;
let server: LocalServer;
let foreign: LocalServer;
let answer: Answer;
beforeEach(async () => {
  server = await startServer((request, response) => answer(request, response));
  foreign = await startServer((_, response) => json(response, []));
  gate = createEgressGate({ allowPrivateHosts: true });
});
afterEach(async () => {
  await gate.close();
  await server.close();
  await foreign.close();
});

async function pages(paging: Paging, request: Partial<HttpRequest> = {}): Promise<Json[]> {
  const connection = connectionWith({ config: { base_url: server.origin } });
  const { http } = createCtx(gate, connection, { signal: AbortSignal.timeout(10_000) });
  const all: Json[] = [];
  for await (const page of http.pages({ path: '/items', ...request }, paging)) all.push(page);
  return all;
}

const addresses = (): string[] => server.seen.map(({ address }) => address.replace('/api/v1/items', ''));
const parametersOf = (address: string): URLSearchParams => new URL(address, server.origin).searchParams;

/** Items `from` to `to`, of a list of so many. */
const items = (length: number, from: number, size: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(size, length - from)) }, (_, index) => from + index);

test('by link: every page once, with the signature', async () => {
  answer = ({ address }, response) => {
    const page = Number(parametersOf(address).get('page') ?? 1);
    const next = `<${server.origin}/api/v1/items?page=${page + 1}&q=a%20b>; rel="next", <x>; rel="last"`;
    json(response, [page], 200, page < 3 ? { link: next } : { link: '<x>; rel="prev"' });
  };
  await expect(pages({ type: 'link' }, { query: { q: 'a b' } })).resolves.toEqual([[1], [2], [3]]);
  expect(addresses()).toEqual(['?q=a%20b', '?page=2&q=a%20b', '?page=3&q=a%20b']);
  expect(server.seen.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
});

test('by the next address in the answer', async () => {
  answer = ({ address }, response) =>
    json(response, address.includes('?') ? { values: [2] } : { values: [1], meta: { next: '/api/v1/items?page=2' } });
  await expect(pages({ type: 'next', nextAt: 'meta.next' })).resolves.toHaveLength(2);
  expect(addresses()).toEqual(['', '?page=2']);
});

test.each(['FOREIGN/items', '//FOREIGN_HOST/items', 'http://user@SELF/items', 'file:///etc/passwd', 'http://[bad'])(
  'a next page at %s is not followed, and the token stays',
  async (address) => {
    const target = address
      .replace('FOREIGN_HOST', foreign.host)
      .replace('FOREIGN', foreign.origin)
      .replace('SELF', server.host);
    answer = (_, response) => json(response, { next: target }, 200, { link: `<${target}>; rel=next` });
    for (const paging of [{ type: 'link' }, { type: 'next', nextAt: 'next' }] as const) {
      await expect(pages(paging)).rejects.toMatchObject({ code: 'upstream' });
    }
    expect(foreign.connections()).toBe(0);
    expect(server.seen).toHaveLength(2);
  },
);

test('by cursor', async () => {
  const next: Record<string, unknown> = { none: 'b/c=', 'b/c=': 7, 7: '' };
  answer = ({ address }, response) => {
    const at = parametersOf(address).get('after') ?? 'none';
    json(response, { data: [at], meta: { next: next[at] } });
  };
  const paging: Paging = { type: 'cursor', cursorAt: 'meta.next', parameter: 'after' };
  const all = await pages(paging, { query: { after: undefined, q: 'x' } });
  expect(all).toHaveLength(3);
  expect(addresses()).toEqual(['?q=x', '?q=x&after=b%2Fc%3D', '?q=x&after=7']);
});

/** What was sent as JSON. */
const bodies = (): unknown[] => server.seen.map(({ body }) => JSON.parse(body));

test('by the cursor of GraphQL, which its last page names too', async () => {
  const shown = ['a', 'b', 'c'];
  answer = ({ body }, response) => {
    const { after } = JSON.parse(body).variables;
    const index = after === undefined ? 0 : shown.indexOf(after) + 1;
    const pageInfo = { endCursor: shown[index], hasNextPage: index < shown.length - 1 };
    json(response, { data: { issues: { nodes: [shown[index]], pageInfo } } });
  };
  const paging: Paging = {
    type: 'cursor',
    in: 'body',
    cursorAt: 'data.issues.pageInfo.endCursor',
    moreAt: 'data.issues.pageInfo.hasNextPage',
    parameter: 'variables.after',
  };
  const body = { query: 'query ($after: String) { issues }', variables: { first: 1 } };
  await expect(pages(paging, { method: 'POST', body })).resolves.toHaveLength(3);
  expect(bodies()).toEqual([
    body,
    { ...body, variables: { first: 1, after: 'a' } },
    { ...body, variables: { first: 1, after: 'b' } },
  ]);
});

test('by page in the body, as numbers; a request without a JSON body is refused', async () => {
  answer = ({ body }, response) => json(response, items(15, JSON.parse(body).paging.offset, 10));
  const paging: Paging = {
    type: 'offset',
    in: 'body',
    parameter: 'paging.offset',
    size: 10,
    sizeParameter: 'paging.limit',
  };
  const all = await pages(paging, { method: 'POST', body: { filter: {} } });
  expect(all.flat()).toHaveLength(15);
  expect(bodies()).toEqual([
    { filter: {}, paging: { limit: 10, offset: 0 } },
    { filter: {}, paging: { limit: 10, offset: 10 } },
  ]);
  await expect(pages(paging)).rejects.toThrow(/JSON body/);
});

test('a cursor in the body that comes again ends the list with an error', async () => {
  answer = (_, response) => json(response, { next: 'same' });
  const paging: Paging = { type: 'cursor', in: 'body', cursorAt: 'next', parameter: 'after' };
  await expect(pages(paging, { method: 'POST', body: {} })).rejects.toMatchObject({ code: 'upstream' });
});

test.each([0, 1, 9, 10, 11, 20, 21])('by page and by offset: %i items in pages of ten, each once', async (length) => {
  const all = Array.from({ length }, (_, index) => index);
  answer = ({ address }, response) => {
    const page = Number(parametersOf(address).get('page'));
    json(response, { total: length, result: { items: items(length, (page - 1) * 10, 10) } });
  };
  const byPage = await pages({ type: 'page', parameter: 'page', size: 10, sizeParameter: 'per_page' });
  expect(byPage.flatMap((page) => Reflect.get(Reflect.get(Object(page), 'result'), 'items'))).toEqual(all);
  expect(addresses()[0]).toBe('?per_page=10&page=1');
  expect(server.seen).toHaveLength(Math.floor(length / 10) + 1);
  answer = ({ address }, response) => json(response, items(length, Number(parametersOf(address).get('skip')), 10));
  expect((await pages({ type: 'offset', parameter: 'skip', size: 10 })).flat()).toEqual(all);
});

test('the named list counts, not the longest', async () => {
  answer = (_, response) => json(response, { values: [1], labels: Array(50).fill('x') });
  await expect(pages({ type: 'page', parameter: 'p', first: 0, size: 10, itemsAt: 'values' })).resolves.toHaveLength(1);
  expect(addresses()).toEqual(['?p=0']);
});

test('a list that goes round is ended with an error', async () => {
  answer = (_, response) =>
    json(response, { next: 'same', values: Array(10).fill(1) }, 200, { link: '</api/v1/items?x=1>; rel="next"' });
  const rounds: Paging[] = [
    { type: 'link' },
    { type: 'cursor', cursorAt: 'next', parameter: 'after' },
    { type: 'page', parameter: 'page', size: 10 },
    { type: 'offset', parameter: 'skip', size: 10 },
  ];
  for (const paging of rounds) await expect(pages(paging)).rejects.toMatchObject({ code: 'upstream' });
  expect(server.seen.length).toBeLessThan(20);
});

test.each([
  ['<https://a.test/2>; rel="next"', 'https://a.test/2'],
  ['<https://a.test/1>; rel="prev", <https://a.test/3>; title="a, b; c"; rel=next', 'https://a.test/3'],
  ['<https://a.test/a,b;c>; rel="first next"', 'https://a.test/a,b;c'],
  ['<https://a.test/2>; rel="nextish"', null],
  ['<https://a.test/2>', null],
  ['rel="next"', null],
  [undefined, null],
])('the link header %s leads to %s', (header, target) => {
  expect(nextOfLink(header)).toBe(target);
});
