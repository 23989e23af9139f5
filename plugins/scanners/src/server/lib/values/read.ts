import { ConnectorError, type HttpAnswer, type Json } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';

/** Readers for fields whose presence and type a report does not promise: the wrong type reads as "not said". */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NOTHING: Record<string, unknown> = Object.freeze(Object.create(null));

/** The value as an object, or an empty one. */
export function fields(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : NOTHING;
}

/** The value as a list, or an empty one; longer lists than any real report has are cut. */
export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  return value.length > LIMITS.listItems ? value.slice(0, LIMITS.listItems) : value;
}

/** A list, also where a tool writes its only element without brackets. */
export function oneOrMore(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? list(value) : [value];
}

/** Text that every later step can store: no NUL, no lone surrogates, at most `max` characters. */
export function clean(value: string, max: number = LIMITS.textChars): string {
  let result = value.length > max ? value.slice(0, max) : value;
  if (result.includes('\0')) result = result.replaceAll('\0', '');
  return result.isWellFormed() ? result : result.toWellFormed();
}

/** Non-blank text without surrounding white space; numbers are written out. */
export function text(value: unknown, max: number = LIMITS.textChars): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return undefined;
  const result = clean(value, max).trim();
  return result === '' ? undefined : result;
}

/** A name or id: one line. */
export function label(value: unknown): string | undefined {
  const result = text(value, LIMITS.idChars);
  return result !== undefined && /[\r\n\t]/.test(result) ? result.replace(/\s+/g, ' ') : result;
}

export function number(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 40 || value.trim() === '') return undefined;
  const result = Number(value);
  return Number.isFinite(result) ? result : undefined;
}

/** A 1-based line or column; 0, negative and absurd numbers mean that the tool did not know. */
export function position(value: unknown): number | undefined {
  const result = number(value);
  return result !== undefined && Number.isInteger(result) && result >= 1 && result <= 0x7fffffff ? result : undefined;
}

export function labels(value: unknown, max = 100): string[] {
  const found = new Set<string>();
  for (const item of oneOrMore(value)) {
    const name = label(item);
    if (name !== undefined) found.add(name);
    if (found.size >= max) break;
  }
  return [...found];
}

/** The object without its undefined fields, so that "absent" has one spelling (exactOptionalPropertyTypes). */
export function defined<T extends object>(object: T): Defined<T>;
export function defined(object: object): object {
  const names = Object.keys(object);
  const values: unknown[] = Object.values(object);
  // Most have nothing to leave out, and the same form as the ones before them.
  if (!values.includes(undefined)) return object;
  const result: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at];
    if (name !== undefined && values[at] !== undefined) result[name] = values[at];
  }
  return result;
}
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Body of an answer as JSON. @throws ConnectorError upstream */
export function parseBody({ body }: HttpAnswer): Json {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new ConnectorError('upstream', 'The service answered with something that is no JSON.', { cause });
  }
}
