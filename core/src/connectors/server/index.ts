export { findDueConnections, runConnection, upgradeStoredConnections } from './connection-jobs.ts';
export { type Connections, createConnections } from './connections.ts';
export type { ConnectorItem } from './connector-item.ts';
export { type ConnectionsDeps, environmentName } from './deps.ts';
export { createConnectorEndpoints } from './endpoints.ts';
export type { SyncDeps } from './sync-findings.ts';
export { findDueSyncs, runSync } from './sync-jobs.ts';
