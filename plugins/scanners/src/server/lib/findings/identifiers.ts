import { LIMITS } from '../limits.ts';
import { label, oneOrMore } from '../values/read.ts';

const CVE = /^CVE-\d{4}-\d{4,}$/i;

interface Identifiers {
  cve?: string;
  aliases?: string[];
}

/** Every identifier once, the CVE among them picked out. */
export function identifiers(...values: readonly unknown[]): Identifiers {
  const found = new Set<string>();
  for (const value of values) {
    const id = label(value);
    if (id === undefined) continue;
    found.add(CVE.test(id) ? id.toUpperCase() : id);
    if (found.size >= 100) break;
  }
  const aliases = [...found];
  const cve = aliases.find((id) => CVE.test(id));
  return { ...(cve === undefined ? {} : { cve }), ...(aliases.length === 0 ? {} : { aliases }) };
}

/** Identifiers of vulnerabilities inside a longer text or rule id: `CVE-2011-5034-geronimo-javamail`. */
export function identifiersIn(value: string): string[] {
  return [...new Set(value.slice(0, 2_000).match(/\b(?:CVE-\d{4}-\d{4,}|GHSA(?:-[0-9a-z]{4}){3})/gi) ?? [])];
}

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

/** The value when it is a plain http or https address. */
function webAddress(value: unknown): string | undefined {
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
