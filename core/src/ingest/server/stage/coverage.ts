import type { ReportConventions, ReportCoverage } from '@breakwater/sdk';
import { MAX_PART_LENGTH } from '../../model/branch.ts';
import { normalisePath } from '../../model/identity.ts';
import { digest } from './finding-lines.ts';

/** Values of one name that are kept; a report about more says no part at all. */
const MAX_VALUES = 1_000;
/** Folders that are kept by name; further ones only widen the common one. */
const MAX_FOLDERS = 5_000;

/** What the scan behind one report looked at. */
export interface Coverage {
  /** In one line, `account 123, region eu-west-1`; undefined where the report does not say. */
  part: string | undefined;
  /** The part says which tool it was, not what it looked at. */
  isPartOnlyTool: boolean;
  /** The folder that all scanned files have in common, '' for all; undefined where they are not listed. */
  root: string | undefined;
  /** Folders with scanned files. */
  folders: readonly string[];
  /** Kinds of findings that were looked for, as far as the report says. */
  types: readonly string[];
  /** Rules that could not be evaluated. */
  unchecked: readonly string[];
}

export const NO_COVERAGE: Coverage = {
  ...{ part: undefined, isPartOnlyTool: false, root: undefined, folders: [], types: [], unchecked: [] },
};

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** `a/b` of `a/b/c.js` and `a/b/d/e.js`; whole segments only. */
const commonOf = (a: string, b: string): string => {
  if (a === b) return a;
  const [left, right] = [a.split('/'), b.split('/')];
  let count = 0;
  while (count < left.length && left[count] === right[count]) count += 1;
  return left.slice(0, count).join('/');
};

/** Control characters and runs of spaces say nothing. */
const cleanPart = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** A longer part ends in the digest of the whole. */
const shorten = (text: string): string =>
  text.length <= MAX_PART_LENGTH ? text : `${text.slice(0, MAX_PART_LENGTH - 13)} ${digest(text).slice(0, 12)}`;

const partText = (parts: ReadonlyMap<string, ReadonlySet<string>>): string | undefined => {
  if (parts.size === 0 || [...parts.values()].some((values) => values.size > MAX_VALUES)) return undefined;
  const names = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return shorten(names.map(([name, values]) => `${name} ${[...values].toSorted().join(' + ')}`).join(', '));
};

/** Adds up what a report says of its coverage. @param reads what the parser declares: other names of a part are ignored. */
export const createCoverage = (
  reads: ReportConventions | undefined,
): { add(record: ReportCoverage): void; result(): Coverage } => {
  const parts = new Map<string, Set<string>>();
  const folders = new Set<string>();
  const kinds = new Set<string>();
  const unchecked = new Set<string>();
  let root: string | undefined;
  const addFile = (name: string): void => {
    const path = normalisePath(name);
    if (path === '') return;
    root = root === undefined ? path : commonOf(root, path);
    if (folders.size < MAX_FOLDERS) folders.add(folderOf(path));
  };
  return {
    add: ({ part = {}, files = [], types = [], unchecked: rules = [] }) => {
      for (const [name, text] of Object.entries(part)) {
        const value = cleanPart(text);
        if (value === '' || !Object.hasOwn(reads?.part ?? {}, name)) continue;
        const values = parts.get(name) ?? new Set();
        if (values.size <= MAX_VALUES) values.add(value);
        parts.set(name, values);
      }
      for (const file of files) addFile(file);
      for (const type of types) kinds.add(type);
      for (const rule of rules) if (unchecked.size < MAX_VALUES) unchecked.add(rule);
    },
    result: () => ({
      ...{ part: partText(parts), isPartOnlyTool: reads?.isPartOnlyTool === true },
      ...{ root, folders: [...folders], types: [...kinds], unchecked: [...unchecked] },
    }),
  };
};
