import type { Json } from './context.ts';

/**
 * How stored fields of an older version become those of this one. Secrets move by name and are never read; `config` gets
 * the fields that are no secrets. Steps run in order, from the version that stored the fields to the present one.
 */
export interface CredentialMigration {
  /** Plugin version, `1.0.0`: applies to what it or an older version stored. */
  readonly from: string;
  /** Old field name to new field name; also for secrets. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Pure. */
  config?(old: Readonly<Record<string, Json>>): Readonly<Record<string, Json>>;
}
