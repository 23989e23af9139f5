import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { documentedPath, type RouteDefinition } from '@breakwater/core/platform/api/contract.ts';

export interface DeclaredRoute {
  /** File below the repository, with `/`. */
  file: string;
  /** Name of the export. */
  name: string;
  route: RouteDefinition;
}

const isRoute = (value: unknown): value is RouteDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  'path' in value &&
  'summary' in value &&
  'response' in value;

/** Every route that any slice declares, sorted by path and method. */
export const loadRoutes = async (root: string): Promise<DeclaredRoute[]> => {
  const found: DeclaredRoute[] = [];
  for await (const file of glob('core/src/*/api/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue;
    const module: unknown = await import(pathToFileURL(path.join(root, file)).href);
    if (typeof module !== 'object' || module === null) continue;
    for (const [name, value] of Object.entries(module)) {
      if (isRoute(value)) found.push({ file: file.replaceAll('\\', '/'), name, route: value });
    }
  }
  const key = ({ route }: DeclaredRoute): string => `${documentedPath(route)} ${route.method}`;
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
};
