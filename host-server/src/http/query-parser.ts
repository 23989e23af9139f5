import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import qs from 'qs';
import type { TSchema } from 'typebox';

const MAX_LIST = 200;

const tooComplex = (cause: unknown): AppError =>
  new AppError('validation_failed', undefined, {
    issues: [
      {
        loc: ['query'],
        msg: msg('The query is nested too deep or has too many parameters.'),
        type: 'query_too_complex',
      },
    ],
    cause,
  });

/** Reads `filters[status]=a&page=2`. Keys such as `constructor` stay plain keys, `__proto__` is dropped. @throws validation_failed */
export const parseQuery = (url: string): Record<string, unknown> => {
  const start = url.indexOf('?');
  if (start === -1) return {};
  try {
    return qs.parse(url.slice(start + 1), {
      depth: 2,
      parameterLimit: 300,
      strictDepth: true,
      arrayLimit: MAX_LIST,
      plainObjects: true,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    throw tooComplex(error);
  }
};

interface SchemaShape {
  type?: unknown;
  anyOf?: unknown;
  properties?: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema itself, or the branches of a union. */
const branches = (schema: unknown): SchemaShape[] => {
  if (!isRecord(schema)) return [];
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].flatMap(branches) : [schema];
};

/** `a,b` is two words. A repeated parameter, or one with `[]`, is one word each time: so a word may have a comma. */
const splitWords = (value: unknown): unknown => {
  if (typeof value === 'string') return value.split(',').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word) => word !== '') : value;
};

const splitIn = (value: unknown, schema: unknown): unknown => {
  const shapes = branches(schema);
  if (shapes.some((shape) => shape.type === 'array')) return splitWords(value);
  const properties = shapes.find((shape) => isRecord(shape.properties))?.properties;
  if (!isRecord(value) || !isRecord(properties)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) {
    const split = Object.hasOwn(properties, key) ? splitIn(inner, properties[key]) : inner;
    // `filters[status]=` filters nothing
    if (!(Array.isArray(split) && split.length === 0)) copy[key] = split;
  }
  return copy;
};

/** Turns `a,b` into a list where, and only where, the schema says list. */
export const splitLists = (query: Record<string, unknown>, schema: TSchema): unknown => splitIn(query, schema);
