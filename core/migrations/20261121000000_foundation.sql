-- The first shape of the database. Runs as the owner of the tables; requests act as the role breakwater_app,
-- which owns nothing and sees only the client named in app.client_id (row-level security).

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- UUID version 7, for rows that SQL itself makes. (uuidv7() exists from PostgreSQL 18 on; 15 is supported.)
create function new_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

create function current_client() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.client_id', true), '')::uuid
$$;

-- ── identity ────────────────────────────────────────────────────────────────────────────────────────────────
create table clients (
  id uuid primary key default new_id(),
  organization_name text not null,
  legal_name text not null default '',
  address text not null default '',
  enable_false_positive_analysis boolean not null default false,
  schedule_scan text not null default 'none' check (schedule_scan in ('none', 'weekly', 'monthly')),
  pipeline_integration boolean not null default false,
  autonomous_scan boolean not null default false,
  excluded_tools text[] not null default '{}',
  account_setup_at timestamptz not null default now()
);

create table users (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  email text not null,
  username text not null,
  password_hash text not null,
  role text not null check (role in ('superadmin', 'admin', 'cyberoper', 'developer')),
  status text not null default 'active' check (status in ('active', 'invited', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (client_id, id)
);
create unique index users_email on users (lower(email));
create unique index users_username on users (lower(username));

create table sessions (
  client_id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  remember boolean not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (client_id, token_hash),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create unique index sessions_token on sessions (token_hash);
create index sessions_user on sessions (client_id, user_id);

-- Attempts of sign-ins and the like, counted across all processes. Keys are digests; `expire` is in milliseconds since 1970.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

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

-- ── repositories ────────────────────────────────────────────────────────────────────────────────────────────
create table repositories (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  nickname text not null,
  url text not null default '',
  source_control text not null,
  repository_branch text not null default 'main',
  external_id text,
  tags text[] not null default '{}',
  owner uuid,
  exposure text not null default 'unknown' check (exposure in ('internet', 'internal', 'unknown')),
  data_class text not null default 'unknown' check (data_class in ('sensitive', 'business', 'public', 'unknown')),
  status text not null default 'queued' check (status in ('queued', 'running', 'enriching', 'enriched', 'failed')),
  is_sample boolean not null default false,
  last_scan_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (client_id, id)
);
-- A repository is the same when provider and address are; without an address, when provider and name are.
create unique index repositories_address on repositories
  (client_id, source_control, lower(case when url = '' then 'name:' || nickname else url end));
create index repositories_owner on repositories (client_id, owner) where owner is not null;

-- ── reports and scans ───────────────────────────────────────────────────────────────────────────────────────
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
  -- when a report of this scope was last imported: the last_seen of its open findings
  last_seen_at timestamptz,
  primary key (client_id, id),
  unique (client_id, repository_id, tool, target),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);

create table scans (
  client_id uuid not null,
  id uuid not null default new_id(),
  repository_id uuid not null,
  report_id uuid,
  scope_id bigint,
  requested_tool text not null,
  tool text,
  file_name text,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'parsing', 'merging', 'done', 'failed', 'cancelled')),
  percentage smallint not null default 0,
  counts jsonb not null default '{}',
  unreadable jsonb not null default '[]',
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

-- ── findings ────────────────────────────────────────────────────────────────────────────────────────────────
-- What is wrong, once for all findings that say the same: rule, title, vulnerability, component. Keeps the findings row
-- narrow, makes text search and enrichment touch few rows.
create table finding_definitions (
  client_id uuid not null references clients (id) on delete cascade,
  id bigint generated always as identity,
  digest uuid not null,
  tool text not null,
  rule_id text not null,
  title text not null,
  cve text,
  aliases text[] not null default '{}',
  cwe integer[] not null default '{}',
  component text,
  -- for comparing with inventories: names differ in case from tool to tool
  component_key text generated always as (lower(component)) stored,
  component_version text,
  fixed_version text,
  purl text,
  ecosystem text,
  owasp_2021 text,
  owasp_2025 text,
  -- digest of package name + version, to find what speaks of the same package; null where there is no component
  package_key uuid,
  epss real,
  epss_percentile real,
  epss_date text,
  kev_added text,
  search_text text generated always as (
    lower(title || ' ' || rule_id || ' ' || coalesce(cve, '') || ' ' || coalesce(component, '') || ' ' || coalesce(component_version, ''))
  ) stored,
  primary key (client_id, id),
  unique (client_id, digest)
);
create index finding_definitions_package on finding_definitions (client_id, package_key) where package_key is not null;
create index finding_definitions_cve on finding_definitions (client_id, cve) where cve is not null;
create index finding_definitions_component on finding_definitions (client_id, component) where component is not null;
create index finding_definitions_component_key on finding_definitions (client_id, component_key) where component_key is not null;
create index finding_definitions_search on finding_definitions using gin (client_id, search_text gin_trgm_ops);

-- Where it is, once for all findings of a path.
create table finding_files (
  client_id uuid not null references clients (id) on delete cascade,
  id bigint generated always as identity,
  path text not null,
  search_text text generated always as (lower(path)) stored,
  primary key (client_id, id)
);
-- md5, because a path may be longer than a b-tree entry
create unique index finding_files_path on finding_files (client_id, md5(path));
create index finding_files_search on finding_files using gin (client_id, search_text gin_trgm_ops);

-- Hashes that name a group of findings in the rollups: what and where they are, and what was decided about them.
create function finding_source(repository_id uuid, tool text, type text, category text, language text, severity smallint,
  kev boolean, has_cvss boolean, has_epss boolean) returns bigint language sql immutable parallel safe as $$
  select hash_record_extended(row(repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss), 0)
$$;
create function finding_disposition(status text, verdict text, is_duplicate boolean, is_subfinding boolean, issue_owner uuid)
returns bigint language sql immutable parallel safe as $$
  select hash_record_extended(row(status, verdict, is_duplicate, is_subfinding, issue_owner), 0)
$$;

-- One row per result of a report. Kept narrow: each byte and index here is paid 50,000 times per import.
create table findings (
  client_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  scope_id bigint not null,
  definition_id bigint not null,
  file_id bigint,
  -- digest of tool + rule + path + code, component or secret (never line, severity, text or version); with ordinal the identity
  identity uuid not null,
  ordinal integer not null default 0,
  -- digest of all that the report says of it; equal on re-import means there is nothing to write
  content uuid not null default '00000000-0000-0000-0000-000000000000',
  severity smallint not null,             -- 4 critical, 3 high, 2 medium, 1 low, 0 informational
  severity_numerical smallint not null,   -- 0-100
  priority smallint not null,             -- 0-100
  tool text not null,
  type text not null,
  category text not null,
  language text not null default '',
  status text not null default 'enriched',
  verdict text not null default 'none',
  is_duplicate boolean not null default false,
  is_subfinding boolean not null default false,
  kev boolean not null default false,
  is_open boolean generated always as (
    status <> 'mitigated' and verdict in ('none', 'valid') and not is_duplicate and not is_subfinding
  ) stored,
  -- which rollup row counts this finding, see aggregate_cells
  cell bigint generated always as (hashint8extended(
    finding_source(repository_id, tool, type, category, language, severity, kev, cvss is not null, epss is not null),
    finding_disposition(status, verdict, is_duplicate, is_subfinding, issue_owner)
  )) stored,
  cvss real,
  epss real,
  start_line integer,
  end_line integer,
  start_column integer,
  end_column integer,
  duplicate_of uuid,
  parent uuid,
  issue_owner uuid,
  tags text[] not null default '{}',
  first_scan_id uuid not null,
  date timestamptz not null,
  first_seen timestamptz not null,
  -- set when closed: the last report that had it. While open, its scope's last_seen_at says so (an unchanged row is not written).
  last_seen timestamptz,
  closed_at timestamptz,
  verdict_expires_at timestamptz,
  primary key (client_id, id) include (cell, definition_id, file_id)
);
-- also finds the findings of a scope
create unique index findings_identity on findings (client_id, scope_id, identity, ordinal);
-- Each order of the list has its index; the included columns let a walk skip what a filter hides without reading the row.
create index findings_by_priority on findings (client_id, priority desc, id desc) include (cell, definition_id, file_id, date, cvss);
create index findings_by_date on findings (client_id, date desc, id desc) include (cell, definition_id, file_id, priority, cvss);
create index findings_by_cvss on findings (client_id, cvss desc, id desc) include (cell, definition_id, file_id) where cvss is not null;
create index findings_by_epss on findings (client_id, epss desc, id desc) include (cell, definition_id, file_id) where epss is not null;
create index findings_by_cell on findings (client_id, cell);
create index findings_by_definition on findings (client_id, definition_id);
create index findings_by_file on findings (client_id, file_id, start_line) include (cell, definition_id) where file_id is not null;
create index findings_duplicates on findings (client_id, duplicate_of) where duplicate_of is not null;
create index findings_children on findings (client_id, parent) where parent is not null;

-- Long text of a finding, apart from the hot row.
create table finding_details (
  client_id uuid not null,
  finding_id uuid not null,
  description text,
  mitigation text,
  code text,
  code_start_line integer,
  native_severity text,
  cvss_vector text,
  reference_urls text[],
  locations jsonb,
  code_flows jsonb,
  resource text,
  policy jsonb,
  secret_hash text,
  priority_parts jsonb not null default '[]',
  verdict_reason text,
  notes text,
  primary key (client_id, finding_id)
);

-- What happened to a finding after its first import (which its own row tells).
create table finding_events (
  client_id uuid not null,
  finding_id uuid not null,
  id uuid not null default new_id(),
  kind text not null,
  at timestamptz not null default now(),
  actor uuid,
  scan_id uuid,
  from_value text,
  to_value text,
  reason text,
  primary key (client_id, finding_id, id)
);
-- whether anybody has decided anything yet
create index finding_events_by_people on finding_events (client_id) where actor is not null;

-- ── rollups: kept by the triggers below in the transaction of the change ────────────────────────────────────
-- Findings are counted by cell: all that a filter may name and few findings share. A cell is a source (what and where)
-- in a disposition (what was decided). The three numbers are hashes, so that nobody has to look one up on import.
create table aggregate_sources (
  client_id uuid not null,
  source bigint not null,
  repository_id uuid not null,
  tool text not null,
  type text not null,
  category text not null,
  language text not null,
  severity smallint not null,
  kev boolean not null,
  has_cvss boolean not null,
  has_epss boolean not null,
  -- bounds of the priority of its findings; they only ever widen
  priority_low smallint not null,
  priority_high smallint not null,
  primary key (client_id, source)
);

create table aggregate_dispositions (
  client_id uuid not null,
  disposition bigint not null,
  status text not null,
  verdict text not null,
  is_duplicate boolean not null,
  is_subfinding boolean not null,
  issue_owner uuid,
  is_open boolean not null,
  primary key (client_id, disposition)
);

create table aggregate_cells (
  client_id uuid not null,
  cell bigint not null,
  source bigint not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, cell) include (source, disposition, count)
);

