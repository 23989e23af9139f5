import { headText } from '../input/decode.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
} from './scan.ts';

/** What the start of a JSON file shows: enough to tell reports apart, even when the rest is cut off. */
export interface JsonSketch {
  root: 'object' | 'array' | 'null' | 'other';
  /** Keys of the root object, or of the root array's first object. */
  keys: ReadonlySet<string>;
  /** Short texts among their values. */
  texts: ReadonlyMap<string, string>;
  /** Keys of the first object under a key (`results` → keys of the first result). */
  inner: ReadonlyMap<string, ReadonlySet<string>>;
}

const KEY_LIMIT = 200;

export function sketchJson(head: Uint8Array): JsonSketch {
  const bytes = headText(head);
  const sketch = { keys: new Set<string>(), texts: new Map<string, string>(), inner: new Map<string, Set<string>>() };
  let at = skipSpace(bytes, 0, bytes.length);
  const first = bytes[at];
  if (first === OPEN_ARRAY) at = skipSpace(bytes, at + 1, bytes.length);
  else if (first !== OPEN_OBJECT) {
    const isNull = /^null\s*$/.test(bytes.toString('latin1', at, at + 16));
    return { root: isNull ? 'null' : 'other', ...sketch };
  }
  if (bytes[at] === OPEN_OBJECT) {
    walkKeys(bytes, at, sketch.keys, (key, value) => {
      const inner = innerObject(bytes, value);
      if (inner !== undefined && !sketch.inner.has(key)) {
        const keys = new Set<string>();
        sketch.inner.set(key, keys);
        walkKeys(bytes, inner, keys, () => undefined);
      } else {
        const text = shortText(bytes, value);
        if (text !== undefined) sketch.texts.set(key, text);
      }
    });
  }
  return { root: first === OPEN_ARRAY ? 'array' : 'object', ...sketch };
}

function innerObject(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] === OPEN_OBJECT) return at;
  if (bytes[at] !== OPEN_ARRAY) return undefined;
  const element = skipSpace(bytes, at + 1, bytes.length);
  return bytes[element] === OPEN_OBJECT ? element : undefined;
}

function walkKeys(bytes: Buffer, from: number, keys: Set<string>, visit: (key: string, value: number) => void): void {
  try {
    let at = skipSpace(bytes, from + 1, bytes.length);
    while (bytes[at] === QUOTE && keys.size < KEY_LIMIT) {
      const end = skipString(bytes, at, bytes.length);
      const key = bytes.toString('utf8', at + 1, Math.min(end - 1, at + 200));
      const value = skipSpace(bytes, skipSpace(bytes, end, bytes.length) + 1, bytes.length);
      keys.add(key);
      visit(key, value);
      at = skipSpace(bytes, skipValue(bytes, value, bytes.length), bytes.length);
      if (bytes[at] === CLOSE_OBJECT || bytes[at] === CLOSE_ARRAY || bytes[at] !== COMMA) return;
      at = skipSpace(bytes, at + 1, bytes.length);
    }
  } catch {
    // The head ends inside a value: what was seen until there is the sketch.
  }
}

/** The texts `name` of all objects that stand under the key `holder`, however deep, as far as the head shows them. */
export function textsUnder(head: Uint8Array, holder: string, name: string): string[] {
  const bytes = headText(head);
  const mark = `"${holder}"`;
  const found: string[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    const colon = skipSpace(bytes, at + mark.length, bytes.length);
    const value = skipSpace(bytes, colon + 1, bytes.length);
    if (bytes[colon] !== COLON || bytes[value] !== OPEN_OBJECT) continue;
    walkKeys(bytes, value, new Set(), (key, place) => {
      const text = key === name ? shortText(bytes, place) : undefined;
      if (text !== undefined) found.push(text);
    });
  }
  return found;
}

function shortText(bytes: Buffer, at: number): string | undefined {
  if (bytes[at] !== QUOTE) return undefined;
  const short = bytes.toString('utf8', at + 1, Math.min(at + 300, bytes.length));
  return short.slice(0, Math.max(0, short.indexOf('"')));
}

/** True when the sketch's root has all the keys. */
export function hasKeys(sketch: JsonSketch, ...keys: readonly string[]): boolean {
  return keys.every((key) => sketch.keys.has(key));
}

/** True when the first object under `key` has all the keys. */
export function innerHas(sketch: JsonSketch, key: string, ...keys: readonly string[]): boolean {
  const inner = sketch.inner.get(key);
  return inner !== undefined && keys.every((name) => inner.has(name));
}
