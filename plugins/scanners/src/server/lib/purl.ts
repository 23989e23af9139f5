import { PackageURL } from 'packageurl-js';
import { label } from './read.ts';

/** The package URL as written, when the value is one. */
export function purlText(value: unknown): string | undefined {
  const purl = label(value);
  return purl !== undefined && /^pkg:[a-z0-9.+-]+\//i.test(purl) ? purl : undefined;
}

/** Ecosystem of a package URL: `pkg:npm/lodash@4` is `npm`. */
export function ecosystemOf(purl: string | undefined): string | undefined {
  return purl === undefined ? undefined : /^pkg:([a-z0-9.+-]+)\//i.exec(purl)?.[1]?.toLowerCase();
}

export interface PackageName {
  name: string;
  version?: string;
}

/** Name as people of that ecosystem write it: `group:artifact` for Maven, `@scope/name` for npm. */
export function packageName(purl: string | undefined): PackageName | undefined {
  if (purl === undefined) return undefined;
  try {
    const parsed = PackageURL.fromString(purl);
    const separator = parsed.type === 'maven' ? ':' : '/';
    const name = parsed.namespace ? `${parsed.namespace}${separator}${parsed.name}` : parsed.name;
    return { name, ...(parsed.version ? { version: parsed.version } : {}) };
  } catch {
    // Tools write package URLs by hand; a wrong one is no reason to lose the finding.
    return undefined;
  }
}
