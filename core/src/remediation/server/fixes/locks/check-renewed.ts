import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { isInstalled, type NpmLock, nameOf } from './npm-lock.ts';

/** Versions of every package that is installed, and what packages of each name need. */
const contentsOf = (lock: NpmLock) => {
  const versions = new Map<string, Set<string>>();
  const needs = new Map<string, Set<string>>();
  for (const [location, entry] of Object.entries(lock.packages)) {
    if (!isInstalled(location) || entry.link === true) continue;
    const name = nameOf(location, entry);
    versions.set(name, (versions.get(name) ?? new Set()).add(entry.version ?? ''));
    const needed = needs.get(name) ?? new Set();
    for (const list of [entry.dependencies, entry.optionalDependencies, entry.peerDependencies])
      for (const other of Object.keys(list ?? {})) needed.add(other);
    needs.set(name, needed);
  }
  return { versions, needs };
};

/** Packages, what they need, what that needs, and so on, by name. */
const closureOf = (names: readonly string[], needs: ReadonlyMap<string, ReadonlySet<string>>): Set<string> => {
  const found = new Set(names);
  for (const one of found) for (const other of needs.get(one) ?? []) found.add(other);
  return found;
};

const missingIn = (from: ReadonlyMap<string, ReadonlySet<string>>, other: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...from].flatMap(([name, versions]) =>
    [...versions].flatMap((version) => (other.get(name)?.has(version) === true ? [] : [{ name, version }])),
  );

const linksOf = ({ packages }: NpmLock): string =>
  JSON.stringify(
    Object.entries(packages)
      .filter(([location, entry]) => entry.link === true || !isInstalled(location))
      .map(([location, { resolved, link }]) => [location, link === true ? resolved : null])
      .toSorted(),
  );

/**
 * Looks at what npm made of a lock file: nothing but the packages that were asked for, and what they need or needed, may come or go, and no links.
 * @throws CannotFix that says what else has changed
 */
export const checkRenewed = (before: NpmLock, after: NpmLock, names: readonly string[]): void => {
  if (after.lockfileVersion !== before.lockfileVersion || linksOf(before) !== linksOf(after))
    throw new CannotFix('manifest_unreadable', say('npm changed more than packages.'));
  const [old, now] = [contentsOf(before), contentsOf(after)];
  const mayCome = closureOf(names, now.needs);
  const mayGo = new Set([...mayCome, ...closureOf(names, old.needs)]);
  const strays = [
    ...missingIn(now.versions, old.versions).filter((one) => !mayCome.has(one.name)),
    ...missingIn(old.versions, now.versions).filter((one) => !mayGo.has(one.name)),
  ];
  const [first] = strays;
  if (first === undefined) return;
  const named = `${first.name} ${first.version}`;
  throw new CannotFix(
    'manifest_unreadable',
    strays.length === 1
      ? say(
          'npm would change another package too, such as {package}: the manifest and the lock file did not agree before.',
          { package: named },
        )
      : say(
          'npm would change {count} other packages too, such as {package}: the manifest and the lock file did not agree before.',
          { package: named, count: String(strays.length) },
        ),
  );
};
