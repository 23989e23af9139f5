export type { ConnectorItem } from './connection/connector-item.ts';
export { type ConnectionsDeps, environmentName } from './connection/deps.ts';
export { type Connections, createConnections } from './connections.ts';
export { createConnectorEndpoints } from './endpoints.ts';
export { findDueConnections, runConnection, upgradeStoredConnections } from './runs/connection-jobs.ts';
export type { SyncDeps } from './runs/sync-jobs.ts';
export { findDueSyncs, runSync } from './runs/sync-jobs.ts';
