import semver from 'semver';
import type { FixRequest } from '../../../model/fix.ts';
import type { Upgrade } from '../manifests/manifest.ts';
import { ownRequirement } from '../manifests/package-json.ts';
import { INSTALLED, isInstalled, type LockEntry, type NpmLock, nameOf } from './npm-lock.ts';

/** A package of the project itself that goes to another version, so that it lets in the fixed version of what it brings along. */
export interface RaisedParent {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** More of them at once are more than the package is worth. */
const MAX_PARENTS = 3;

const LOOSE = { loose: true, includePrerelease: true } as const;

const rangeOf = ({ dependencies, optionalDependencies }: LockEntry, name: string): string | undefined =>
  dependencies?.[name] ?? optionalDependencies?.[name];

/** Packages that ask for an affected version and not for the fixed one, with where they lie. */
const blockersOf = (lock: Pick<NpmLock, 'packages'>, { name, to }: Upgrade, affected: readonly string[]) =>
  Object.entries(lock.packages).flatMap(([location, entry]) => {
    const range = isInstalled(location) && entry.link !== true ? rangeOf(entry, name) : undefined;
    if (range === undefined || semver.satisfies(to, range, LOOSE)) return [];
    return affected.some((version) => semver.satisfies(version, range, LOOSE)) ? [{ location, entry }] : [];
  });

/**
 * What the project has to raise of its own packages for the fixed version to be let in everywhere, each as little as possible; undefined
 * where that is not known, or something else than a package of the project keeps it away.
 * @param affected versions that have to go
 * @param isAffectedRefused the raised packages may not allow these any more: for package managers that keep what a range allows
 */
export const raisedParents = async (
  versionsOf: NonNullable<FixRequest['versionsOf']>,
  { lock, manifest }: { lock: Pick<NpmLock, 'packages'>; manifest: unknown },
  upgrade: Upgrade,
  affected: readonly string[],
  { isAffectedRefused = false }: { isAffectedRefused?: boolean } = {},
): Promise<readonly RaisedParent[] | undefined> => {
  const blockers = blockersOf(lock, upgrade, affected);
  if (blockers.length === 0 || blockers.length > MAX_PARENTS) return undefined;
  const raised: RaisedParent[] = [];
  for (const { location, entry } of blockers) {
    const name = nameOf(location, entry);
    const from = entry.version ?? '';
    const isOwn = location === `${INSTALLED}${name}` && ownRequirement(manifest, name) !== undefined;
    if (!isOwn || semver.valid(from) === null) return undefined;
    const to = (await versionsOf(name, from))
      .filter(({ version }) => semver.valid(version) !== null && semver.prerelease(version) === null)
      .filter(({ version }) => semver.gt(version, from))
      .toSorted((a, b) => semver.compare(a.version, b.version))
      .find(
        ({ dependencies: { [upgrade.name]: range } }) =>
          range === undefined ||
          (semver.satisfies(upgrade.to, range, LOOSE) &&
            !(isAffectedRefused && affected.some((version) => semver.satisfies(version, range, LOOSE)))),
      );
    if (to === undefined) return undefined;
    raised.push({ name, from, to: to.version });
  }
  return raised;
};
