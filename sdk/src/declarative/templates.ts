import type { HttpRequest, Json } from '../context.ts';
import { ConnectorError } from '../errors.ts';
import type { ActionRequest } from './actions/actions.ts';
import type { RequestTemplate } from './document.ts';

/** Values by the names that templates have for them: fields of the form, `target.id`, `target.name`. */
export type TemplateScope = Readonly<Record<string, unknown>>;

/** One template; the first group is its name. */
export const TEMPLATE = /\{\{([\w.]+)\}\}/g;

/** Names in all templates of a request. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(TEMPLATE)].map(([, name]) => name ?? '');
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => [...namesIn(key), ...namesIn(part)]);
  }
  return [];
}

/** All texts of a request, each with the names that lead to it. */
export function textsIn(
  value: unknown,
  path: readonly string[] = [],
): (readonly [path: readonly string[], text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, [...path, key]));
}

export interface Filling {
  /** Leaves out what of a JSON body is one template alone that has no value. Default: it is the empty text. */
  readonly leavesOutEmpty?: boolean;
}

/** The request with its templates filled in. A field that nobody filled is the empty text, and leaves its query parameter out. */
export function fillRequest(
  template: RequestTemplate | ActionRequest,
  scope: TemplateScope,
  { leavesOutEmpty = false }: Filling = {},
): HttpRequest {
  const { path, query, headers, body, form, ...rest } = template;
  return {
    ...rest,
    path: path.replace(TEMPLATE, (_, name: string) => segmentOf(name, textOf(scope[name]))),
    ...(query === undefined ? {} : { query: fillQuery(query, scope) }),
    ...(headers === undefined ? {} : { headers: fillTexts(headers, scope) }),
    ...(form === undefined ? {} : { form: fillTexts(form, scope) }),
    ...(body === undefined ? {} : { body: fillBody(leavesOutEmpty ? withoutEmpty(body, scope) : body, scope) }),
  };
}

/** A part of an address. Dots alone would lead to another place of the service, however they are written. */
function segmentOf(name: string, text: string): string {
  if (/^\.*$/.test(text)) {
    throw new ConnectorError(
      'config',
      text === ''
        ? `The value of {{${name}}} is empty: no address can be made of it.`
        : `The value of {{${name}}} is no name: no address can be made of it.`,
    );
  }
  return encodeURIComponent(text);
}

function fillQuery(
  query: NonNullable<RequestTemplate['query']>,
  scope: TemplateScope,
): NonNullable<HttpRequest['query']> {
  const filled = Object.entries(query).map(([name, value]): [string, typeof value] => {
    return [name, typeof value === 'string' ? fillText(value, scope) || undefined : value];
  });
  return Object.fromEntries(filled);
}

function fillTexts(texts: Readonly<Record<string, string>>, scope: TemplateScope): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, fillText(value, scope)]));
}

/** A text that is one template alone becomes the value itself: `"{{limit}}"` is a number where the form has a number. */
function fillBody(body: Json, scope: TemplateScope): Json {
  if (typeof body === 'string') {
    const alone = ALONE.exec(body)?.[1];
    const value = alone === undefined ? undefined : scope[alone];
    return typeof value === 'number' || typeof value === 'boolean' ? value : fillText(body, scope);
  }
  if (isList(body)) return body.map((part) => fillBody(part, scope));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, fillBody(part, scope)]));
}

function isList(body: Json): body is readonly Json[] {
  return Array.isArray(body);
}

const ALONE = /^\{\{([\w.]+)\}\}$/;

function withoutEmpty(body: Json, scope: TemplateScope): Json {
  const isThere = (part: Json): boolean => {
    const name = typeof part === 'string' ? ALONE.exec(part)?.[1] : undefined;
    return name === undefined || textOf(scope[name]) !== '';
  };
  if (isList(body)) return body.filter(isThere).map((part) => withoutEmpty(part, scope));
  if (typeof body !== 'object' || body === null) return body;
  const there = Object.entries(body).filter(([, part]) => isThere(part));
  return Object.fromEntries(there.map(([key, part]) => [key, withoutEmpty(part, scope)]));
}

/** A text with its templates filled in. */
export function fillText(text: string, scope: TemplateScope): string {
  return text.replace(TEMPLATE, (_, name: string) => textOf(scope[name]));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
