import type { HostMigration } from './capability-contracts.ts';
import type { Json } from './context.ts';

/** Stored fields; of the secrets only the names. */
export interface StoredNames {
  readonly config: Readonly<Record<string, Json>>;
  readonly secrets: readonly string[];
}

/** One step of a migration: secrets and fields are renamed, then the fields pass `config`, which gets a frozen copy. */
export async function runMigrationStep(step: HostMigration, { config, secrets }: StoredNames): Promise<StoredNames> {
  const names = new Map(Object.entries(step.rename ?? {}));
  const nameOf = (name: string): string => names.get(name) ?? name;
  const renamed = Object.fromEntries(Object.entries(config).map(([name, value]) => [nameOf(name), value]));
  return { config: (await step.config?.(Object.freeze({ ...renamed }))) ?? renamed, secrets: secrets.map(nameOf) };
}
