import semver from 'semver';
import { compareMaven } from './maven-version.ts';
import { compareComposer, compareGems, comparePython, composerRelease, pythonRelease } from './qualified-versions.ts';

/** How the versions of one ecosystem are read and compared. */
export interface VersionScheme {
  /** Numbers of a version, `[1, 2, 3]`; undefined where the text is no version of this ecosystem. */
  release(text: string): readonly number[] | undefined;
  /** Below 0, 0 or above 0; of texts that `release` reads. */
  compare(a: string, b: string): number;
  /** Whether a minor step below 1.0 may break what uses the package. Source: semver.org 4, doc.rust-lang.org/cargo, getcomposer.org. */
  readonly isZeroMajorBreaking: boolean;
}

/** `1.20` is 1.20.0: advisories leave zeros out. */
const readSemantic = (text: string): semver.SemVer | null =>
  semver.parse(
    text.trim().replace(/^v?(\d{1,9})(\.\d{1,9})?$/, (_, major, minor) => `${major}${minor ?? '.0'}.0`),
    {
      loose: true,
    },
  );

const SEMANTIC: VersionScheme = {
  release: (text) => {
    const parsed = readSemantic(text);
    return parsed === null ? undefined : [parsed.major, parsed.minor, parsed.patch];
  },
  compare: (a, b) => {
    const [left, right] = [readSemantic(a), readSemantic(b)];
    return left === null || right === null ? 0 : semver.compare(left, right);
  },
  isZeroMajorBreaking: true,
};

/** Leading numbers of a version that is not longer than what people write. */
const leadingNumbers = (text: string): readonly number[] | undefined => {
  const match = /^v?(\d{1,15}(?:\.\d{1,15}){0,9})(?:[.\-_+]?[\w.+-]{0,100})?$/.exec(text.trim());
  return match?.[1]?.split('.').map(Number);
};

/** Other words of reports for the types of package URLs. */
const ALIASES: Readonly<Record<string, string>> = {
  'node-pkg': 'npm',
  node: 'npm',
  nodejs: 'npm',
  javascript: 'npm',
  yarn: 'npm',
  pnpm: 'npm',
  pip: 'pypi',
  python: 'pypi',
  poetry: 'pypi',
  pom: 'maven',
  java: 'maven',
  jar: 'maven',
  go: 'golang',
  gomod: 'golang',
  gobinary: 'golang',
  'go-module': 'golang',
  rubygems: 'gem',
  bundler: 'gem',
  rust: 'cargo',
  'crates.io': 'cargo',
  packagist: 'composer',
  php: 'composer',
};

/** The type of package URL that a report means by its word; unknown words in lower case. */
export const ecosystemOf = (written: string): string => {
  const word = written.toLowerCase();
  return Object.hasOwn(ALIASES, word) ? (ALIASES[word] ?? word) : word;
};

/** By type of package URL. */
const SCHEMES: Readonly<Record<string, VersionScheme>> = {
  npm: SEMANTIC,
  cargo: SEMANTIC,
  // semantic versioning by their own documents; four numbers are left uncompared
  nuget: SEMANTIC,
  pub: SEMANTIC,
  hex: SEMANTIC,
  swift: SEMANTIC,
  cocoapods: SEMANTIC,
  // modules below v1 promise nothing, and golang.org/x has never left v0: a major step is one of the import path
  golang: { ...SEMANTIC, isZeroMajorBreaking: false },
  pypi: { release: pythonRelease, compare: comparePython, isZeroMajorBreaking: false },
  maven: { release: leadingNumbers, compare: compareMaven, isZeroMajorBreaking: false },
  gem: { release: leadingNumbers, compare: compareGems, isZeroMajorBreaking: false },
  composer: { release: composerRelease, compare: compareComposer, isZeroMajorBreaking: true },
};

/** The scheme of an ecosystem (type of package URL); undefined where none is known. */
export const versionScheme = (ecosystem: string): VersionScheme | undefined =>
  Object.hasOwn(SCHEMES, ecosystem) ? SCHEMES[ecosystem] : undefined;

/** Whether the step may break what uses the package: another major, or below 1.0 another minor where that counts. */
export const isBreakingStep = (scheme: VersionScheme, from: string, to: string): boolean => {
  const [before = [], after = []] = [scheme.release(from), scheme.release(to)];
  if ((before[0] ?? 0) !== (after[0] ?? 0)) return true;
  return scheme.isZeroMajorBreaking && (before[0] ?? 0) === 0 && (before[1] ?? 0) !== (after[1] ?? 0);
};