create table aggregate_definitions (
  client_id uuid not null,
  definition_id bigint not null,
  cell bigint not null,
  count bigint not null,
  primary key (client_id, definition_id, cell)
);

-- The same without the source: what the facets of a list without further filters read.
create table aggregate_definition_dispositions (
  client_id uuid not null,
  definition_id bigint not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, definition_id, disposition)
);

-- Findings by priority and by day of their date (days since 2000, UTC): where in an order a deep page begins.
create table aggregate_buckets (
  client_id uuid not null,
  field text not null check (field in ('priority', 'date')),
  bucket integer not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, field, bucket, disposition)
);

-- Change of the count of a cell on each day (UTC). The count now without the changes since is the count at the end of a day.
create table aggregate_changes (
  client_id uuid not null,
  cell bigint not null,
  day date not null,
  delta bigint not null,
  primary key (client_id, day, cell)
);

-- Adds the difference between old and new rows to the rollups. Rows are written in key order, so that two
-- transactions take their locks in the same order; another repository's counts are never touched.
create function roll_up_findings() returns trigger language plpgsql as $$
declare
  columns constant text := 'client_id, repository_id, tool, type, category, language, severity, kev, cvss is not null as has_cvss,
    epss is not null as has_epss, status, verdict, is_duplicate, is_subfinding, issue_owner, is_open, cell, definition_id, priority,
    (date at time zone ''UTC'')::date - date ''2000-01-01'' as day';
  change constant text := case tg_op
    when 'INSERT' then format('select %s, 1 as delta from new_rows', columns)
    when 'DELETE' then format('select %s, -1 as delta from old_rows', columns)
    else format('select %1$s, 1 as delta from new_rows union all select %1$s, -1 from old_rows', columns) end;
