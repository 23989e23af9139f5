/** More makes are not kept: a report with more kinds of results is read a little slower. */
const MAX_KEPT = 4_096;

interface Kept<T> {
  from: readonly unknown[];
  made: T;
}

/**
 * Keeps what was made for a key as long as what it was made from is the same: scanners repeat in each result what belongs to
 * its rule or vulnerability.
 */
export class KeptByKey<T> {
  private readonly kept = new Map<string, Kept<T>>();

  /** What `make` gives for these parts of a report; made once for equal ones that follow each other under one key. */
  of(key: string, from: readonly unknown[], make: () => T): T {
    const known = this.kept.get(key);
    if (known !== undefined && isSame(known.from, from)) return known.made;
    const made = make();
    if (known !== undefined || this.kept.size < MAX_KEPT) this.kept.set(key, { from, made });
    return made;
  }
}

/** True when two values of JSON say the same in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (!Array.isArray(one)) return !Array.isArray(other) && isSameObject(one, other);
  if (!Array.isArray(other) || one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (!isSame(one[at], other[at])) return false;
  return true;
}

function isSameObject(one: object, other: object): boolean {
  const names = Object.keys(one);
  const others = Object.keys(other);
  if (names.length !== others.length) return false;
  const values: unknown[] = Object.values(one);
  const otherValues: unknown[] = Object.values(other);
  for (let at = 0; at < names.length; at += 1)
    if (names[at] !== others[at] || !isSame(values[at], otherValues[at])) return false;
  return true;
}
