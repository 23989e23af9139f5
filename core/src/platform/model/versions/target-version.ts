import { isBreakingStep, type VersionScheme } from './schemes.ts';

/** A finding and the version that it speaks of. */
export interface Advisory {
  readonly id: string;
  readonly component: {
    readonly version: string | null;
    /** Lowest version without the flaw; several, one a line of releases, are joined by ", ". */
    readonly fixedVersion: string | null;
  };
}

export interface Target {
  readonly version: string;
  readonly isBreaking: boolean;
  /** Ids of the advisories that the version clears. */
  readonly clears: readonly string[];
}

/** Why there is no target. */
export type NoTarget = 'no_fixed_version' | 'incomparable_versions';

const MAX_FIXES = 100;

/** Fixed versions of one advisory, lowest first; empty when none is known, undefined when one of them cannot be read. */
export const fixesOf = (scheme: VersionScheme, fixedVersion: string | null): string[] | undefined => {
  const texts = (fixedVersion ?? '')
    .split(/[,;|]|\sor\s/i)
    .map((text) => text.trim().replace(/^(?:>=|==?)\s*/, ''))
    .filter((text) => text !== '')
    .slice(0, MAX_FIXES);
  if (texts.some((text) => scheme.release(text) === undefined)) return undefined;
  return texts.toSorted((a, b) => scheme.compare(a, b));
};

/**
 * Whether a version is fixed: at or above the highest fix, or above the fix of its own line of releases (the same major and minor, else
 * the highest of the same major). A line below without a fix of its own counts as vulnerable.
 */
export const isFixedBy = (scheme: VersionScheme, fixes: readonly string[], version: string): boolean => {
  const reaches = (fix: string | undefined): boolean => fix !== undefined && scheme.compare(version, fix) >= 0;
  if (reaches(fixes.at(-1))) return true;
  const [major = 0, minor = 0] = scheme.release(version) ?? [];
  const sameMajor = fixes.filter((fix) => (scheme.release(fix)?.[0] ?? 0) === major);
  const sameMinor = sameMajor.filter((fix) => (scheme.release(fix)?.[1] ?? 0) === minor);
  return sameMinor.some(reaches) || reaches(sameMajor.at(-1));
};

/** The number at the start of what a manifest or a report calls the present version: `^2.0.2`, `>=1.4`, `v1.2.3`. */
export const presentVersion = (scheme: VersionScheme, text: string | null): string | undefined => {
  const plain = (text ?? '').trim().replace(/^[\s=^~><!]+/, '');
  return scheme.release(plain) === undefined ? undefined : plain;
};

/**
 * The lowest of the fixed versions that reports name which clears `wanted` and every other advisory whose fix is known, and is not below
 * the present version. Where no single version clears all of them, the one that clears `wanted` and most of the others. As versions are
 * ordered, it stays in the same major wherever a fix exists there.
 */
export const targetVersion = (
  scheme: VersionScheme,
  wanted: Advisory,
  others: readonly Advisory[],
): Target | NoTarget => {
  const own = fixesOf(scheme, wanted.component.fixedVersion);
  if (own === undefined) return 'incomparable_versions';
  if (own.length === 0) return 'no_fixed_version';
  const present = presentVersion(scheme, wanted.component.version);
  const all = [wanted, ...others.filter(({ id }) => id !== wanted.id)].map((advisory) => ({
    id: advisory.id,
    fixes: fixesOf(scheme, advisory.component.fixedVersion) ?? [],
  }));
  const candidates = [...new Set(all.flatMap(({ fixes }) => fixes))]
    .filter((fix) => present === undefined || scheme.compare(fix, present) > 0)
    .filter((fix) => isFixedBy(scheme, own, fix))
    .toSorted((a, b) => scheme.compare(a, b));
  let best: Target | undefined;
  for (const version of candidates) {
    const clears = all.flatMap(({ id, fixes }) => (fixes.length > 0 && isFixedBy(scheme, fixes, version) ? [id] : []));
    const isBreaking = present !== undefined && isBreakingStep(scheme, present, version);
    if (best === undefined || clears.length > best.clears.length) best = { version, isBreaking, clears };
  }
  return best ?? 'no_fixed_version';
};
