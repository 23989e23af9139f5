import { LIMITS } from './limits.ts';
import { oneOrMore } from './read.ts';

/** The value when it is a plain http or https address. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const address = value.trim();
  if (address.length > LIMITS.urlChars || !/^https?:\/\/[^\s"'<>`\\]+$/i.test(address)) return undefined;
  // A NUL is no white space to the pattern, and cannot be stored.
  if (address.includes('\0')) return undefined;
  return address.isWellFormed() && URL.canParse(address) ? address : undefined;
}

/** http(s) addresses from values and lists of values, each once. */
export function webAddresses(...values: readonly unknown[]): string[] | undefined {
  const found = new Set<string>();
  for (const value of values) {
    for (const item of oneOrMore(value)) {
      const address = webAddress(item);
      if (address !== undefined && found.size < LIMITS.references) found.add(address);
    }
  }
  return found.size === 0 ? undefined : [...found];
}
