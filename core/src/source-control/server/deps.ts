import type { Connections } from '../../connectors/server/index.ts';
import type { ConnectorCatalogue } from '../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';

/** What the slice is made of. */
export interface SourceControlDeps {
  database: DatabaseHandle;
  catalogue: ConnectorCatalogue;
  connections: Connections;
  /** Where people and pipelines reach this server, as the operator says; undefined: as the request came. */
  publicOrigin: string | undefined;
}
