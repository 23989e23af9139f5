-- Findings that a connector pulled: the scan says which connector, and a target of the service is an application of the client.

-- Set where the report is not a tool's own but records that this connector yielded, one in JSON a line.
alter table scans add column connector_id text;

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

alter table connection_targets enable row level security;
alter table connection_targets force row level security;
create policy tenant on connection_targets to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
