import type { HttpRequest, Json } from '../context.ts';
import { ConnectorError } from '../errors.ts';
import type { RequestTemplate } from './document.ts';

/** Values by the names that templates have for them: fields of the form, `target.id`, `target.name`. */
export type TemplateScope = Readonly<Record<string, unknown>>;

const TEMPLATE = /\{\{([\w.]+)\}\}/g;

/** Names in all templates of a request. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(TEMPLATE)].map(([, name]) => name ?? '');
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => [...namesIn(key), ...namesIn(part)]);
  }
  return [];
}

/** The request with its templates filled in. A field that nobody filled is the empty text, and leaves its query parameter out. */
export function fillRequest(template: RequestTemplate, scope: TemplateScope): HttpRequest {
  const { path, query, headers, body, form, ...rest } = template;
  return {
    ...rest,
    path: path.replace(TEMPLATE, (_, name: string) => segmentOf(name, textOf(scope[name]))),
    ...(query === undefined ? {} : { query: fillQuery(query, scope) }),
    ...(headers === undefined ? {} : { headers: fillTexts(headers, scope) }),
    ...(form === undefined ? {} : { form: fillTexts(form, scope) }),
    ...(body === undefined ? {} : { body: fillBody(body, scope) }),
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
    const alone = /^\{\{([\w.]+)\}\}$/.exec(body)?.[1];
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

function fillText(text: string, scope: TemplateScope): string {
  return text.replace(TEMPLATE, (_, name: string) => textOf(scope[name]));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
