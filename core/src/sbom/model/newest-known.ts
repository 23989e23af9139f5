import { ecosystemOf, versionScheme } from '../../platform/model/versions/schemes.ts';
import { fixesOf, presentVersion } from '../../platform/model/versions/target-version.ts';

/** A version that exists because something names it: the inventory of an application, or a report as the one with the fix. */
export interface NamedVersion {
  version: string | null;
  /** Null for a fix. */
  repository: string | null;
}

/** The newest version that anything here names. */
export interface NewestKnown {
  version: string;
  /** The application whose inventory lists it; null where reports name it as fixed. */
  repository: string | null;
}

/**
 * The highest of the versions that inventories and reports name, where it is above the present one; compared by the order of the ecosystem.
 * No registry is asked, so that newer ones may exist. Undefined where nothing newer is named or versions of the ecosystem have no order.
 */
export const newestKnown = (
  present: { ecosystem: string | null; version: string | null },
  named: readonly NamedVersion[],
): NewestKnown | undefined => {
  const scheme = present.ecosystem === null ? undefined : versionScheme(ecosystemOf(present.ecosystem));
  if (scheme === undefined) return undefined;
  const current = presentVersion(scheme, present.version);
  if (current === undefined) return undefined;
  let newest: NewestKnown | undefined;
  for (const { version, repository } of named) {
    // a report may name one fix for each line of versions
    const all = repository === null ? (fixesOf(scheme, version) ?? []) : [presentVersion(scheme, version) ?? current];
    for (const one of all) {
      if (scheme.compare(one, newest?.version ?? current) > 0) newest = { version: one, repository };
    }
  }
  return newest;
};
