-- Connections of an organisation to services, their secrets, history and memory, and the switches of connectors.

-- Secrets of connectors, sealed before they arrive here (AES-256-GCM; additional data = client + connector + field).
create table vault (
  client_id uuid not null references clients (id) on delete cascade,
  connector_id text not null,
  field text not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  hint text not null default '',
  updated_at timestamptz not null default now(),
  primary key (client_id, connector_id, field)
);

-- One row per client and connector that was ever configured; it stays as `absent` when the configuration is deleted.
-- `state`, `health`, `failure`, `retry_at` and `attempts` are the statechart's (sdk, connection-machine.ts).
create table connections (
  client_id uuid not null references clients (id) on delete cascade,
  connector_id text not null,
  state text not null default 'absent' check (state in ('absent', 'draft', 'authorizing', 'checking', 'connected', 'syncing',
    'needsAuth', 'paused', 'retrying', 'failed', 'removing')),
  health text not null default 'sound' check (health in ('sound', 'quarantined')),
  quarantined_at timestamptz,
  failure jsonb,
  retry_at timestamptz,
  attempts integer not null default 0,
  -- when its code tripped, newest last; old ones are dropped
  crashes timestamptz[] not null default '{}',
  -- the fields of the form that are no secrets
  config jsonb not null default '{}',
  -- version of the plugin that stored config and secrets
  plugin_version text,
  identity text,
  scopes text[] not null default '{}',
  last_check_at timestamptz,
  last_sync_at timestamptz,
  first_connected_at timestamptz,
  sync_cursor text,
  -- the run that holds the connection: nobody else works for it until `run_until`
  run_id uuid,
  run_started_at timestamptz,
  run_until timestamptz,
  -- when its access token was last renewed, so that many refusals at once renew it once
  refreshed_at timestamptz,
  -- when the person was sent to the service to agree
  authorizing_since timestamptz,
  -- address of its webhook deliveries, below /hooks/
  hook_token text,
  updated_at timestamptz not null default now(),
  primary key (client_id, connector_id)
);
create unique index connections_hook on connections (hook_token) where hook_token is not null;
-- what the poller looks for, over all clients
create index connections_due on connections (retry_at) where state in ('paused', 'retrying');
create index connections_stuck on connections (run_until) where state in ('checking', 'syncing', 'removing');
create index connections_unchecked on connections (last_check_at) where state = 'connected';
create index connections_authorizing on connections (authorizing_since) where state = 'authorizing';

-- What happened, and who did it. Stays when the configuration is deleted; the newest 500 of a connection are kept.
create table connection_history (
  client_id uuid not null references clients (id) on delete cascade,
  connector_id text not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  from_state text not null,
  to_state text not null,
  code text,
  message text,
  actor uuid,
  -- as the person was called then
  actor_name text,
  primary key (client_id, connector_id, id)
);

-- Memory of a connector's code (`ctx.store`), at most 1 MiB per connection.
create table connection_store (
  client_id uuid not null,
  connector_id text not null,
  key text not null,
  value jsonb not null,
  size_bytes integer not null,
  primary key (client_id, connector_id, key),
  foreign key (client_id, connector_id) references connections (client_id, connector_id) on delete cascade
);

-- Deliveries of webhooks that were taken, so that one that comes twice has one effect.
create table connection_deliveries (
  client_id uuid not null,
  connector_id text not null,
  delivery_id text not null,
  at timestamptz not null default now(),
  primary key (client_id, connector_id, delivery_id),
  foreign key (client_id, connector_id) references connections (client_id, connector_id) on delete cascade
);

-- The organisation's switch; no row means on.
create table connector_switches (
  client_id uuid not null references clients (id) on delete cascade,
  connector_id text not null,
  is_enabled boolean not null,
  at timestamptz not null default now(),
  actor uuid,
  actor_name text,
  reason text,
  primary key (client_id, connector_id)
);

-- The platform's switch, for every organisation; no row means on. It belongs to no client.
create table platform_connector_switches (
  connector_id text primary key,
  is_enabled boolean not null,
  at timestamptz not null default now(),
  actor uuid,
  actor_name text,
  reason text
);

-- A target of the service that is an application of the client: findings pulled for it belong to that repository.
create table connection_targets (
  client_id uuid not null references clients (id) on delete cascade,
  connector_id text not null,
  -- id at the service
  target_id text not null,
  repository_id uuid not null,
  name text not null,
  url text,
  last_sync_at timestamptz not null default now(),
  primary key (client_id, connector_id, target_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
create index connection_targets_repository on connection_targets (client_id, repository_id);

call protect_tenant_table('vault');
call protect_tenant_table('connections');
call protect_tenant_table('connection_history');
call protect_tenant_table('connection_store');
call protect_tenant_table('connection_deliveries');
call protect_tenant_table('connection_targets');
call protect_tenant_table('connector_switches');
call protect_platform_table('platform_connector_switches');
-- the poller looks for what is due or stuck in every client; a delivery finds its client by the token
call allow_poller('connections');
call allow_poller('connector_switches');
