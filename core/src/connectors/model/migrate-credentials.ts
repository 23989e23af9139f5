import type { CredentialMigration, Json } from '@breakwater/sdk';
import semver from 'semver';

/** Fields as an older plugin version stored them; of the secrets only the names. */
export interface OldCredentials {
  readonly version: string;
  readonly config: Readonly<Record<string, Json>>;
  readonly secrets: readonly string[];
}

/** The same fields for the present version. */
export interface MigratedCredentials {
  readonly config: Readonly<Record<string, Json>>;
  /** New name of each secret by its old name, also of those that keep theirs. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** True where what `stored` wrote is older than what `loaded` expects. */
export function isOlder(stored: string | null, loaded: string): boolean {
  return stored !== null && semver.valid(stored) !== null && semver.valid(loaded) !== null && semver.lt(stored, loaded);
}

/** Runs the steps from the version that stored the fields. A step that renames what is not stored changes nothing. */
export function migrateCredentials(old: OldCredentials, steps: readonly CredentialMigration[]): MigratedCredentials {
  const due = steps
    .filter((step) => semver.gte(step.from, old.version))
    .toSorted((left, right) => semver.compare(left.from, right.from));
  let { config } = old;
  let secrets = new Map(old.secrets.map((name) => [name, name]));
  for (const step of due) {
    const names = new Map(Object.entries(step.rename ?? {}));
    secrets = new Map([...secrets].map(([before, name]) => [before, names.get(name) ?? name]));
    config = Object.fromEntries(Object.entries(config).map(([name, value]) => [names.get(name) ?? name, value]));
    config = step.config?.(config) ?? config;
  }
  return { config, secrets };
}
