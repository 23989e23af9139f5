import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import type { HttpAnswer, Json } from './context.ts';
import { ConnectorError } from './errors.ts';
import { shapeFaults } from './shape-faults.ts';

export { type Static, type TSchema, Type } from 'typebox';

/**
 * The answer of a service as the schema describes it. Ask only for what you use: fields that the schema does not name are ignored,
 * so that a new field of the service breaks nothing.
 * @throws ConnectorError `upstream`, naming the first field that is not as expected; values are never part of the message
 */
export function readAnswer<const S extends TSchema>(schema: S, answer: Json): Static<S> {
  if (Check(schema, answer)) return answer;
  const [fault] = shapeFaults(schema, answer, []);
  const place = fault?.path.join('.') ?? '';
  const where = place === '' ? 'Its answer' : `"${place}" in its answer`;
  throw new ConnectorError(
    'upstream',
    `The service answered in an unexpected way. ${where} ${fault?.message ?? 'differs'}.`,
    {
      help: 'Is the address of the service right, and does the connector know this version of it?',
    },
  );
}

/** What an answer says as JSON; null where it is not JSON, as of a proxy in front of the service. */
export function answerJson({ body }: HttpAnswer): Json {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
