import { say } from '../../../../platform/model/sentence.ts';
import type { VersionScheme } from '../../../../platform/model/versions/schemes.ts';
import type { StaleLock } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';

/** One package that goes from a vulnerable version to a fixed one. */
export interface Upgrade {
  /** As the manifests of its ecosystem write it: `@scope/name`, `group:artifact`, `golang.org/x/net`. */
  readonly name: string;
  /** The version that a report found; undefined where it named none. */
  readonly from: string | undefined;
  readonly to: string;
  readonly scheme: VersionScheme;
}

/** Files of one folder of the repository by their path. */
export type ManifestFiles = ReadonlyMap<string, string>;

export interface ManifestChange {
  /** New texts by path; those that did not change are left out. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Direct: the project names the package itself. Override: another package brings it along, and its version is fixed from outside. Lock:
   * the packages that bring it along allow the fixed version, so that the lock file alone changes. Parent: the project raises the packages
   * of its own that bring it along.
   */
  readonly way: 'direct' | 'override' | 'lock' | 'parent';
  /** What the project raises of its own packages, where the way is `parent`. */
  readonly parents?: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  readonly staleLocks: readonly StaleLock[];
  readonly remaining: readonly string[];
}

/** The manifests of one ecosystem. `folder` is '' or ends with a slash. */
export interface ManifestEditor {
  /** Names of files in a folder that a change may need. */
  readonly names: readonly string[];
  /** @throws CannotFix */
  edit(upgrade: Upgrade, folder: string, files: ManifestFiles): ManifestChange;
}

/** Throws where nothing has changed: the manifest asks for the version, or a later one, already. */
export const changedFiles = (
  upgrade: Upgrade,
  files: ManifestFiles,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const changed = new Map([...after].filter(([path, text]) => files.get(path) !== text));
  if (changed.size > 0) return changed;
  throw new CannotFix(
    'already_fixed',
    say('{files} asks for {name} {to} or later already: install again and scan again.', {
      files: [...after.keys()].join(', '),
      name: upgrade.name,
      to: upgrade.to,
    }),
  );
};

/** Expressions of an ecosystem that say where a package comes from in place of its version. */
export const isNoVersion = (requirement: string): boolean =>
  /^(?:[a-z+]+:|[\w.-]+\/|\.{0,2}\/|~\/)/i.test(requirement.trim()) && !/^npm:/i.test(requirement.trim());
