import { type ConnectionFailure, type Json, NO_CONNECTION, type StoredConnection } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { GateParts, SwitchPosition } from '../../model/availability.ts';
import './tables.ts';

interface Row {
  connector_id: string;
  state: StoredConnection['connection'] | null;
  health: StoredConnection['health'];
  quarantined_at: Date | null;
  failure: ConnectionFailure | null;
  retry_at: Date | null;
  attempts: number;
  crashes: Date[];
  config: Record<string, Json>;
  plugin_version: string | null;
  identity: string | null;
  scopes: string[];
  last_check_at: Date | null;
  last_sync_at: Date | null;
  first_connected_at: Date | null;
  sync_cursor: string | null;
  run_id: string | null;
  run_until: Date | null;
  refreshed_at: Date | null;
  authorizing_since: Date | null;
  token_expires_at: Date | null;
  hook_token: string | null;
  hints: Record<string, string> | null;
  organisation_enabled: boolean | null;
  organisation_at: Date;
  organisation_by: string | null;
  organisation_reason: string | null;
  platform_enabled: boolean | null;
  platform_at: Date;
  platform_by: string | null;
  platform_reason: string | null;
}

/** Everything stored of one connection; of its secrets only the hints. */
export interface ConnectionRecord extends GateParts {
  readonly clientId: string;
  readonly connectorId: string;
  /** Public fields as they were saved. */
  readonly config: Readonly<Record<string, Json>>;
  /** Hint by name of each secret that is set; empty where nothing may be shown. */
  readonly hints: Readonly<Record<string, string>>;
  readonly pluginVersion: string | null;
  readonly identity: string | null;
  readonly scopes: readonly string[];
  readonly lastCheckAt: Date | null;
  readonly lastSyncAt: Date | null;
  readonly firstConnectedAt: Date | null;
  readonly syncCursor: string | null;
  readonly runId: string | null;
  readonly runUntil: Date | null;
  readonly refreshedAt: Date | null;
  readonly authorizingSince: Date | null;
  /** When the access token ends, where its service said so. */
  readonly tokenExpiresAt: Date | null;
  readonly crashes: readonly Date[];
  readonly hookToken: string | null;
}

const ABSENT: StoredConnection = { ...NO_CONNECTION, organisation: 'enabled', platform: 'enabled' };

const switchOf = (isEnabled: boolean | null, at: Date, by: string | null, reason: string | null) =>
  isEnabled === null ? null : ({ isEnabled, at, by, reason } satisfies SwitchPosition);

const storedOf = (row: Row): StoredConnection => {
  const regions = {
    organisation: row.organisation_enabled === false ? 'disabled' : 'enabled',
    platform: row.platform_enabled === false ? 'disabled' : 'enabled',
  } as const;
  if (row.state === null) return { ...NO_CONNECTION, ...regions };
  const { state, health, failure, retry_at, attempts } = row;
  return { connection: state, ...regions, health, failure, retryAt: retry_at?.toISOString() ?? null, attempts };
};

const recordOf = (clientId: string, row: Row): ConnectionRecord => ({
  clientId,
  connectorId: row.connector_id,
  stored: storedOf(row),
  organisation: switchOf(row.organisation_enabled, row.organisation_at, row.organisation_by, row.organisation_reason),
  platform: switchOf(row.platform_enabled, row.platform_at, row.platform_by, row.platform_reason),
  quarantinedAt: row.quarantined_at,
  config: row.config ?? {},
  hints: row.hints ?? {},
  pluginVersion: row.plugin_version,
  identity: row.identity,
  scopes: row.scopes ?? [],
  lastCheckAt: row.last_check_at,
  lastSyncAt: row.last_sync_at,
  firstConnectedAt: row.first_connected_at,
  syncCursor: row.sync_cursor,
  runId: row.run_id,
  runUntil: row.run_until,
  refreshedAt: row.refreshed_at,
  authorizingSince: row.authorizing_since,
  tokenExpiresAt: row.token_expires_at,
  crashes: row.crashes ?? [],
  hookToken: row.hook_token,
});

/** A record of a connector of which nothing is stored. */
export const absentRecord = (clientId: string, connectorId: string): ConnectionRecord => ({
  clientId,
  connectorId,
  stored: ABSENT,
  organisation: null,
  platform: null,
  quarantinedAt: null,
  config: {},
  hints: {},
  pluginVersion: null,
  identity: null,
  scopes: [],
  lastCheckAt: null,
  lastSyncAt: null,
  firstConnectedAt: null,
  syncCursor: null,
  runId: null,
  runUntil: null,
  refreshedAt: null,
  authorizingSince: null,
  tokenExpiresAt: null,
  crashes: [],
  hookToken: null,
});

/** Of the connectors asked for those of which anything is stored, by id: of most of a catalogue there is nothing. Keys: primary keys of each table. */
export const readConnections = async (
  db: Db,
  { clientId, connectorIds }: { clientId: string; connectorIds: readonly string[] },
): Promise<ReadonlyMap<string, ConnectionRecord>> => {
  const ids = sql`any (${[...connectorIds]}::text[])`;
  const { rows } = await sql<Row>`
    with k as (
      select connector_id from connections where client_id = ${clientId} and connector_id = ${ids}
      union select connector_id from vault where client_id = ${clientId} and connector_id = ${ids}
      union select connector_id from connector_switches where client_id = ${clientId} and connector_id = ${ids}
      union select connector_id from platform_connector_switches where connector_id = ${ids})
    select k.connector_id, c.state, c.health, c.quarantined_at, c.failure, c.retry_at, c.attempts, c.crashes, c.config,
      c.plugin_version, c.identity, c.scopes, c.last_check_at, c.last_sync_at, c.first_connected_at, c.sync_cursor, c.run_id,
      c.run_until, c.refreshed_at, c.authorizing_since, c.token_expires_at, c.hook_token,
      (select jsonb_object_agg(v.field, v.hint) from vault v
        where v.client_id = ${clientId} and v.connector_id = k.connector_id) as hints,
      s.is_enabled as organisation_enabled, s.at as organisation_at, s.actor_name as organisation_by,
      s.reason as organisation_reason,
      p.is_enabled as platform_enabled, p.at as platform_at, p.actor_name as platform_by, p.reason as platform_reason
    from k
    left join connections c on c.client_id = ${clientId} and c.connector_id = k.connector_id
    left join connector_switches s on s.client_id = ${clientId} and s.connector_id = k.connector_id
    left join platform_connector_switches p on p.connector_id = k.connector_id`.execute(db);
  return new Map(rows.map((row) => [row.connector_id, recordOf(clientId, row)]));
};

/** One record, also where nothing is stored yet. */
export const readConnection = async (
  db: Db,
  { clientId, connectorId }: { clientId: string; connectorId: string },
): Promise<ConnectionRecord> => {
  const stored = await readConnections(db, { clientId, connectorIds: [connectorId] });
  return stored.get(connectorId) ?? absentRecord(clientId, connectorId);
};
