import { findDueConnections, runConnection } from './runs/connection-jobs.ts';
import { findDueSyncs, runSync } from './runs/sync-jobs.ts';

export { isOlder, readValues } from '../model/credential-values.ts';
export { createChannels } from './channels.ts';
export type { ConnectorItem } from './connection/connector-item.ts';
export { type ConnectionsDeps, environmentName } from './connection/deps.ts';
export { ADDED_PREFIX, type AddedConnectors, addedId, addedMark } from './connection/find-entry.ts';
export { purgeConnections } from './connection/purge-connections.ts';
export { type Connections, createConnections, type SignedInCaller, type StoredCredentials } from './connections.ts';
export { createConnectorEndpoints, requestOrigin } from './endpoints.ts';
export { connectorPersonalData } from './personal-data.ts';
export { upgradeStoredConnections } from './runs/connection-jobs.ts';
export type { ConnectionCtx } from './runs/run-with-connection.ts';
export { applicationOf, type SyncDeps } from './runs/sync-jobs.ts';
export { connectionProblem, createSourceControls } from './source-controls.ts';

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const connectorJobs = [runConnection, findDueConnections, runSync, findDueSyncs] as const;
