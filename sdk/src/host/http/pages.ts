import type { HttpAnswer, Json, Paging, PagingPlace } from '../../context.ts';
import { ConnectorError } from '../../errors.ts';
import { LIMITS } from '../limits.ts';
import { parseAnswer } from './answers.ts';
import { type PlannedRequest, withBody, withQuery } from './plan-request.ts';

interface PagesParts {
  readonly title: string;
  readonly first: PlannedRequest;
  readonly paging: Paging;
  ask(request: PlannedRequest): Promise<HttpAnswer>;
}

interface Page {
  readonly request: PlannedRequest;
  readonly answer: HttpAnswer;
  readonly content: Json;
  /** Pages before this one. */
  readonly index: number;
}

/**
 * Every page of a list. The same page or cursor twice ends it with an error, before it goes round for ever.
 * @throws ConnectorError
 */
export async function* pagesOf(parts: PagesParts): AsyncGenerator<Json> {
  const { title, ask } = parts;
  const isCounted = parts.paging.type === 'page' || parts.paging.type === 'offset';
  const seen = new Set<string>();
  let before: Uint8Array | null = null;
  let request: PlannedRequest | null = withPlace(parts, 0);
  for (let index = 0; request !== null; index += 1) {
    const asked = `${request.url.href} ${String(request.body ?? '')}`;
    if (seen.has(asked) || index >= LIMITS.pages) throw goesRound(title);
    seen.add(asked);
    const answer: HttpAnswer = await ask(request);
    // A service that does not know the parameter gives its first page again and again.
    if (before !== null && Buffer.compare(before, answer.body) === 0) throw goesRound(title);
    before = isCounted ? answer.body : null;
    const content = parseAnswer(title, answer);
    yield content;
    request = nextRequest(parts, { request, answer, content, index });
  }
}

function goesRound(title: string): ConnectorError {
  return new ConnectorError('upstream', `${title} gives a list that does not end.`);
}

function nextRequest(parts: PagesParts, page: Page): PlannedRequest | null {
  const { paging, first, title } = parts;
  switch (paging.type) {
    case 'link':
    case 'next': {
      const { answer, content } = page;
      const target = paging.type === 'link' ? nextOfLink(answer.headers['link']) : at(content, paging.nextAt);
      const isEnd = typeof target !== 'string' || target === '';
      return isEnd ? null : { ...first, url: nextAddress(title, page.request.url, target) };
    }
    case 'cursor': {
      const cursor = at(page.content, paging.cursorAt);
      const isLast = paging.moreAt !== undefined && at(page.content, paging.moreAt) !== true;
      const isEnd = isLast || (typeof cursor !== 'string' && typeof cursor !== 'number') || cursor === '';
      return isEnd ? null : withParameters(first, paging, { [paging.parameter]: cursor });
    }
    default:
      return countItems(page.content, paging.itemsAt) < paging.size ? null : withPlace(parts, page.index + 1);
  }
}

/** The request of the page with that number, where pages are counted. */
function withPlace({ first, paging }: PagesParts, index: number): PlannedRequest {
  if (paging.type !== 'page' && paging.type !== 'offset') return first;
  const { parameter, size, sizeParameter } = paging;
  const place = paging.type === 'page' ? (paging.first ?? 1) + index : index * size;
  const sizes = sizeParameter === undefined ? {} : { [sizeParameter]: size };
  return withParameters(first, paging, { ...sizes, [parameter]: place });
}

function withParameters(
  request: PlannedRequest,
  place: PagingPlace,
  parameters: Readonly<Record<string, string | number>>,
): PlannedRequest {
  if (place.in === 'body') return withBody(request, parameters);
  return withQuery(
    request,
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  );
}

/** Items of a page: of the list that the paging names, else of the longest list in it, at most one object further down. */
function countItems(content: Json, itemsAt: string | undefined): number {
  if (itemsAt === undefined) return longestList(content, 0);
  const items = at(content, itemsAt);
  return Array.isArray(items) ? items.length : 0;
}

function longestList(content: Json, depth: number): number {
  if (Array.isArray(content)) return content.length;
  if (typeof content !== 'object' || content === null || depth > 1) return 0;
  return Object.values(content).reduce((most: number, value: Json) => Math.max(most, longestList(value, depth + 1)), 0);
}

/** What stands at `meta.next`. */
function at(content: Json, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
      content,
    );
}

/** Where a list goes on, from its Link header (RFC 8288); null at its end. */
export function nextOfLink(header = ''): string | null {
  for (const [, target, parameters] of header.matchAll(
    /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:=(?:"[^"]*"|[^\s",;]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel=(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters ?? '') ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next') && target !== undefined) return target;
  }
  return null;
}

/**
 * The address of the next page as the service writes it.
 * @throws ConnectorError upstream, where it leads to another origin: the token would go there
 */
function nextAddress(title: string, asked: URL, target: string): URL {
  const url = URL.parse(target, asked);
  if (url !== null && url.origin === asked.origin && url.username === '' && url.password === '') return url;
  throw new ConnectorError('upstream', `${title} gives a list that goes on at another host, which is not followed.`, {
    help: 'Is the address of the service the one that it calls itself?',
  });
}
