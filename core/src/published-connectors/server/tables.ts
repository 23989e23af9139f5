import type { Generated } from 'kysely';
import type { PublicationState, Visibility } from '../model/publication.ts';

/** A connector that an organisation published. Rows of others are read where they are public. */
export interface PublishedConnectorsTable {
  id: Generated<string>;
  client_id: string;
  connector_id: string;
  /** Name of the organisation when it published the newest version. */
  publisher: string;
  visibility: Visibility;
  state: Generated<PublicationState>;
  reason: Generated<string>;
  newest: Generated<number>;
  title: string;
  category: string;
  description: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** Every version; never changed. `document` and `fixtures` are written as JSON text. */
export interface PublishedConnectorVersionsTable {
  publication_id: string;
  number: number;
  client_id: string;
  version: string;
  document: unknown;
  fixtures: unknown;
  hosts: string[];
  published_at: Generated<Date>;
}

export interface VerifiedPublishersTable {
  client_id: string;
  /** What was checked: under another name nobody is verified. */
  name: string;
  verified_at: Generated<Date>;
}

/** What an organisation added, with the version that its admin approved. */
export interface AddedConnectorsTable {
  client_id: string;
  id: string;
  /** May be gone. */
  publication_id: string;
  number: number;
  version: string;
  publisher: string;
  document: unknown;
  hosts: string[];
  brings_findings: boolean;
  added_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    published_connectors: PublishedConnectorsTable;
    published_connector_versions: PublishedConnectorVersionsTable;
    verified_publishers: VerifiedPublishersTable;
    /** @readable by connectors */
    added_connectors: AddedConnectorsTable;
  }
}
