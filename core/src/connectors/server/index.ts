export { startConnectionWork } from './connection-work.ts';
export { type Connections, createConnections } from './connections.ts';
export type { ConnectorItem } from './connector-item.ts';
export { type ConnectionsDeps, environmentName } from './deps.ts';
export { createConnectorEndpoints } from './endpoints.ts';
export { startSyncWork } from './sync-work.ts';
