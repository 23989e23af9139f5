import { type Static, type TSchema, Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { ConnectorError } from './errors.ts';

export { type Static, Type };

/**
 * What a service answered, as the type of `shape`. Describe only what you use and leave other fields alone: services add some every
 * month.
 * @throws ConnectorError `upstream`, naming the first field that is not as described
 */
export function readAnswer<const T extends TSchema>(shape: T, answer: unknown): Static<T> {
  if (Check(shape, answer)) return answer;
  const [, errors] = Errors(shape, answer);
  const place = errors[0]?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  throw new ConnectorError(
    'upstream',
    `The service answered in an unexpected form: ${place === '' ? 'the answer' : `"${place}"`} ${errors[0]?.message ?? 'is not as described'}.`,
    { help: 'Check that the address leads to the service itself and that its version is supported.' },
  );
}
