-- Reports as uploaded, what they speak for, and the imports of them.

-- A report as uploaded, zstd-compressed, in pieces, so that every process that shares the database can read it.
create table reports (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  sha256 bytea not null,
  size_bytes bigint not null,
  created_at timestamptz not null default now(),
  primary key (client_id, id)
);
create unique index reports_sha256 on reports (client_id, sha256);

create table report_chunks (
  client_id uuid not null,
  report_id uuid not null,
  ordinal integer not null,
  data bytea not null,
  primary key (client_id, report_id, ordinal),
  foreign key (client_id, report_id) references reports (client_id, id) on delete cascade
);
alter table report_chunks alter column data set storage external;

-- What a report speaks for: results of one tool about one target of a repository. Only a report of the same scope closes a finding.
create table scan_scopes (
  client_id uuid not null,
  id bigint generated always as identity,
  repository_id uuid not null,
  tool text not null,
  target text not null default '',
  -- null: the default branch
  branch_id uuid,
  -- when a report of this scope was last imported: the last_seen of its open findings
  last_seen_at timestamptz,
  -- the import that was merged last: ids follow the order of upload, and a transaction's time that of its begin
  last_scan_id uuid,
  primary key (client_id, id),
  constraint scan_scopes_speaks_for unique nulls not distinct (client_id, repository_id, tool, target, branch_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade,
  foreign key (client_id, branch_id) references repository_branches (client_id, id) on delete cascade
);

create table scans (
  client_id uuid not null,
  id uuid not null default new_id(),
  repository_id uuid not null,
  -- the branch as the sender named it; null: the default one
  branch text,
  report_id uuid,
  scope_id bigint,
  requested_tool text not null,
  tool text,
  -- set where the report is not a tool's own but records that this connector yielded, one in JSON a line
  connector_id text,
  -- a scan that takes another back: it brings the scope to the report before
  undoes uuid,
  file_name text,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'parsing', 'merging', 'done', 'failed', 'cancelled')),
  percentage smallint not null default 0,
  counts jsonb not null default '{}',
  unreadable jsonb not null default '[]',
  -- what besides the report decides what an import writes; null where that is not known
  imported_as text,
  code text,
  detail text,
  attempts smallint not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (client_id, id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
create index scans_newest on scans (client_id, id desc);
create index scans_repository on scans (client_id, repository_id, id desc);
create index scans_unfinished on scans (status) where status in ('queued', 'running', 'parsing', 'merging');

create table scan_requests (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  scan_type text not null,
  repository_id uuid,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  detail text,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (client_id, id)
);

call protect_tenant_table('reports');
call protect_tenant_table('report_chunks');
call protect_tenant_table('scan_scopes');
call protect_tenant_table('scans');
call protect_tenant_table('scan_requests');
-- imports of a dead process are taken up again
call allow_poller('scans', $$status in ('queued', 'running', 'parsing', 'merging')$$);
