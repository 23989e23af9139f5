import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ecosystemOf, type VersionScheme, versionScheme } from '../../platform/model/versions/schemes.ts';
import { presentVersion } from '../../platform/model/versions/target-version.ts';

/** Versions of a package with the day of their release, YYYY-MM-DD; null where the registry does not say. */
export type PublishedVersions = Readonly<Record<string, string | null>>;

/** What is known of a version in use. */
export interface Release {
  /** When it was published. */
  released_on: string | null;
  /** The newest that was published, the used one itself where there is no newer; null where versions have no order. */
  newest_version: string | null;
  newest_released_on: string | null;
}

/** More than any package has that people use: with 30,000 versions something is wrong with an answer. */
const MAX_VERSIONS = 30_000;
const MAX_VERSION_LENGTH = 128;

const Listed = Type.Object({ versions: Type.Array(Type.Unknown(), { maxItems: MAX_VERSIONS }) });

/** Only what is used; all else may change. Source: docs.deps.dev/api/v3, "GetPackage" (November 2026). */
const Answer = Type.Object({
  versions: Type.Array(
    Type.Object({
      versionKey: Type.Object({ version: Type.String() }),
      publishedAt: Type.Optional(Type.Unknown()),
    }),
  ),
});

/** A day that can be one: neither before registries nor after tomorrow. */
const dayOf = (moment: unknown, now: Date): string | null => {
  const date = typeof moment === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(moment) ? new Date(moment) : undefined;
  const time = date?.getTime() ?? Number.NaN;
  return date !== undefined && time > Date.UTC(1990) && time < now.getTime() + 86_400_000
    ? date.toISOString().slice(0, 10)
    : null;
};

/** The versions that an answer of deps.dev lists; undefined where it is none. */
export const readPublished = (answer: unknown, now = new Date()): PublishedVersions | undefined => {
  // the length first: to check each of a hundred thousand takes a second
  if (!Value.Check(Listed, answer) || !Value.Check(Answer, answer)) return undefined;
  const versions = answer.versions
    .map(({ versionKey: { version }, publishedAt }) => [version, dayOf(publishedAt, now)] as const)
    // letters, digits and the marks of versions: shown, and compared
    .filter(([version]) => version.length <= MAX_VERSION_LENGTH && /^[\w.+!~-]+$/.test(version));
  return versions.length === 0 ? undefined : Object.fromEntries(versions);
};

/** A version that comes before its own numbers: `2.0.0-rc.1`, `2.0rc1`, `2.0-SNAPSHOT`. */
export const isPreRelease = (scheme: VersionScheme, version: string): boolean => {
  const release = scheme.release(version);
  return release !== undefined && scheme.compare(version, release.join('.')) < 0;
};

/** Old packages of Java have versions such as `20040616`, which came before 1.0 and are higher. */
const isDay = (scheme: VersionScheme, version: string): boolean => (scheme.release(version)?.[0] ?? 0) >= 19_000_000;

/** `v1.2.3` and `1.2.3` are one version, and so are texts that compare as equal. */
const dayOfVersion = (scheme: VersionScheme, versions: PublishedVersions, used: string): string | null => {
  const own = Object.hasOwn(versions, used) ? versions[used] : undefined;
  if (own !== undefined) return own;
  const same = Object.keys(versions).find(
    (version) => scheme.release(version) !== undefined && scheme.compare(version, used) === 0,
  );
  return (same === undefined ? undefined : versions[same]) ?? null;
};

/**
 * The newest published version for a version in use, by the order of the ecosystem. A pre-release is offered only to who uses one. The used one
 * stands where nothing is above it.
 */
export const releaseOf = (
  present: { ecosystem: string | null; version: string | null },
  versions: PublishedVersions,
): Release => {
  const text = present.version?.trim() ?? '';
  const listed = Object.hasOwn(versions, text) ? (versions[text] ?? null) : null;
  const scheme = present.ecosystem === null ? undefined : versionScheme(ecosystemOf(present.ecosystem));
  const used = scheme === undefined ? undefined : presentVersion(scheme, text);
  if (scheme === undefined || used === undefined) {
    return { released_on: listed, newest_version: null, newest_released_on: null };
  }
  const releasedOn = listed ?? dayOfVersion(scheme, versions, used);
  const takesPreReleases = isPreRelease(scheme, used);
  const takesDays = isDay(scheme, used);
  let newest = { version: used, day: releasedOn };
  for (const [version, day] of Object.entries(versions)) {
    if (scheme.release(version) === undefined || scheme.compare(version, newest.version) <= 0) continue;
    if ((takesPreReleases || !isPreRelease(scheme, version)) && (takesDays || !isDay(scheme, version))) {
      newest = { version, day };
    }
  }
  return { released_on: releasedOn, newest_version: newest.version, newest_released_on: newest.day };
};
