import semver from 'semver';
import { memberOf } from '../text/edit-json.ts';
import { plainValue, readYaml } from '../text/edit-yaml.ts';
import { INSTALLED, type LockEntry, membersOf } from './npm-lock.ts';

/** A package that a lock file holds, with what it asks for. */
export interface InstalledCopy {
  readonly name: string;
  readonly version: string;
  /** Requirements by which it is asked for, such as `^4.0.0`; none where the lock file does not say. */
  readonly specs: readonly string[];
  /** Ranges by name; of pnpm the versions that were resolved. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(membersOf(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])));

/** `@scope/name@rest` in its two parts. */
const splitKey = (key: string): [string, string] => {
  const at = key.indexOf('@', 1);
  return at === -1 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)];
};

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');
const withoutProtocol = (range: string): string => range.replace(/^npm:/, '');

/** One entry of yarn 1: its keys on a line of their own, members below, their members below these. */
const readEntry = (entry: string): InstalledCopy | undefined => {
  const [head = '', ...lines] = entry.split(/\r?\n/);
  const keys = head
    .replace(/:\s*$/, '')
    .split(/,\s*/)
    .map((key) => splitKey(unquoted(key.trim())));
  const version = lines
    .map((line) => /^ {2}version:? "?([^"]+)"?$/.exec(line)?.[1])
    .find((found) => found !== undefined);
  const [first] = keys;
  if (first === undefined || version === undefined) return undefined;
  const dependencies: Record<string, string> = {};
  let isInside = false;
  for (const line of lines) {
    if (/^ {2}\S/.test(line)) isInside = /^ {2}(?:optionalD|d)ependencies:$/.test(line);
    const found = isInside ? /^ {4}("[^"]+"|\S+?):? "?([^"]*)"?$/.exec(line) : null;
    if (found !== null) dependencies[unquoted(found[1] ?? '')] = withoutProtocol(found[2] ?? '');
  }
  return { name: first[0], version, specs: keys.map(([, spec]) => withoutProtocol(spec)), dependencies };
};

/** What a yarn.lock holds, of yarn 1 and of later ones, which write the same as YAML. Source: yarnpkg.com, github.com/yarnpkg/yarn. */
export const readYarnLock = (text: string): InstalledCopy[] =>
  text.split(/\r?\n(?=[^\s#])/).flatMap((entry) => (/^[^\s#_]/.test(entry) ? (readEntry(entry) ?? []) : []));

/** `1.2.3(react@18.0.0)` without the peers that it was resolved with. */
const withoutPeers = (version: string): string => version.split('(', 1)[0] ?? '';

/** What a pnpm-lock.yaml of version 9 holds (pnpm 9 and later). @throws CannotFix where it is not valid YAML */
export const readPnpmLock = (text: string, path: string): InstalledCopy[] => {
  const [document] = readYaml(text, path);
  if (document === undefined) return [];
  return membersOf(memberOf(plainValue(document, path), 'snapshots')).flatMap(([key, value]) => {
    const [name, version] = splitKey(withoutPeers(key));
    const named = { ...texts(memberOf(value, 'dependencies')), ...texts(memberOf(value, 'optionalDependencies')) };
    const dependencies = Object.fromEntries(Object.entries(named).map(([one, at]) => [one, withoutPeers(at)]));
    return semver.valid(version) === null ? [] : [{ name, version, specs: [], dependencies }];
  });
};

/** The versions that pnpm resolved for the project in the folder of the lock file, by name. */
export const pnpmOwnVersions = (text: string, path: string): Readonly<Record<string, string>> => {
  const [document] = readYaml(text, path);
  const project = document === undefined ? undefined : memberOf(plainValue(document, path), 'importers', '.');
  const sections = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((section) =>
    membersOf(memberOf(project, section)),
  );
  return Object.fromEntries(
    sections.flatMap(([name, value]) => {
      const version = memberOf(value, 'version');
      return typeof version === 'string' ? [[name, withoutPeers(version)]] : [];
    }),
  );
};

/**
 * Copies in the shape of npm's lock file, so that both are judged by the same rules: what the project itself resolves to lies at
 * `node_modules/<name>`, every other copy below a folder of its own.
 */
export const asPackages = (
  copies: readonly InstalledCopy[],
  isOwn: (copy: InstalledCopy) => boolean,
): Record<string, LockEntry> =>
  Object.fromEntries(
    copies.map((copy, index) => [
      `${isOwn(copy) ? '' : `${INSTALLED}.${index}/`}${INSTALLED}${copy.name}`,
      { version: copy.version, dependencies: { ...copy.dependencies } },
    ]),
  );
