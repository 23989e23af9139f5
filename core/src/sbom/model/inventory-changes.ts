import { ecosystemOf, versionScheme } from '../../platform/model/versions/schemes.ts';
import { presentVersion } from '../../platform/model/versions/target-version.ts';

/** A version of a package that only one of two inventories of an application lists. */
export interface ListedVersion {
  name: string;
  ecosystem: string | null;
  version: string | null;
  /** In the later inventory, and not in the earlier one. */
  isAdded: boolean;
}

export const CHANGE_KINDS = ['upgraded', 'downgraded', 'changed', 'added', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One package in which two inventories differ. */
export interface PackageChange<T extends ListedVersion> {
  kind: ChangeKind;
  name: string;
  ecosystem: string | null;
  /** Versions that only the earlier inventory lists. */
  before: readonly T[];
  /** Versions that only the later inventory lists. */
  after: readonly T[];
}

/** `changed` where there are several versions on a side, or the ecosystem does not order them. */
const kindOf = <T extends ListedVersion>(before: readonly T[], after: readonly T[]): ChangeKind => {
  const [old, ...olds] = before;
  const [next, ...nexts] = after;
  if (old === undefined) return 'added';
  if (next === undefined) return 'removed';
  const scheme = next.ecosystem === null ? undefined : versionScheme(ecosystemOf(next.ecosystem));
  if (scheme === undefined || olds.length + nexts.length > 0) return 'changed';
  const [from, to] = [presentVersion(scheme, old.version), presentVersion(scheme, next.version)];
  const order = from === undefined || to === undefined ? 0 : scheme.compare(to, from);
  if (order === 0) return 'changed';
  return order > 0 ? 'upgraded' : 'downgraded';
};

/** Puts versions of the same package together, in the order in which the packages come. Pure. */
export const packageChanges = <T extends ListedVersion>(versions: readonly T[]): PackageChange<T>[] => {
  const byPackage = Map.groupBy(versions, ({ ecosystem, name }) => `${ecosystem ?? ''} ${name}`);
  return [...byPackage.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const before = all.filter(({ isAdded }) => !isAdded);
    const after = all.filter(({ isAdded }) => isAdded);
    const { name, ecosystem } = first;
    return [{ kind: kindOf(before, after), name, ecosystem, before, after }];
  });
};
