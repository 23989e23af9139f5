import { label } from './read.ts';

const CVE = /^CVE-\d{4}-\d{4,}$/i;

export interface Identifiers {
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
