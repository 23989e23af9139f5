import { MappingError, type MappingItem, type RecordsPath } from './document.ts';

/** Records of an answer, each with what holds its list. @throws MappingError, where the list is not where the document says */
export function recordsAt(answer: unknown, path: RecordsPath | undefined): MappingItem[] {
  const keys = path === undefined ? [] : path.split('.');
  const [first, ...rest] = keys;
  if (first === '$') return walk(answer, undefined, rest, []);
  // an answer that is a list is not the document that the path leads into, though it may be empty and hold nothing that contradicts
  if (first !== undefined && Array.isArray(answer)) throw missing([first]);
  return walk(answer, undefined, keys, []);
}

function walk(
  value: unknown,
  parent: unknown,
  [key, ...rest]: readonly string[],
  gone: readonly string[],
): MappingItem[] {
  if (key === undefined) {
    if (!Array.isArray(value)) {
      // no text: said inside of another sentence
      throw new MappingError(gone.length === 0 ? 'The answer is no list.' : `"${gone.join('.')}" is no list.`);
    }
    return value.map((input: unknown) => ({ input, ...(parent === undefined ? {} : { parent }) }));
  }
  if (Array.isArray(value)) return value.flatMap((part) => walk(part, part, [key, ...rest], gone));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
    throw missing([...gone, key]);
  }
  return walk(Reflect.get(value, key), value, rest, [...gone, key]);
}

/** What is at a path of an answer, names joined by dots: one value, where `recordsAt` goes through lists. @throws MappingError, where there is no such place */
export function valueAt(answer: unknown, path: RecordsPath | undefined): unknown {
  const keys = path === undefined ? [] : path.split('.');
  return keys.reduce<unknown>((value, key, index) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      throw missing(keys.slice(0, index + 1));
    return Reflect.get(value, key);
  }, answer);
}

function missing(keys: readonly string[]): MappingError {
  // no text: said inside of another sentence
  return new MappingError(`"${keys.join('.')}" is missing.`);
}
