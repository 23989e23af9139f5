import { posix } from 'node:path';
import type { StaleLock } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { memberOf, readJson } from '../text/edit-json.ts';
import { plainValue, readYaml } from '../text/edit-yaml.ts';
import type { ManifestFiles } from './manifest.ts';

const MAX_PATTERNS = 200;

/** The lock file of pnpm names each project that it is for. Source: pnpm lockfile version 6 and 9, `importers`. */
const isImporter = (lock: string, path: string, workspace: string): boolean => {
  const [document] = readYaml(lock, path);
  return document !== undefined && memberOf(plainValue(document, path), 'importers', workspace) !== undefined;
};

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, MAX_PATTERNS) : [];

/** `workspaces` of the package.json around it, a list or an object with `packages`. Source: yarnpkg.com/features/workspaces. */
const isMatched = (manifest: unknown, workspace: string): boolean => {
  const named = memberOf(manifest, 'workspaces');
  const patterns = textsOf(Array.isArray(named) ? named : memberOf(named, 'packages'));
  const matches = (pattern: string): boolean =>
    posix.matchesGlob(workspace, pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const [taken, left] = [
    patterns.filter((pattern) => !pattern.startsWith('!')),
    patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)),
  ];
  return taken.some(matches) && !left.some(matches);
};

/** Whether a lock file of a folder around a project is the project's too. A file that cannot be read is not. */
export const holdsWorkspace = (
  { tool, path }: Pick<StaleLock, 'tool' | 'path'>,
  files: ManifestFiles,
  { outer, workspace }: { outer: string; workspace: string },
): boolean => {
  const lock = files.get(path) ?? '';
  if (tool === 'npm') return memberOf(readJson(lock, path), 'packages', workspace) !== undefined;
  const root = `${outer}package.json`;
  try {
    if (tool === 'pnpm') return isImporter(lock, path, workspace);
    return isMatched(readJson(files.get(root) ?? '{}', root), workspace);
  } catch (error) {
    if (error instanceof CannotFix) return false;
    throw error;
  }
};
