import type { Generated } from 'kysely';
import type { DATA_CLASSES, EXPOSURES, REPOSITORY_STATUSES, SCHEDULES } from '../api/routes.ts';

export interface RepositoriesTable {
  client_id: string;
  id: Generated<string>;
  nickname: string;
  /** Empty for an application known only by its reports. */
  url: Generated<string>;
  /** One that all organisations have, or id of a connector that this one added. */
  source_control: string;
  repository_branch: Generated<string>;
  external_id: string | null;
  tags: Generated<string[]>;
  owner: string | null;
  exposure: Generated<(typeof EXPOSURES)[number]>;
  data_class: Generated<(typeof DATA_CLASSES)[number]>;
  /** How often it is scanned; null: as the organisation says. */
  schedule: Generated<(typeof SCHEDULES)[number] | null>;
  status: Generated<(typeof REPOSITORY_STATUSES)[number]>;
  is_sample: Generated<boolean>;
  last_scan_at: Date | null;
  created_at: Generated<Date>;
}

/** A branch other than the default one, once a report was imported for it. Its findings have its id as their repository_id. */
export interface RepositoryBranchesTable {
  client_id: string;
  id: Generated<string>;
  repository_id: string;
  name: string;
  last_scan_at: Date | null;
}

/** Who changed what of a repository. Values are as people read them: a user's name, tags with commas. */
export interface RepositoryEventsTable {
  client_id: string;
  id: Generated<number>;
  repository_id: string;
  at: Generated<Date>;
  actor: string | null;
  actor_name: string | null;
  /** `added`, or the field that was changed. */
  field: string;
  from_value: string | null;
  to_value: string | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * An import notes when a repository was scanned last.
     * @readable by billing, clients, findings, posture, prioritisation, reachability, remediation, sbom, scanning, source-control
     * @writable by ingest
     */
    repositories: RepositoriesTable;
    /**
     * An import adds a branch that it sees first.
     * @readable by findings, prioritisation, reachability
     * @writable by ingest
     */
    repository_branches: RepositoryBranchesTable;
    repository_events: RepositoryEventsTable;
  }
}
