import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';

const ajv = new Ajv({ strict: true, allErrors: false });

/** Checks one vendor record and says what is wrong with it. */
export interface RecordCheck<T> {
  accepts(value: unknown): value is T;
  /** Why the last value was refused. */
  issue(): string;
}

/** Vendor schemas name what must be there and stay silent on the rest: unknown fields pass. */
export function recordCheck<const S extends TSchema>(schema: S): RecordCheck<Static<S>> {
  const validate = ajv.compile<Static<S>>(schema);
  return {
    accepts: (value): value is Static<S> => validate(value),
    issue: () => describe(validate.errors?.[0]),
  };
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return 'does not have the expected form';
  const where = error.instancePath.slice(1).replaceAll('/', '.');
  return `${where === '' ? '' : `${where} `}${error.message ?? 'is not valid'}`;
}
