import { isDeepStrictEqual } from 'node:util';
import type { Json, Paging } from '../../../../context.ts';
import type { Exchange } from '../../../fixtures.ts';
import type { Recorded } from '../../service/recorded.ts';
import { PLACES } from '../paging.ts';

/** A list that a run read over two or more recorded pages. */
export interface RecordedPages {
  readonly pages: readonly Exchange[];
  /** Where the list stands in each of the bodies; empty: the body itself. */
  readonly path: readonly string[];
  /** The items of all pages, in order. */
  readonly items: readonly Json[];
}

/** Lists over two or more pages, by requests that only differ in the place where a page begins. */
export function recordedPages({ used, played }: Recorded): RecordedPages[] {
  const bodies = used.filter(({ answer }) => answer.body !== undefined && (answer.status ?? 200) < 300);
  const groups = Map.groupBy(bodies, ({ request }) => JSON.stringify(listOf(request, played.pagings)));
  return [...groups.values()].flatMap((pages) => {
    const path = pages.length > 1 ? pathOfList(pages) : undefined;
    if (path === undefined) return [];
    return [{ pages, path, items: itemsOf(pages, path) }];
  });
}

/** Of all pages, in order. What a page repeats of the one before it is one item: some services begin a page with the last one that was seen. */
function itemsOf(pages: readonly Exchange[], path: readonly string[]): Json[] {
  const lists = pages.map(({ answer }) => listAt(answer.body, path) ?? []);
  return lists.flatMap((list, at) => {
    const before = lists[at - 1] ?? [];
    return list.filter((item) => !before.some((one) => isDeepStrictEqual(one, item)));
  });
}

/** What stays the same in the requests of all pages of a list. Where the service writes the next address, only its path does. */
function listOf({ method, service, path, query, body }: Exchange['request'], pagings: readonly Paging[]): unknown[] {
  const isAddress = pagings.some(({ type }) => type === 'link' || type === 'next');
  const parameters = pagings.flatMap((paging) => ('parameter' in paging ? paging.parameter.split('.').slice(-1) : []));
  const isPlace = (name: string) => PLACES.test(name) || parameters.includes(name);
  return [
    method ?? 'GET',
    service ?? '',
    path,
    ...(isAddress ? [] : [rest(query ?? {}, isPlace)]),
    rest(body, isPlace),
  ];
}

function rest(value: unknown, isPlace: (name: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  return Object.entries(value)
    .filter(([name]) => !isPlace(name))
    .map(([name, item]) => [name, rest(item, isPlace)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

/** Objects around a list that are looked into. */
const DEEPEST = 4;

/** Where every page has a list; the longest one where there are several. */
function pathOfList(pages: readonly Exchange[]): readonly string[] | undefined {
  const [first, ...others] = pages;
  const paths = listsIn(first?.answer.body, []).filter((path) =>
    others.every(({ answer }) => listAt(answer.body, path) !== undefined),
  );
  const lengthOf = (path: readonly string[]) =>
    pages.reduce((sum, { answer }) => sum + (listAt(answer.body, path)?.length ?? 0), 0);
  return paths.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
}

function listsIn(value: Json | undefined, path: readonly string[]): (readonly string[])[] {
  if (Array.isArray(value)) return [path];
  if (typeof value !== 'object' || value === null || path.length >= DEEPEST) return [];
  return Object.entries(value).flatMap(([name, item]) => listsIn(item, [...path, name]));
}

function listAt(value: Json | undefined, [name, ...path]: readonly string[]): readonly Json[] | undefined {
  if (name === undefined) return Array.isArray(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return listAt(Reflect.get(value, name), path);
}

/** Names of what counts all items of a list. */
const TOTALS = /total|count|size/i;

/**
 * The exchanges where the whole list is these items on its first page. Each page looks as the recorded last one, which says that the list ends
 * there; further ones are empty, for those who ask until a page is.
 */
export function withItems(
  exchanges: readonly Exchange[],
  { pages, path, items: all }: RecordedPages,
  items: readonly Json[],
): Exchange[] {
  const last = pages.at(-1)?.answer ?? {};
  const count = (name: string, value: Json): Json =>
    TOTALS.test(name) && String(value) === String(all.length) ? withType(value, items.length) : value;
  const answerWith = (list: readonly Json[]): Exchange['answer'] => ({
    ...last,
    headers: Object.fromEntries(
      Object.entries(last.headers ?? {}).map(([name, value]) => [name, String(count(name, value))]),
    ),
    body: replaced(last.body ?? null, { path, list, count }),
  });
  return exchanges.map((exchange) => {
    const at = pages.findIndex((page) => page === exchange || isDeepStrictEqual(page, exchange));
    return at < 0 ? exchange : { request: exchange.request, answer: answerWith(at === 0 ? items : []) };
  });
}

const withType = (value: Json, count: number): Json => (typeof value === 'string' ? String(count) : count);

interface Replacement {
  readonly path: readonly string[];
  readonly list: readonly Json[];
  count(name: string, value: Json): Json;
}

function replaced(value: Json, { path: [name, ...path], list, count }: Replacement): Json {
  if (name === undefined) return [...list];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === name ? replaced(item, { path, list, count }) : counted(key, item, count),
    ]),
  );
}

/** Counts that stand beside the list, at any depth. */
function counted(key: string, value: Json, count: Replacement['count']): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return count(key, value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, counted(name, item, count)]));
}
