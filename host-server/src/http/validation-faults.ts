import type { FieldIssue } from '@breakwater/core/platform/model/app-error.ts';
import type { ErrorObject } from 'ajv';

/** Nobody reads more, and a hostile body could make thousands. */
const MAX_FAULTS = 50;
const MAX_WORDS = 30;

const FORMATS: Readonly<Record<string, string>> = {
  email: 'Must be an e-mail address.',
  uuid: 'Must be an id (UUID).',
  date: 'Must be a date such as 2026-11-21.',
  'date-time': 'Must be a point in time such as 2026-11-21T09:30:00Z.',
  uri: 'Must be an address (URL).',
};

const words = (values: unknown): string => {
  if (!Array.isArray(values)) return '';
  const shown = values.slice(0, MAX_WORDS).join(', ');
  return values.length > MAX_WORDS ? `${shown} …` : shown;
};

const article = (type: unknown): string => (/^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`);

const MESSAGES: Readonly<Record<string, (params: Record<string, unknown>) => string>> = {
  required: () => 'This field is required.',
  additionalProperties: () => 'There is no such field.',
  enum: (params) => `Must be one of: ${words(params['allowedValues'])}.`,
  const: (params) => `Must be ${JSON.stringify(params['allowedValue'])}.`,
  type: (params) => `Must be ${Array.isArray(params['type']) ? params['type'].join(' or ') : article(params['type'])}.`,
  minLength: (params) =>
    params['limit'] === 1 ? 'Must not be empty.' : `Must have at least ${params['limit']} characters.`,
  maxLength: (params) => `Must have at most ${params['limit']} characters.`,
  minimum: (params) => `Must be at least ${params['limit']}.`,
  maximum: (params) => `Must be at most ${params['limit']}.`,
  minItems: (params) => `Must have at least ${params['limit']} entries.`,
  maxItems: (params) => `Must have at most ${params['limit']} entries.`,
  uniqueItems: () => 'Must not name anything twice.',
  minProperties: (params) => `Must have at least ${params['limit']} field.`,
  format: (params) => FORMATS[String(params['format'])] ?? `Must be in the form "${params['format']}".`,
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

/** One union gives a fault per branch and one for itself: keep those of the branches that are not null, else one for all. */
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
export const toFaults = (errors: readonly ErrorObject[], place: 'body' | 'query' | 'path'): FieldIssue[] => {
  const byPlace = new Map<string, FieldIssue>();
  for (const error of foldUnions(errors)) {
    const loc = [place, ...ownParts(error.instancePath), ...extraPart(error)];
    const key = JSON.stringify(loc);
    const msg = MESSAGES[error.keyword]?.(error.params) ?? 'Has the wrong form.';
    const known = byPlace.get(key);
    if (known === undefined) byPlace.set(key, { loc, msg, type: TYPES[error.keyword] ?? error.keyword });
    else if (!known.msg.includes(msg)) known.msg = `${known.msg} ${msg}`;
    if (byPlace.size === MAX_FAULTS) break;
  }
  return [...byPlace.values()];
};
