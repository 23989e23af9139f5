import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { memberOf, readJson } from '../text/edit-json.ts';

const Names = Type.Optional(Type.Record(Type.String(), Type.String()));

/** One installed package. Members that nothing here reads are kept. Source: docs.npmjs.com, package-lock.json. */
const Entry = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  resolved: Type.Optional(Type.Union([Type.String(), Type.Boolean()])),
  integrity: Type.Optional(Type.String()),
  link: Type.Optional(Type.Boolean()),
  inBundle: Type.Optional(Type.Boolean()),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
});
export type LockEntry = Static<typeof Entry>;

const Lock = Type.Object({
  lockfileVersion: Type.Integer(),
  packages: Type.Record(Type.String(), Entry),
  /** The same as a tree, for npm 6; in files of version 2. */
  dependencies: Type.Optional(Type.Unknown()),
});
export type NpmLock = Static<typeof Lock>;

export const INSTALLED = 'node_modules/';

/** Members of an object of JSON; none of anything else. */
export const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** Reads a lock file of npm 7 or newer. @throws CannotFix */
export const readNpmLock = (text: string, path: string): NpmLock => {
  const value: unknown = readJson(text, path);
  if (memberOf(value, 'lockfileVersion') === 1)
    throw new CannotFix('manifest_unreadable', say('{path} was written by npm 6 or older.', { path }));
  if (Value.Check(Lock, value) && (value.lockfileVersion === 2 || value.lockfileVersion === 3)) return value;
  throw new CannotFix('manifest_unreadable', say('{path} is no lock file of npm 7 or newer.', { path }));
};

/** Whether an entry is a package that was installed; the others are the project and its workspaces. */
export const isInstalled = (location: string): boolean => location.includes(INSTALLED);

/** Name of the package of an entry; of an alias, that of what it stands for. */
export const nameOf = (location: string, entry: LockEntry): string =>
  entry.name ?? location.slice(location.lastIndexOf(INSTALLED) + INSTALLED.length);

/** Folders of the workspaces, without those that npm only links to from elsewhere. */
export const workspaceFolders = (lock: NpmLock): string[] =>
  Object.keys(lock.packages).filter((location) => location !== '' && !isInstalled(location));

/** Copies of a package: where they lie, and their versions. */
export const copiesOf = (lock: NpmLock, name: string): { location: string; version: string; inBundle: boolean }[] =>
  Object.entries(lock.packages).flatMap(([location, entry]) =>
    isInstalled(location) && entry.link !== true && nameOf(location, entry) === name
      ? [{ location, version: entry.version ?? '', inBundle: entry.inBundle === true }]
      : [],
  );

/** A lock file without some entries and what lies below them: npm chooses them anew. */
export const withoutEntries = (lock: NpmLock, locations: readonly string[]): NpmLock => ({
  ...lock,
  packages: Object.fromEntries(
    Object.entries(lock.packages).filter(
      ([location]) => !locations.some((gone) => location === gone || location.startsWith(`${gone}/`)),
    ),
  ),
});

/** Writes a lock file in the manner of the one that was there: its indentation and its line ends. */
export const writeNpmLock = (lock: NpmLock, like: string): string => {
  const indent = /^\uFEFF?\{\r?\n([ \t]+)"/.exec(like)?.[1] ?? '  ';
  const lineEnd = /\r\n/.test(like) ? '\r\n' : '\n';
  const text = `${JSON.stringify(lock, null, indent)}\n`;
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
};