begin
  execute format($sql$
    with change as not materialized (%s),
    total as materialized (
      select client_id, cell, repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss,
        status, verdict, is_duplicate, is_subfinding, issue_owner, is_open,
        finding_source(repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss) as source,
        finding_disposition(status, verdict, is_duplicate, is_subfinding, issue_owner) as disposition,
        sum(delta) as delta, min(priority) as priority_low, max(priority) as priority_high
      from change
      group by client_id, cell, repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss,
        status, verdict, is_duplicate, is_subfinding, issue_owner, is_open
    ),
    sources as (
      insert into aggregate_sources as t (client_id, source, repository_id, tool, type, category, language, severity, kev,
        has_cvss, has_epss, priority_low, priority_high)
      select client_id, source, repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss,
        min(priority_low), max(priority_high)
      from total group by client_id, source, repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss
      order by client_id, source
      on conflict (client_id, source) do update
      set priority_low = least(t.priority_low, excluded.priority_low), priority_high = greatest(t.priority_high, excluded.priority_high)
      where t.priority_low > excluded.priority_low or t.priority_high < excluded.priority_high
    ),
    dispositions as (
      insert into aggregate_dispositions (client_id, disposition, status, verdict, is_duplicate, is_subfinding, issue_owner, is_open)
      select distinct client_id, disposition, status, verdict, is_duplicate, is_subfinding, issue_owner, is_open
      from total order by client_id, disposition
      on conflict (client_id, disposition) do nothing
    ),
    counts as (
      insert into aggregate_cells as t (client_id, cell, source, disposition, count)
      select client_id, cell, source, disposition, delta from total where delta <> 0 order by client_id, cell
      on conflict (client_id, cell) do update set count = t.count + excluded.count
    ),
    definition as materialized (
      select client_id, definition_id, cell, sum(delta) as delta from change group by client_id, definition_id, cell
    ),
    definition_states as (
      insert into aggregate_definition_dispositions as t (client_id, definition_id, disposition, count)
      select s.client_id, s.definition_id, total.disposition, sum(s.delta)
      from definition s join total on total.client_id = s.client_id and total.cell = s.cell
      group by s.client_id, s.definition_id, total.disposition having sum(s.delta) <> 0 order by s.client_id, s.definition_id, total.disposition
      on conflict (client_id, definition_id, disposition) do update set count = t.count + excluded.count
    ),
    buckets as (
      insert into aggregate_buckets as t (client_id, field, bucket, disposition, count)
      select b.client_id, b.field, b.bucket, total.disposition, sum(b.delta)
      from (
        select client_id, cell, 'priority' as field, priority::integer as bucket, sum(delta) as delta from change group by 1, 2, 3, 4
        union all
        select client_id, cell, 'date', day, sum(delta) from change group by 1, 2, 3, 4
      ) b join total on total.client_id = b.client_id and total.cell = b.cell
      group by b.client_id, b.field, b.bucket, total.disposition having sum(b.delta) <> 0
      order by b.client_id, b.field, b.bucket, total.disposition
      on conflict (client_id, field, bucket, disposition) do update set count = t.count + excluded.count
    ),
    days as (
      insert into aggregate_changes as t (client_id, cell, day, delta)
      select client_id, cell, (now() at time zone 'UTC')::date, delta from total where delta <> 0 order by client_id, cell
      on conflict (client_id, day, cell) do update set delta = t.delta + excluded.delta
    )
    insert into aggregate_definitions as t (client_id, definition_id, cell, count)
    select client_id, definition_id, cell, delta from definition where delta <> 0 order by client_id, definition_id, cell
    on conflict (client_id, definition_id, cell) do update set count = t.count + excluded.count
  $sql$, change);
  return null;
