import type { RouteDefinition } from '@breakwater/core/platform/api/contract.ts';
import { AppError, type ErrorCode, type FieldIssue } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { sayEnglish } from '@breakwater/core/platform/model/translator.ts';
import type { ErrorObject, Options } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { parseQuery, splitLists } from './query-parser.ts';

// ajv-formats is CommonJS: under nodenext its callable is the member `default`
const addFormats = addFormatsModule.default;

/** Bodies say exactly what they mean: no coercion. */
const bodies = addFormats(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }));
/** Paths and queries are text: numbers, booleans and single values of lists are read from it. */
const texts = addFormats(
  new Ajv2020({ strict: true, strictTypes: false, allErrors: true, coerceTypes: 'array', useDefaults: true }),
);

/** Reads and checks the parts of a request for one route. */
export interface RequestReader {
  /** @throws the route's not-found code: an id that cannot exist is not there. */
  params(values: Record<string, unknown>): unknown;
  /** @throws validation_failed */
  query(url: string): unknown;
  /** @throws validation_failed */
  body(value: unknown): unknown;
}

const refuse = (check: ValidateFunction, place: 'body' | 'query'): never => {
  throw new AppError('validation_failed', undefined, { issues: toIssues(check.errors ?? [], place) });
};

/** With more values than that, a body is checked up to its first error: each of the others would cost more than reading it did. */
const MAX_VALUES_IN_DETAIL = 60_000;

/** Bodies of very many values. */
const largeBodies = addFormats(new Ajv2020({ strict: true, strictTypes: false }));

const HUGE = sayEnglish('Must be a number from {least} to {most}.', {
  least: String(-Number.MAX_SAFE_INTEGER),
  most: String(Number.MAX_SAFE_INTEGER),
});
const isHuge = (value: unknown): boolean => typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);

/** A value inside a JSON value, with the way that led to it. */
interface Visit {
  value: object;
  key: string | number;
  parent: Visit | undefined;
}

const refuseNumber = (key: string | number, parent: Visit): never => {
  const loc = [key];
  for (let visit: Visit | undefined = parent; visit !== undefined; visit = visit.parent) loc.unshift(visit.key);
  throw new AppError('validation_failed', undefined, { issues: [{ loc, msg: HUGE, type: 'number_range' }] });
};

/**
 * Counts the values inside a JSON value. @throws validation_failed where a number is beyond what computers count exactly: `1e309` arrives as
 * infinity, `99999999999999999999` as another number than was sent.
 */
const requireNumbers = (root: unknown, place: 'body' | 'query'): number => {
  if (typeof root !== 'object' || root === null) return 1;
  const waiting: Visit[] = [{ value: root, key: place, parent: undefined }];
  let count = 1;
  const look = (value: unknown, key: string | number, parent: Visit): void => {
    count += 1;
    if (typeof value === 'object' && value !== null) waiting.push({ value, key, parent });
    else if (isHuge(value)) refuseNumber(key, parent);
  };
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { value } = visit;
    if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) look(value[index], index, visit);
    else for (const key of Object.keys(value)) look(Reflect.get(value, key), key, visit);
  }
  return count;
};

const notFoundCode = (route: RouteDefinition): ErrorCode =>
  route.errors?.find((code) => code.endsWith('not_found')) ?? 'not_found';

/** Compiled when it is first needed: a server would spend a second on the checks of all its calls before it answers the first. */
const compiledWhenUsed = (ajv: Ajv2020, schema: object): (() => ValidateFunction) => {
  let check: ValidateFunction | undefined;
  return () => {
    check ??= ajv.compile(schema);
    return check;
  };
};

export const createRequestReader = (route: RouteDefinition): RequestReader => {
  const { params, query, body } = route;
  const checkOf = (ajv: Ajv2020, schema: object | undefined) =>
    schema === undefined ? undefined : compiledWhenUsed(ajv, schema);
  const checkParams = checkOf(texts, params);
  const checkQuery = checkOf(texts, query);
  const ownBody = route.bodyKind === 'stream' ? undefined : body;
  const checkBody = checkOf(bodies, ownBody);
  const checkLargeBody = checkOf(largeBodies, ownBody);
  return {
    params: (values) => {
      if (checkParams === undefined) return undefined;
      const copy = { ...values };
      if (!checkParams()(copy)) throw new AppError(notFoundCode(route));
      return copy;
    },
    query: (url) => {
      if (checkQuery === undefined || query === undefined) return undefined;
      const values = splitLists(parseQuery(url), query);
      const check = checkQuery();
      if (!check(values)) refuse(check, 'query');
      requireNumbers(values, 'query');
      return values;
    },
    body: (value) => {
      if (checkBody === undefined || checkLargeBody === undefined) return undefined;
      const check = requireNumbers(value, 'body') > MAX_VALUES_IN_DETAIL ? checkLargeBody() : checkBody();
      if (!check(value)) refuse(check, 'body');
      return value;
    },
  };
};

/** Says what an answer lacks of its contract. Used by tests, where every answer is checked. */
export const createResponseChecker = (route: RouteDefinition): ((text: string) => void) => {
  const checkOfRoute = compiledWhenUsed(bodies, route.response);
  return (text) => {
    const check = checkOfRoute();
    if (check(JSON.parse(text))) return;
    throw new Error(
      `The answer of ${route.method} ${route.path} breaks its contract: ${bodies.errorsText(check.errors)}`,
    );
  };
};

/** Nobody reads more, and a hostile body could make thousands. */
const MAX_ISSUES = 50;
/** Of these the errors are made: comparing all with each other would take the square of their number. */
const MAX_ERRORS = 1000;
const MAX_WORDS = 30;

