import { ecosystemOf, versionScheme } from '../../platform/model/versions/schemes.ts';
import { fixesOf, isFixedBy, presentVersion } from '../../platform/model/versions/target-version.ts';

/** An open finding of a component: the version it speaks of and the text of its fixed version ("1.2.3", "2.9.10, 3.1.0"). */
export interface FixFact {
  fixed_version: string | null;
}

/** The version in use. Null for a type of package URL that no report names: then versions are read as semantic ones. */
export interface PresentVersion {
  ecosystem: string | null;
  version: string | null;
}

/** What to upgrade to. `covers`: how many of the findings the version fixes. */
export interface UpgradePath {
  /** Lowest version that fixes all findings whose fix is known and comparable; null when there is none. */
  version: string | null;
  covers: number;
  /** Findings without a known fixed version. */
  unfixed: number;
  /** Findings whose fixed version cannot be compared with the others. */
  incomparable: number;
  /** The version is of a higher major than the present one. */
  is_major: boolean;
}

/** What an unnamed ecosystem is most likely to use. */
const UNNAMED = 'npm';

/** The one text that all fixes have in common, which needs no comparing. */
const onlyFix = (findings: readonly FixFact[]): string | undefined => {
  const texts = new Set(findings.map(({ fixed_version }) => fixed_version?.trim() ?? '').filter((text) => text !== ''));
  const [only] = texts;
  return texts.size === 1 && only !== undefined && !/[,;|]/.test(only) ? only : undefined;
};

/**
 * The lowest version, from the fixed versions that reports name, that fixes every finding with a comparable fix, and is not lower than the
 * present one. Compared by the order of the ecosystem; where that has none (Debian epochs), versions count as incomparable unless all
 * findings name the same fix. An estimate: it knows only the versions that reports name.
 */
export const upgradePath = (present: PresentVersion, findings: readonly FixFact[]): UpgradePath => {
  const ecosystem = present.ecosystem === null ? UNNAMED : ecosystemOf(present.ecosystem);
  const scheme = versionScheme(ecosystem);
  const known = findings.filter(({ fixed_version }) => /[^\s,;|]/.test(fixed_version ?? ''));
  const unfixed = findings.length - known.length;
  const fixes = known.map(({ fixed_version }) => (scheme === undefined ? undefined : fixesOf(scheme, fixed_version)));
  const comparable = fixes.filter((list) => list !== undefined && list.length > 0).map((list) => list ?? []);
  const only = comparable.length === 0 ? onlyFix(findings) : undefined;
  if (only !== undefined) return { version: only, covers: known.length, unfixed, incomparable: 0, is_major: false };
  const incomparable = known.length - comparable.length;
  if (scheme === undefined) return { version: null, covers: 0, unfixed, incomparable, is_major: false };
  const current = presentVersion(scheme, present.version);
  const best = [...new Set(comparable.flat())]
    .filter((candidate) => current === undefined || scheme.compare(candidate, current) >= 0)
    .toSorted((a, b) => scheme.compare(a, b))
    .find((candidate) => comparable.every((list) => isFixedBy(scheme, list, candidate)));
  const majorOf = (text: string): number => scheme.release(text)?.[0] ?? 0;
  return {
    version: (ecosystem === 'golang' ? best : best?.replace(/^v/, '')) ?? null,
    covers: best === undefined ? 0 : comparable.length,
    unfixed,
    incomparable,
    is_major: best !== undefined && current !== undefined && majorOf(best) > majorOf(current),
  };
};
