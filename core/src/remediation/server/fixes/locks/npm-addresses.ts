import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { INSTALLED, isInstalled, type LockEntry, membersOf, type NpmLock, nameOf } from './npm-lock.ts';

/** Base of the registry that an address belongs to: what stands before `name/-/name-1.0.0.tgz`. */
const splitAddress = (resolved: string, name: string): { base: string; file: string } | undefined => {
  const at = resolved.lastIndexOf('/-/');
  if (at === -1) return undefined;
  const before = resolved.slice(0, at);
  // some registries write the name of a scope as %2f
  const ending = [name, name.replace('/', '%2f'), name.replace('/', '%2F')].find((text) => before.endsWith(`/${text}`));
  const file = resolved.slice(at + 3).split(/[?#]/)[0] ?? '';
  if (ending === undefined || !/^[\w@.+%/-]+\.tgz$/.test(file)) return undefined;
  return { base: before.slice(0, -ending.length), file };
};

/** Where the project takes most of its packages from; undefined where its lock file names no addresses. */
const registryOf = (lock: NpmLock): string | undefined => {
  const counts = new Map<string, number>();
  for (const [location, entry] of Object.entries(lock.packages)) {
    if (typeof entry.resolved !== 'string' || entry.link === true) continue;
    const base = splitAddress(entry.resolved, nameOf(location, entry))?.base;
    if (base !== undefined) counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
};

/**
 * The lock file without the addresses of its packages: npm then asks nobody but its registry, whatever the file says. Addresses of links
 * are folders and stay.
 */
export const withoutAddresses = ({ dependencies: _, ...lock }: NpmLock): NpmLock => ({
  ...lock,
  packages: Object.fromEntries(
    Object.entries(lock.packages).map(([location, entry]) => {
      if (!isInstalled(location) || entry.link === true) return [location, entry];
      const { resolved: _address, ...rest } = entry;
      return [location, rest];
    }),
  ),
});

const versionKey = (location: string, entry: LockEntry): string => `${nameOf(location, entry)}@${entry.version ?? ''}`;

/** `resolved` stands after the version, where npm writes it. */
const withAddress = (entry: LockEntry, resolved: LockEntry['resolved']): LockEntry => {
  const { name, version, resolved: _, ...rest } = entry;
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(resolved === undefined ? {} : { resolved }),
    ...rest,
  };
};

/** The tree of files of version 2, with the addresses that its packages have now. */
const treeWithAddresses = (tree: unknown, at: string, packages: NpmLock['packages']): Record<string, unknown> =>
  Object.fromEntries(
    membersOf(tree).map(([name, value]) => {
      const location = `${at}${INSTALLED}${name}`;
      const { resolved, link } = packages[location] ?? {};
      const members = membersOf(value).flatMap(([key, inner]): [string, unknown][] => {
        if (key === 'resolved') return [];
        if (key === 'dependencies') return [[key, treeWithAddresses(inner, `${location}/`, packages)]];
        return key === 'version' && resolved !== undefined && link !== true
          ? [
              [key, inner],
              ['resolved', resolved],
            ]
          : [[key, inner]];
      });
      return [name, Object.fromEntries(members)];
    }),
  );

/**
 * Gives every package the address that it had, and new ones the address at the registry of the project, whichever mirror was asked.
 * @throws CannotFix where a package that stays has another content, or a new one has none that could be checked
 */
export const withOriginalAddresses = (before: NpmLock, after: NpmLock): NpmLock => {
  const known = new Map(Object.entries(before.packages).map(([at, entry]) => [versionKey(at, entry), entry] as const));
  const namesAddresses = Object.values(before.packages).some(({ resolved }) => typeof resolved === 'string');
  const base = registryOf(before);
  const packages = Object.entries(after.packages).map(([location, entry]): [string, LockEntry] => {
    if (!isInstalled(location) || entry.link === true || entry.inBundle === true) return [location, entry];
    const key = versionKey(location, entry);
    const old = Object.hasOwn(before.packages, location) ? before.packages[location] : undefined;
    const same = old !== undefined && versionKey(location, old) === key ? old : known.get(key);
    if (same !== undefined) {
      if (same.integrity === undefined || entry.integrity === undefined || same.integrity === entry.integrity)
        return [location, withAddress(entry, same.resolved)];
      throw new CannotFix(
        'manifest_unreadable',
        say('{key} is something else at the registry than in the lock file.', { key }),
      );
    }
    const address =
      typeof entry.resolved === 'string' ? splitAddress(entry.resolved, nameOf(location, entry)) : undefined;
    if (address === undefined || entry.integrity === undefined)
      throw new CannotFix('manifest_unreadable', say('npm found no checked package of a registry for {key}.', { key }));
    const resolved = `${base ?? address.base}${nameOf(location, entry)}/-/${address.file}`;
    return [location, withAddress(entry, namesAddresses ? resolved : undefined)];
  });
  const given = { ...after, packages: Object.fromEntries(packages) };
  if (after.dependencies === undefined) return given;
  return { ...given, dependencies: treeWithAddresses(after.dependencies, '', given.packages) };
};
