import type { RouteDefinition } from '@breakwater/core/platform/api/contract.ts';
import { AppError, type ErrorCode } from '@breakwater/core/platform/model/app-error.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { parseQuery, splitLists } from './query-parser.ts';
import { toFaults } from './validation-faults.ts';

// ajv-formats is CommonJS: under nodenext its callable is the member `default`
const addFormats = addFormatsModule.default;

/** Bodies say exactly what they mean: no coercion. */
const bodies = addFormats(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }));
/** Paths and queries are text: numbers, booleans and single values of lists are read from it. */
const texts = addFormats(
  new Ajv2020({ strict: true, strictTypes: false, allErrors: true, coerceTypes: 'array', useDefaults: true }),
);

/** Reads and checks the parts of a request for one route. Compiled once. */
export interface RequestReader {
  /** @throws the route's not-found code: an id that cannot exist is not there. */
  params(values: Record<string, unknown>): unknown;
  /** @throws validation_failed */
  query(url: string): unknown;
  /** @throws validation_failed */
  body(value: unknown): unknown;
}

const refuse = (check: ValidateFunction, place: 'body' | 'query'): never => {
  throw new AppError('validation_failed', undefined, { faults: toFaults(check.errors ?? [], place) });
};

const notFoundCode = (route: RouteDefinition): ErrorCode =>
  route.errors?.find((code) => code.endsWith('not_found')) ?? 'not_found';

export const createRequestReader = (route: RouteDefinition): RequestReader => {
  const { params, query, body } = route;
  const checkParams = params === undefined ? undefined : texts.compile(params);
  const checkQuery = query === undefined ? undefined : texts.compile(query);
  const checkBody = body === undefined || route.bodyKind === 'stream' ? undefined : bodies.compile(body);
  return {
    params: (values) => {
      if (checkParams === undefined) return undefined;
      const copy = { ...values };
      if (!checkParams(copy)) throw new AppError(notFoundCode(route));
      return copy;
    },
    query: (url) => {
      if (checkQuery === undefined || query === undefined) return undefined;
      const values = splitLists(parseQuery(url), query);
      if (!checkQuery(values)) refuse(checkQuery, 'query');
      return values;
    },
    body: (value) => {
      if (checkBody === undefined) return undefined;
      if (!checkBody(value)) refuse(checkBody, 'body');
      return value;
    },
  };
};

/** Says what an answer lacks of its contract. Used by tests, where every answer is checked. */
export const createResponseChecker = (route: RouteDefinition): ((text: string) => void) => {
  const check = bodies.compile(route.response);
  return (text) => {
    if (check(JSON.parse(text))) return;
    throw new Error(
      `The answer of ${route.method} ${route.path} breaks its contract: ${bodies.errorsText(check.errors)}`,
    );
  };
};
