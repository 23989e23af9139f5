import { Errors } from 'typebox/schema';

/** One thing that is wrong with the structure of a value, and where. */
export interface ShapeFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** What is wrong with a value by its schema, in words. `path` is where the value itself stands. */
export function shapeFaults(shape: object, value: unknown, path: readonly string[]): ShapeFault[] {
  const [, errors] = Errors(shape, value);
  return errors.flatMap((error) => {
    const place = [...path, ...pointerParts(error.instancePath)];
    // An unknown property is told twice, by its own name ("boolean") and by its parent; the first says where.
    if (error.keyword === 'additionalProperties') return [];
    if (error.keyword === 'boolean') return [{ path: place, message: 'is not a known field' }];
    if (error.keyword === 'required') {
      return error.params.requiredProperties.map((name) => ({ path: [...place, name], message: 'is missing' }));
    }
    if (error.keyword === 'enum') {
      return [{ path: place, message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    }
    if (error.keyword === 'const') {
      return [{ path: place, message: `must be ${JSON.stringify(error.params.allowedValue)}` }];
    }
    return [{ path: place, message: error.message }];
  });
}

function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
