import type { Generated } from 'kysely';
import type { LicenseClass } from '../model/license-classes.ts';
import type { LicensePolicy } from '../model/license-policy.ts';

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
  }
}