const FORMATS: Readonly<Record<string, string>> = {
  email: msg('Must be an e-mail address.'),
  uuid: msg('Must be an id (UUID).'),
  date: msg('Must be a date such as 2026-11-21.'),
  'date-time': msg('Must be a point in time such as 2026-11-21T09:30:00Z.'),
  uri: msg('Must be an address (URL).'),
};

const words = (values: unknown): string => {
  if (!Array.isArray(values)) return '';
  const shown = values.slice(0, MAX_WORDS).join(', ');
  return values.length > MAX_WORDS ? `${shown} …` : shown;
};

const TYPE_ISSUES: Readonly<Record<string, string>> = {
  string: msg('Must be a string.'),
  number: msg('Must be a number.'),
  integer: msg('Must be an integer.'),
  boolean: msg('Must be a boolean.'),
  object: msg('Must be an object.'),
  array: msg('Must be an array.'),
};

const mustBe = (type: unknown): string =>
  TYPE_ISSUES[String(type)] ??
  sayEnglish('Must be of the type {type}.', { type: Array.isArray(type) ? type.join(' | ') : String(type) });

const limitOf = (params: Record<string, unknown>): { limit: string } => ({ limit: String(params['limit']) });

const MESSAGES: Readonly<Record<string, (params: Record<string, unknown>) => string>> = {
  required: () => msg('This field is required.'),
  additionalProperties: () => msg('There is no such field.'),
  enum: (params) => sayEnglish('Must be one of: {values}.', { values: words(params['allowedValues']) }),
  const: (params) => sayEnglish('Must be the value {value}.', { value: JSON.stringify(params['allowedValue']) }),
  type: (params) => mustBe(params['type']),
  minLength: (params) =>
    params['limit'] === 1
      ? msg('Must not be empty.')
      : sayEnglish('Must have at least {limit} characters.', limitOf(params)),
  maxLength: (params) => sayEnglish('Must have at most {limit} characters.', limitOf(params)),
  minimum: (params) => sayEnglish('Must be at least {limit}.', limitOf(params)),
  maximum: (params) => sayEnglish('Must be at most {limit}.', limitOf(params)),
  multipleOf: (params) => sayEnglish('Must be a multiple of {step}.', { step: String(params['multipleOf']) }),
  minItems: (params) => sayEnglish('Must have at least {limit} entries.', limitOf(params)),
  maxItems: (params) => sayEnglish('Must have at most {limit} entries.', limitOf(params)),
  uniqueItems: () => msg('Must not name anything twice.'),
  minProperties: (params) => sayEnglish('Must have at least {limit} field.', limitOf(params)),
  format: (params) =>
    FORMATS[String(params['format'])] ??
    sayEnglish('Must be in the form "{format}".', { format: String(params['format']) }),
};

const TYPES: Readonly<Record<string, string>> = { required: 'missing', additionalProperties: 'unknown_field' };

const ownParts = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** Name of the field that is missing or too many: the error stands at the object around it. */
const extraPart = (error: ErrorObject): string[] => {
  const params: Record<string, unknown> = error.params;
  const name = params['missingProperty'] ?? params['additionalProperty'];
  return typeof name === 'string' ? [name] : [];
};

const isUnion = (error: ErrorObject): boolean => error.keyword === 'anyOf' || error.keyword === 'oneOf';

/** A value that may be null says nothing useful about null. */
const isAboutNull = (error: ErrorObject): boolean => error.keyword === 'type' && error.params['type'] === 'null';

/** One union gives an error per branch and one for itself: keep those of the branches that are not null, else one for all. */
const foldUnions = (errors: readonly ErrorObject[]): ErrorObject[] => {
  const unions = errors.filter(isUnion);
  const inside = (error: ErrorObject): ErrorObject | undefined =>
    unions.find((union) => union !== error && error.schemaPath.startsWith(`${union.schemaPath}/`));
  return errors.filter((error) => {
    if (isUnion(error))
      return !errors.some((other) => inside(other) === error && !isAboutNull(other) && !isUnion(other));
    return inside(error) === undefined || !isAboutNull(error);
  });
};

/** Ajv's errors as a person and a program can read them, one per place. `place` is body, query or path. */
export const toIssues = (errors: readonly ErrorObject[], place: 'body' | 'query' | 'path'): FieldIssue[] => {
  const byPlace = new Map<string, FieldIssue>();
  for (const error of foldUnions(errors.slice(0, MAX_ERRORS))) {
    const loc = [place, ...ownParts(error.instancePath), ...extraPart(error)];
    const key = JSON.stringify(loc);
    const message = MESSAGES[error.keyword]?.(error.params) ?? msg('Has the wrong form.');
    const known = byPlace.get(key);
    if (known === undefined) byPlace.set(key, { loc, msg: message, type: TYPES[error.keyword] ?? error.keyword });
    else if (!known.msg.includes(message)) known.msg = `${known.msg} ${message}`;
    if (byPlace.size === MAX_ISSUES) break;
  }
  return [...byPlace.values()];
};

/** Schemas of plugins were checked when they were loaded; what is not JSON Schema's in them says nothing about values. */
const checkWith = (options: Options) => {
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, ...options }));
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema: object, value: unknown): FieldIssue[] => {
    const check = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, check);
    if (check(value)) return [];
    return toIssues(check.errors ?? [], 'body').map((issue) => ({ ...issue, loc: issue.loc.slice(1) }));
  };
};

/** Judges a value by a schema of a plugin, such as the form of a connector. Places begin at the value itself. */
export const checkSchema = checkWith({});

/** The same for an object of texts: numbers and truth values are read from them, in place. */
export const checkTexts = checkWith({ coerceTypes: 'array', useDefaults: true });
