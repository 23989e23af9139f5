import { isRecord } from './read.ts';

/** More are not kept: a report with more kinds of results is read a little slower. */
const MAX_KEYS = 4_096;
/** Of one key; a rule may say something else by the place. */
const MAX_FORMS = 4;

interface Kept<T> {
  from: readonly unknown[];
  made: T;
}

/**
 * Keeps what was made for a key as long as what it was made from is the same: scanners repeat in each result what belongs to
 * its rule or vulnerability.
 */
export class KeptByKey<T> {
  private readonly kept = new Map<string, Kept<T>[]>();

  /** What `make` gives for these parts of a report; mostly made once for equal ones under one key. */
  of(key: string, from: readonly unknown[], make: () => T): T {
    const known = this.kept.get(key) ?? [];
    for (const one of known) {
      if (!isSame(one.from, from)) continue;
      // The next ones often are the very same objects as these.
      one.from = from;
      return one.made;
    }
    const made = make();
    if (known.length === 0 && this.kept.size < MAX_KEYS) this.kept.set(key, known);
    if (known.length === MAX_FORMS) known.pop();
    known.unshift({ from, made });
    return made;
  }
}

/** True when two values of JSON say the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isRecord(one)) return isRecord(other) && isSameObject(one, other);
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (!isSame(one[at], other[at])) return false;
  return true;
}

function isSameObject(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  let names = 0;
  for (const name in one) {
    names += 1;
    if (!isSame(one[name], other[name])) return false;
  }
  for (const name in other)
    if (Object.hasOwn(one, name)) names -= 1;
    else return false;
  return names === 0;
}
