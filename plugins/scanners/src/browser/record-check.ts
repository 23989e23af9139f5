import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { RecordCheck } from '../server/lib/values/schema.ts';

/** In place of the check of the server, which is compiled from text: the policy of our pages lets no text be run as code. */
export function recordCheck<const S extends TSchema>(schema: S): RecordCheck<Static<S>> {
  return {
    accepts: (value): value is Static<S> => Value.Check(schema, value),
    issue: () => 'does not have the expected form',
  };
}
