import type { Generated, JSONColumnType } from 'kysely';
import type { LicenseClass } from '../model/license-classes.ts';
import type { LicensePolicy } from '../model/license-policy.ts';
import type { LookupOutcome } from '../model/lookup-answer.ts';
import type { PublishedVersions, Release } from '../model/newest-published.ts';
import type { RegistrySystem } from '../model/registry-package.ts';

/** A package of an inventory. */
export interface ComponentsTable {
  client_id: string;
  id: Generated<string>;
  repository_id: string;
  scope_id: number;
  digest: string;
  name: string;
  version: string | null;
  group_name: string | null;
  purl: string | null;
  ecosystem: string | null;
  full_name: string;
  finding_keys: string[];
  type: string | null;
  licenses: Generated<string[]>;
  license_class: Generated<LicenseClass>;
  description: string | null;
  direct: boolean | null;
  first_seen: Date;
  last_seen: Date;
  /** Set when the newest inventory of its scope no longer lists it. */
  removed_at: Date | null;
}

/** One component needs another. */
export interface ComponentEdgesTable {
  client_id: string;
  from_id: string;
  to_id: string;
}

/** Which licences an organisation forbids or reviews; no row: the default. */
export interface LicensePoliciesTable {
  client_id: string;
  classes: LicensePolicy['classes'];
  licenses: LicensePolicy['licenses'];
  updated_by: string | null;
  updated_at: Generated<Date>;
}

/** Whether newest versions are looked up, and of which packages not; no row: they are not. */
export interface VersionLookupSettingsTable {
  client_id: string;
  is_enabled: boolean;
  excluded: string[];
  updated_by: string | null;
  updated_at: Generated<Date>;
}

/** What a public service said of a package. Of one client, because the names that it asked for are its own. */
export interface LookedUpPackagesTable {
  client_id: string;
  system: RegistrySystem;
  name: string;
  /** Null until the first answer. */
  outcome: LookupOutcome | null;
  answered_at: Date | null;
  /** From when on it may be asked for; while it is being asked for, the end of that lease. */
  ask_at: Generated<Date>;
  versions: JSONColumnType<PublishedVersions> | null;
}

/** What follows from it for a component, by its digest. */
export interface ComponentReleasesTable extends Release {
  client_id: string;
  digest: string;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * An import merges inventories as sets.
     * @readable by posture
     * @writable by ingest
     */
    components: ComponentsTable;
    /**
     * An import merges inventories as sets.
     * @writable by ingest
     */
    component_edges: ComponentEdgesTable;
    license_policies: LicensePoliciesTable;
    version_lookup_settings: VersionLookupSettingsTable;
    looked_up_packages: LookedUpPackagesTable;
    component_releases: ComponentReleasesTable;
  }
}
