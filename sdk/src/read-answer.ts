import type { Static, TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import type { HttpAnswer, Json } from './context.ts';
import { ConnectorError } from './errors.ts';

export { type Static, type TSchema, Type } from 'typebox';

const UNEXPECTED = 'The service answered in an unexpected way.';

/**
 * The answer of a service as the schema describes it. Ask only for what you use: fields that the schema does not name are ignored,
 * so that a new field of the service breaks nothing.
 * @throws ConnectorError `upstream`, naming the first field that is not as expected; values are never part of the message
 */
export function readAnswer<const S extends TSchema>(schema: S, answer: Json): Static<S> {
  if (Check(schema, answer)) return answer;
  const [issue] = shapeIssues(schema, answer, []);
  const place = issue?.path.join('.') ?? '';
  const where = place === '' ? 'Its answer' : `"${place}" in its answer`;
  throw new ConnectorError('upstream', `${UNEXPECTED} ${where} ${issue?.message ?? 'differs'}.`, {
    help: 'Is the address of the service right, and does the connector know this version of it?',
  });
}

/** What an answer says as JSON; null where it is not JSON, as of a proxy in front of the service. */
export function answerJson({ body }: HttpAnswer): Json {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** One thing that is wrong with the structure of a value, and where. */
export interface ShapeIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** What is wrong with a value by its schema, in words. `path` is where the value itself stands. */
export function shapeIssues(shape: object, value: unknown, path: readonly string[]): ShapeIssue[] {
  const [, errors] = Errors(shape, value);
  return errors.flatMap((error) => {
    const place = [...path, ...pointerParts(error.instancePath)];
    // An unknown property is told twice, by its own name ("boolean") and by its parent; the first says where.
    if (error.keyword === 'additionalProperties') return [];
    // no text: names of fields, for authors
    if (error.keyword === 'boolean') return [{ path: place, message: 'is not a known field' }];
    if (error.keyword === 'required') {
      // no text: names of fields, for authors
      return error.params.requiredProperties.map((name) => ({ path: [...place, name], message: 'is missing' }));
    }
    if (error.keyword === 'enum') {
      // no text: names of fields, for authors
      return [{ path: place, message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    }
    if (error.keyword === 'const') {
      // no text: names of fields, for authors
      return [{ path: place, message: `must be ${JSON.stringify(error.params.allowedValue)}` }];
    }
    // no text: names of fields, for authors
    if (error.keyword === 'minLength' && error.params.limit === 1) return [{ path: place, message: 'is empty' }];
    return [{ path: place, message: error.message }];
  });
}

function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