end $$;

create trigger findings_inserted after insert on findings
  referencing new table as new_rows for each statement execute function roll_up_findings();
create trigger findings_updated after update on findings
  referencing old table as old_rows new table as new_rows for each statement execute function roll_up_findings();
create trigger findings_deleted after delete on findings
  referencing old table as old_rows for each statement execute function roll_up_findings();

-- ── inventory ───────────────────────────────────────────────────────────────────────────────────────────────
create table components (
  client_id uuid not null,
  id uuid not null default new_id(),
  repository_id uuid not null,
  scope_id bigint not null,
  -- digest of purl, else of group + name + version
  digest uuid not null,
  name text not null,
  version text,
  group_name text,
  purl text,
  ecosystem text,
  -- the name as people know it, with its group, in lower case
  full_name text generated always as (lower(case when coalesce(group_name, '') = '' then name else group_name || '/' || name end)) stored,
  -- names under which findings may speak of it: tools join group and name by "/" or ":", or leave the group out (not in npm, where it is part of the name)
  finding_keys text[] generated always as (
    case
      when coalesce(group_name, '') = '' then array[lower(name)]
      when ecosystem in ('npm', 'golang', 'composer') then array[lower(group_name || '/' || name)]
      else array[lower(name), lower(group_name || ':' || name), lower(group_name || '/' || name)]
    end) stored,
  type text,
  licenses text[] not null default '{}',
  description text,
  direct boolean,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  -- set when the newest inventory of the scope no longer lists it
  removed_at timestamptz,
  primary key (client_id, id),
  unique (client_id, repository_id, scope_id, digest)
);
create index components_by_name on components (client_id, full_name, id) where removed_at is null;
create index components_of_repository on components (client_id, repository_id, full_name) where removed_at is null;

