import type { ConnectionFailure, ConnectionState, HealthState, Json } from '@breakwater/sdk';
import type { ColumnType, Generated } from 'kysely';

/** A connection of a client. Its state is changed by `advance-connection.ts` alone. */
export interface ConnectionsTable {
  client_id: string;
  connector_id: string;
  state: Generated<ConnectionState>;
  health: Generated<HealthState>;
  quarantined_at: Date | null;
  failure: ColumnType<ConnectionFailure | null, string | null | undefined, string | null>;
  retry_at: Date | null;
  attempts: Generated<number>;
  crashes: Generated<Date[]>;
  config: ColumnType<Record<string, Json>, string | undefined, string>;
  plugin_version: string | null;
  identity: string | null;
  scopes: Generated<string[]>;
  last_check_at: Date | null;
  last_sync_at: Date | null;
  first_connected_at: Date | null;
  sync_cursor: string | null;
  run_id: string | null;
  run_started_at: Date | null;
  run_until: Date | null;
  refreshed_at: Date | null;
  authorizing_since: Date | null;
  token_expires_at: Date | null;
  hook_token: string | null;
  updated_at: Generated<Date>;
}

export interface ConnectionHistoryTable {
  client_id: string;
  connector_id: string;
  id: Generated<number>;
  at: Generated<Date>;
  event: string;
  from_state: ConnectionState;
  to_state: ConnectionState;
  code: string | null;
  message: string | null;
  actor: string | null;
  actor_name: string | null;
}

export interface ConnectionStoreTable {
  client_id: string;
  connector_id: string;
  key: string;
  value: ColumnType<Json, string, string>;
  size_bytes: number;
}

export interface ConnectionDeliveriesTable {
  client_id: string;
  connector_id: string;
  delivery_id: string;
  at: Generated<Date>;
  /** Until then one request is at it; null: it was taken. */
  claimed_until: Date | null;
}

/** A target of the service and the repository that its findings belong to. */
export interface ConnectionTargetsTable {
  client_id: string;
  connector_id: string;
  /** Id at the service. */
  target_id: string;
  repository_id: string;
  name: string;
  url: string | null;
  last_sync_at: Generated<Date>;
}

/** A sign-in at a service that has begun. */
export interface OauthStatesTable {
  client_id: string;
  /** SHA-256 of the state. */
  state_hash: Buffer;
  connector_id: string;
  user_id: string;
  /** Of the session's token. */
  session_hash: Buffer;
  step: 'sign-in' | 'installation';
  redirect_uri: string;
  expires_at: Date;
}

interface SwitchColumns {
  connector_id: string;
  is_enabled: boolean;
  at: Generated<Date>;
  actor: string | null;
  actor_name: string | null;
  reason: string | null;
}

export interface ConnectorSwitchesTable extends SwitchColumns {
  client_id: string;
}

export interface PlatformConnectorSwitchesTable extends SwitchColumns {}

declare module '../../../platform/server/database.ts' {
  interface Database {
    /** @readable by installed-plugins, published-connectors */
    connections: ConnectionsTable;
    connection_history: ConnectionHistoryTable;
    connection_store: ConnectionStoreTable;
    connection_deliveries: ConnectionDeliveriesTable;
    connection_targets: ConnectionTargetsTable;
    oauth_states: OauthStatesTable;
    connector_switches: ConnectorSwitchesTable;
    platform_connector_switches: PlatformConnectorSwitchesTable;
  }
}
