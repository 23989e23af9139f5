export type { ActingCaller, Connections, StoredCredentials } from './connections.ts';
export type { ConnectorItem } from './connector-item.ts';
export type { ConnectionsDeps } from './deps.ts';
