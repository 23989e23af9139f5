import { oneOrMore } from './read.ts';

const CWE_LABEL = /\bCWE[-_ :]?0*(\d{1,5})\b/gi;

/** Numbers of weaknesses from "CWE-79: …", "CWE-79", "79", 79 or lists of these; "NVD-CWE-noinfo" and CWE-0 are none. */
export function cweNumbers(...values: readonly unknown[]): number[] | undefined {
  const found = new Set<number>();
  for (const value of values) {
    for (const item of oneOrMore(value)) for (const id of numbersIn(item)) if (id > 0) found.add(id);
  }
  return found.size === 0 ? undefined : [...found];
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return Number.isInteger(value) && value < 100_000 ? [value] : [];
  if (typeof value !== 'string') return [];
  const text = value.slice(0, 2_000);
  if (/^\s*\d{1,5}\s*$/.test(text)) return [Number(text)];
  return Array.from(text.matchAll(CWE_LABEL), (match) => Number(match[1]));
}
