import type { FindingType, ReportCoverage, ScanFailure } from '@breakwater/sdk';
import { clean, fields, label, list } from '../values/read.ts';
import { normalisePath } from './packages.ts';

const MAX_WHY = 500;

/** What the report is about, by the names that `reads.part` declares. Values that are not said are left out. */
export function* partOf(values: Readonly<Record<string, string | undefined>>): Generator<ReportCoverage> {
  const said = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  if (said.length > 0) yield { kind: 'coverage', part: Object.fromEntries(said) };
}

/** Files that were scanned, as findings name them. */
export function* scannedFiles(files: Iterable<unknown>): Generator<ReportCoverage> {
  const paths: string[] = [];
  for (const file of files) {
    const path = normalisePath(file);
    if (path !== undefined) paths.push(path);
  }
  if (paths.length > 0) yield { kind: 'coverage', files: paths };
}

/** Kinds of findings that were looked for. */
export function* soughtTypes(types: Iterable<FindingType>): Generator<ReportCoverage> {
  const sought = [...new Set(types)];
  if (sought.length > 0) yield { kind: 'coverage', types: sought };
}

/** Why a scan is not whole. */
export const scanFailure = (why: string): ScanFailure => ({ kind: 'failure', why: clean(why, MAX_WHY) });

/** One for each entry of a list of errors that `wordsOf` has words for. */
export function* scanFailures(
  errors: unknown,
  wordsOf: (error: Record<string, unknown>) => string | undefined,
): Generator<ScanFailure> {
  for (const error of list(errors).slice(0, 100)) {
    const why = wordsOf(fields(error));
    if (why !== undefined) yield scanFailure(why);
  }
}

/** A folder or project by a name that stays: not the place of a checkout, nor "here". */
export function lastingName(value: unknown): string | undefined {
  const name = label(value)
    ?.replaceAll('\\', '/')
    .replace(/^(?:dir|file):/, '')
    .replace(/^\.\//, '')
    .replace(/\/$/, '');
  return name === undefined || name === '' || /^(?:\.|\/|~|[a-z]:\/)/i.test(name) ? undefined : name;
}
