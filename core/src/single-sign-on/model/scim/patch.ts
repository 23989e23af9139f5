import { type Filter, parse } from 'scim2-parse-filter';
import { scimRefusal } from './refusals.ts';
import { fieldOf, isRecord, listOf, textOf } from './values.ts';

/** Operations of one request. */
const MAX_OPERATIONS = 1000;
/** A filter or path is a line, not a document. */
const MAX_FILTER = 2000;
const PATH = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/i;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** Where an operation works; names in lower case. */
interface PatchPath {
  attribute: string;
  filter: Filter | undefined;
  sub: string | undefined;
}

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: PatchPath;
  value: unknown;
}

/** @throws bad_request */
export const parseFilter = (text: string): Filter => {
  try {
    if (text.length <= MAX_FILTER) return parse(text);
  } catch (error) {
    throw scimRefusal('invalidFilter', `The filter cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
  throw scimRefusal('invalidFilter', `The filter has more than ${MAX_FILTER} characters.`);
};

/** Nothing for an attribute of an extension, of which none is kept. @throws bad_request */
const parsePath = (text: string): PatchPath | undefined => {
  const plain = text.replace(CORE, '');
  if (/^urn:/i.test(plain)) return undefined;
  const [, attribute, filter, sub] = (text.length <= MAX_FILTER ? PATH.exec(plain) : null) ?? [];
  if (attribute === undefined) throw scimRefusal('invalidPath', `"${text.slice(0, 100)}" is no path of an attribute.`);
  return {
    attribute: attribute.toLowerCase(),
    filter: filter === undefined ? undefined : parseFilter(filter),
    sub: sub?.toLowerCase(),
  };
};

const OPS = ['add', 'replace', 'remove'] as const;

/** One operation, or one for each attribute where it names no path. @throws bad_request */
const readOperation = (given: unknown): PatchOperation[] => {
  if (!isRecord(given)) throw scimRefusal('invalidSyntax', 'An operation must be an object.');
  const name = textOf(fieldOf(given, 'op'), 'op')?.toLowerCase();
  const op = OPS.find((one) => one === name);
  if (op === undefined) throw scimRefusal('invalidSyntax', 'The operation must be add, replace or remove.');
  const value = fieldOf(given, 'value');
  const path = textOf(fieldOf(given, 'path'), 'path');
  if (path !== null) {
    const place = parsePath(path);
    return place === undefined ? [] : [{ op, path: place, value }];
  }
  if (op === 'remove') throw scimRefusal('noTarget', 'An operation that removes needs a path.');
  if (!isRecord(value)) throw scimRefusal('invalidSyntax', 'Without a path the value must be an object of attributes.');
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = parsePath(key);
    return place === undefined ? [] : [{ op, path: place, value: inner }];
  });
};

/** Operations of a PATCH, in their order. Source: RFC 7644 §3.5.2; upper case is taken too, as some providers send it. @throws bad_request */
export const readOperations = (body: unknown): PatchOperation[] => {
  const given = isRecord(body) ? fieldOf(body, 'Operations') : undefined;
  if (!Array.isArray(given)) throw scimRefusal('invalidSyntax', 'The body must have "Operations".');
  if (given.length > MAX_OPERATIONS) throw scimRefusal('tooMany', `More than ${MAX_OPERATIONS} operations.`);
  return listOf(given).flatMap(readOperation);
};

/**
 * The texts that a filter such as `type eq "work" and value eq "x"` asks for, by attribute in lower case.
 * @param joined how several may be joined @throws bad_request for anything else
 */
export const equalities = (filter: Filter, joined: 'and' | 'or'): { attribute: string; value: string }[] => {
  if ('filters' in filter && filter.op === joined) return filter.filters.flatMap((one) => equalities(one, joined));
  if (filter.op === 'eq' && 'compValue' in filter) {
    return [{ attribute: filter.attrPath.toLowerCase(), value: String(filter.compValue) }];
  }
  throw scimRefusal('invalidFilter', `In a path values are compared by "eq" alone, joined by "${joined}".`);
};
