import { LIMITS } from './limits.ts';
import { clean } from './read.ts';

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
  const name = value.replace(/@sha(?:256|512):.*$/i, '').replace(/:[\w][\w.-]{0,127}$/, '');
  // A bare digest names nothing that lasts.
  return name === '' || /^sha(?:256|512)$/i.test(name) || /^[0-9a-f]{64}$/i.test(name) ? undefined : name;
}
