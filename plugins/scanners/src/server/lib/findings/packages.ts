import type { FindingType } from '@breakwater/sdk';
import { PackageURL } from 'packageurl-js';
import { LIMITS } from '../limits.ts';
import { clean, label } from '../values/read.ts';

/** The package URL as written, when the value is one. */
export function purlText(value: unknown): string | undefined {
  const purl = label(value);
  return purl !== undefined && /^pkg:[a-z0-9.+-]+\//i.test(purl) ? purl : undefined;
}

/** Ecosystem of a package URL: `pkg:npm/lodash@4` is `npm`. */
export function ecosystemOf(purl: string | undefined): string | undefined {
  return purl === undefined ? undefined : /^pkg:([a-z0-9.+-]+)\//i.exec(purl)?.[1]?.toLowerCase();
}

interface PackageName {
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

/** A path as every tool would have written it: `/` between parts, no leading `./`. */
export function normalisePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  let path = clean(value, LIMITS.pathChars);
  if (path.includes('\\')) path = path.replaceAll('\\', '/');
  let start = 0;
  while (path.startsWith('./', start)) start += 2;
  if (start > 0) path = path.slice(start);
  path = path.trim();
  if (path !== '') return path;
  return start > 0 ? '.' : undefined;
}

/** An image's name without what changes from build to build: `registry:5000/app:1.2@sha256:…` is `registry:5000/app`. */
export function imageName(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const digest = value.search(/@sha(?:256|512):/i);
  const name = (digest < 0 ? value : value.slice(0, digest)).replace(/:[\w][\w.-]{0,127}$/, '');
  // A bare digest names nothing that lasts.
  return name === '' || /^sha(?:256|512)$/i.test(name) || /^[0-9a-f]{64}$/i.test(name) ? undefined : name;
}

/** The family that the uploader chose by a catalogue entry, where it is one of those the tool's results can be taken for. */
export function familyOf(family: string | undefined, allowed: readonly FindingType[]): FindingType | undefined {
  return allowed.find((type) => type === family);
}
