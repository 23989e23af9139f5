import semver, { type SemVer } from 'semver';

/** An open finding of a component: the version it speaks of and the text of its fixed version ("1.2.3", "2.9.10, 3.1.0"). */
export interface FixFact {
  fixed_version: string | null;
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

interface Version {
  text: string;
  parsed: SemVer;
}

/** `4.17`, `v1.2.3`, `>=1.2.3`, `5.2.0.RELEASE`: what is a version of three numbers in other clothes. Four numbers and epochs are not. */
const PLAIN = /^[\s=v^~>]*(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.(?:RELEASE|Final|GA))?([-+][\w.+-]*)?\s*$/;

const readVersion = (text: string): Version | undefined => {
  const match = PLAIN.exec(text);
  if (match === null) return undefined;
  const [, major, minor = '0', patch = '0', rest = ''] = match;
  const parsed = semver.parse(`${Number(major)}.${Number(minor)}.${Number(patch)}${rest}`, { loose: true });
  return parsed === null ? undefined : { text: text.replace(/^[\s=v^~>]+/, '').trim(), parsed };
};

const MAX_FIXES = 100;

/** Fixes of one finding, lowest first; undefined when none is known, empty when they cannot be compared. */
const fixesOf = ({ fixed_version }: FixFact): Version[] | undefined => {
  const texts = (fixed_version ?? '').split(/[,;|]|\sor\s/i).filter((part) => part.trim() !== '');
  if (texts.length === 0) return undefined;
  const versions = texts.slice(0, MAX_FIXES).map(readVersion);
  const known = versions.filter((version) => version !== undefined);
  return known.length < versions.length ? [] : known.toSorted((a, b) => semver.compare(a.parsed, b.parsed));
};

/** Several fixes are one per line of releases: below the highest, only the fix of the same major and minor, or major, counts. */
const isFixedBy = (fixes: readonly Version[], { parsed }: Version): boolean => {
  const highest = fixes.at(-1);
  if (highest !== undefined && semver.gte(parsed, highest.parsed)) return true;
  const sameMajor = fixes.filter((fix) => fix.parsed.major === parsed.major);
  const sameMinor = sameMajor.filter((fix) => fix.parsed.minor === parsed.minor);
  // two fixes in one major are of two minor lines; a version counts by the fix of its own, or by the highest of the major
  if (sameMinor.some((fix) => semver.gte(parsed, fix.parsed))) return true;
  const top = sameMajor.at(-1);
  return top !== undefined && semver.gte(parsed, top.parsed);
};

/**
 * The lowest version, from the fixed versions that reports name, that fixes every finding with a comparable fix, and is not lower than the
 * present one. Compared by semantic versioning; other schemes (Debian epochs, four numbers) count as incomparable unless all findings name
 * the same fix. An estimate: it knows only the versions that reports name.
 */
export const upgradePath = (present: string | null, findings: readonly FixFact[]): UpgradePath => {
  const fixes = findings.map(fixesOf);
  const unfixed = fixes.filter((list) => list === undefined).length;
  const texts = new Set(findings.map((finding) => finding.fixed_version?.trim() ?? '').filter((text) => text !== ''));
  const [onlyText] = texts;
  const comparable = fixes.filter((list) => list !== undefined && list.length > 0);
  if (comparable.length === 0 && texts.size === 1 && onlyText !== undefined && !/[,;|]/.test(onlyText)) {
    return { version: onlyText, covers: findings.length - unfixed, unfixed, incomparable: 0, is_major: false };
  }
  const incomparable = findings.length - unfixed - comparable.length;
  const current = present === null ? undefined : readVersion(present);
  const candidates = comparable
    .flatMap((list) => list ?? [])
    .filter((candidate) => current === undefined || semver.gte(candidate.parsed, current.parsed))
    .toSorted((a, b) => semver.compare(a.parsed, b.parsed));
  const best = candidates.find((candidate) => comparable.every((list) => isFixedBy(list ?? [], candidate)));
  return {
    version: best?.text ?? null,
    covers: best === undefined ? 0 : comparable.length,
    unfixed,
    incomparable,
    is_major: best !== undefined && current !== undefined && best.parsed.major > current.parsed.major,
  };
};