create table component_edges (
  client_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  primary key (client_id, from_id, to_id)
);
create index component_edges_reverse on component_edges (client_id, to_id);

-- ── notifications ───────────────────────────────────────────────────────────────────────────────────────────
create table notifications (
  client_id uuid not null,
  id uuid not null default new_id(),
  user_id uuid not null,
  notification_type text not null,
  title text not null,
  message text not null default '',
  link text,
  status text not null default 'unread' check (status in ('unread', 'read')),
  date timestamptz not null default now(),
  primary key (client_id, id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create index notifications_of_user on notifications (client_id, user_id, id desc);

-- ── free text ───────────────────────────────────────────────────────────────────────────────────────────────
-- LIKE is not leakproof, so under row-level security no index may serve it. Nor are md5 and lower. These functions run as the owner
-- and keep the client themselves; they return ids only. `pattern` is a LIKE pattern in lower case.
create function search_definitions(pattern text, max_rows integer) returns setof bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select id from finding_definitions where client_id = current_client() and search_text like pattern limit max_rows
$$;
create function search_files(pattern text, max_rows integer) returns setof bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select id from finding_files where client_id = current_client() and search_text like pattern limit max_rows
$$;
create function find_files(paths text[]) returns setof bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select f.id from unnest(paths) wanted join finding_files f on f.client_id = current_client() and md5(f.path) = md5(wanted) and f.path = wanted
$$;

-- ── row-level security ──────────────────────────────────────────────────────────────────────────────────────
-- Forced on every table but the two that the search functions read as their owner.
do $$
declare
  table_name text;
begin
  foreach table_name in array array[
    'users', 'sessions', 'vault', 'repositories', 'reports', 'report_chunks', 'scan_scopes', 'scans', 'scan_requests',
    'finding_definitions', 'finding_files', 'findings', 'finding_details', 'finding_events',
    'aggregate_sources', 'aggregate_dispositions', 'aggregate_cells', 'aggregate_definitions', 'aggregate_definition_dispositions',
    'aggregate_buckets', 'aggregate_changes',
    'components', 'component_edges', 'notifications'
  ] loop
    execute format('alter table %I enable row level security', table_name);
    if table_name not in ('finding_definitions', 'finding_files') then
      execute format('alter table %I force row level security', table_name);
    end if;
    execute format(
      'create policy tenant on %I to breakwater_app using (client_id = current_client()) with check (client_id = current_client())',
      table_name);
  end loop;
  -- the sweep that takes up imports of a dead process looks at unfinished scans of every client
  create policy unfinished on scans for select to breakwater_app
    using (current_setting('app.identity', true) = 'on' and status in ('queued', 'running', 'parsing', 'merging'));
  alter table clients enable row level security;
  alter table clients force row level security;
  create policy tenant on clients to breakwater_app using (id = current_client()) with check (id = current_client());
  foreach table_name in array array['clients', 'users', 'sessions'] loop
    execute format(
      'create policy identity on %I to breakwater_app using (current_setting(''app.identity'', true) = ''on'') with check (current_setting(''app.identity'', true) = ''on'')',
      table_name);
  end loop;
end $$;

grant usage on schema public to breakwater_app;
grant select, insert, update, delete on all tables in schema public to breakwater_app;
alter default privileges in schema public grant select, insert, update, delete on tables to breakwater_app;
