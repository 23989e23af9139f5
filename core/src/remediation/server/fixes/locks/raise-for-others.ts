import semver from 'semver';
import type { FixRequest } from '../../../model/fix.ts';
import type { ManifestChange, Upgrade } from '../manifests/manifest.ts';
import { affectedRange, ownRequirement, raisedBy } from '../manifests/package-json.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { editJson, readJson } from '../text/edit-json.ts';
import { asPackages, type InstalledCopy, pnpmOwnVersions, readPnpmLock, readYarnLock } from './installed-copies.ts';
import { raisedParents } from './raise-parents.ts';

type VersionsOf = NonNullable<FixRequest['versionsOf']>;

const isAffected = (version: string, upgrade: Upgrade): boolean =>
  semver.valid(version, { loose: true }) !== null &&
  semver.satisfies(version, affectedRange(upgrade), { loose: true, includePrerelease: true });

/** What pnpm resolved stands in its lock file, what a package asks for does not: the registry says that. */
const withRanges = async (
  versionsOf: VersionsOf,
  copies: readonly InstalledCopy[],
  upgrade: Upgrade,
): Promise<InstalledCopy[]> => {
  const asked: InstalledCopy[] = [];
  for (const copy of copies) {
    const resolved = copy.dependencies[upgrade.name];
    if (resolved === undefined || !isAffected(resolved, upgrade)) continue;
    const known = await versionsOf(copy.name, copy.version);
    const range = known.find(({ version }) => version === copy.version)?.dependencies[upgrade.name] ?? resolved;
    asked.push({ ...copy, dependencies: { [upgrade.name]: range } });
  }
  return asked;
};

const readCopies = async (
  versionsOf: VersionsOf,
  { tool, path, text, manifest }: { tool: string; path: string; text: string; manifest: unknown },
  upgrade: Upgrade,
) => {
  if (tool === 'yarn') {
    const copies = readYarnLock(text);
    const isOwn = ({ name, specs }: InstalledCopy): boolean => specs.includes(ownRequirement(manifest, name) ?? '\0');
    return { copies, packages: asPackages(copies, isOwn) };
  }
  const copies = readPnpmLock(text, path);
  const own = pnpmOwnVersions(text, path);
  const asked = await withRanges(versionsOf, copies, upgrade);
  return { copies, packages: asPackages(asked, ({ name, version }) => own[name] === version) };
};

const attempt = async (
  versionsOf: VersionsOf,
  { files }: FixRequest,
  upgrade: Upgrade,
  change: ManifestChange,
): Promise<ManifestChange | undefined> => {
  const [stale, ...others] = change.staleLocks;
  if (stale === undefined || others.length > 0 || (stale.tool !== 'yarn' && stale.tool !== 'pnpm')) return undefined;
  const path = `${stale.path.slice(0, stale.path.lastIndexOf('/') + 1)}package.json`;
  const contentOf = (wanted: string) => files.find((file) => file.path === wanted)?.content ?? '';
  const root = contentOf(path);
  const manifest = readJson(root, path);
  const lock = { tool: stale.tool, path: stale.path, text: contentOf(stale.path), manifest };
  const { copies, packages } = await readCopies(versionsOf, lock, upgrade);
  const affected = copies
    .filter(({ name, version }) => name === upgrade.name && isAffected(version, upgrade))
    .map(({ version }) => version);
  // what is in the lock file already is taken again where the new range allows it
  const parents = await raisedParents(versionsOf, { lock: { packages }, manifest }, upgrade, affected, {
    isAffectedRefused: true,
  });
  if (parents === undefined) return undefined;
  const changes = parents.flatMap((parent) => raisedBy(manifest, parent, path));
  return { ...change, files: new Map([[path, editJson(root, path, changes)]]), way: 'parent', parents };
};

/**
 * In place of an override of yarn or pnpm: raises the packages of the project that bring the affected one along, where the registry knows
 * versions of them that ask for the fixed one. The lock file is completed by its own command, as the change says.
 */
export const withRaisedParents = async (
  request: FixRequest,
  upgrade: Upgrade,
  change: ManifestChange,
): Promise<ManifestChange> => {
  const { versionsOf } = request;
  if (change.way !== 'override' || versionsOf === undefined) return change;
  try {
    return (await attempt(versionsOf, request, upgrade, change)) ?? change;
  } catch (error) {
    // a lock file that cannot be read: the override is left
    if (error instanceof CannotFix) return change;
    throw error;
  }
};
