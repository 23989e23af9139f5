-- Findings: a narrow row beside what repeats (definitions, files) and what is long (details), and what happened to them.

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
  -- what it means for the supply chain: SLSA v1.0 threats (A-H) and OWASP CI/CD risks (CICD-SEC-1..10)
  slsa_threats text[] not null default '{}',
  owasp_cicd text[] not null default '{}',
  -- digest of package name + version, to find what speaks of the same package; null where there is no component
  package_key uuid,
  -- what the tool says about the policy behind the rule, as of its newest report: {name, category, control}
  policy jsonb,
  epss real,
  epss_percentile real,
  epss_date text,
  -- the report's own prediction, to choose anew between it and ours
  reported_epss real,
  reported_epss_percentile real,
  reported_epss_date text,
  kev_added text,
  -- the day of the KEV entry that people were notified of, by the notice of the import that brought the definition or by the one that follows
  -- a newer catalogue: whichever comes first, nobody is notified twice
  kev_notified text,
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
  -- `ts` of src/a.spec.ts; '' for none, as in Makefile and .gitignore
  extension text not null generated always as (lower(coalesce(substring(path from '[^/\\]\.([A-Za-z0-9_+-]{1,16})$'), ''))) stored,
  primary key (client_id, id)
);
-- md5, because a path may be longer than a b-tree entry
create unique index finding_files_path on finding_files (client_id, md5(path));
create index finding_files_search on finding_files using gin (client_id, search_text gin_trgm_ops);
create index finding_files_extension on finding_files (client_id, extension);

-- Keys of the aggregates (aggregates.sql): the first 8 bytes of the md5 of an unambiguous text of the dimensions. They use nothing
-- of PostgreSQL's internal hashing, so that a dump restored into another major version keeps its counts. Bodies are parsed when they are
-- created (return …): a restore runs with an empty search_path.
create function aggregate_key(dimensions text) returns bigint language sql immutable parallel safe
  return ('x' || left(md5(dimensions), 16))::bit(64)::bigint;

create function uuid_list(ids uuid[]) returns text language sql immutable strict parallel safe
  return array_to_string(ids, ',');

-- What a finding is and where.
create function source_dimensions(repository_id uuid, tool text, type text, category text, language text, severity smallint,
  kev boolean, has_cvss boolean, has_epss boolean) returns text language sql immutable parallel safe
  return repository_id::text || ',' || severity::text || ',' || kev::text || ',' || has_cvss::text || ',' || has_epss::text
    || quote_literal(tool) || quote_literal(type) || quote_literal(category) || quote_literal(language);

-- What was decided about it.
create function disposition_dimensions(status text, verdict text, is_duplicate boolean, is_subfinding boolean, issue_owner uuid,
  developers uuid[], review_requested_by_id uuid) returns text language sql immutable parallel safe
  return quote_literal(status) || quote_literal(verdict) || is_duplicate::text || ',' || is_subfinding::text || ','
    || coalesce(issue_owner::text, '') || ',' || coalesce(review_requested_by_id::text, '') || ',' || coalesce(uuid_list(developers), '');

-- One row per result of a report. Kept narrow: each byte and index here is paid 50,000 times per import.
create table findings (
  client_id uuid not null,
  id uuid not null,
  -- of the repository, or of a branch of it
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
  -- the language was guessed from file name or ecosystem
  is_language_estimated boolean not null default false,
  is_open boolean generated always as (
    status <> 'mitigated' and verdict in ('none', 'valid') and not is_duplicate and not is_subfinding
  ) stored,
  -- which aggregate cell counts this finding
  cell bigint generated always as (aggregate_key(
    source_dimensions(repository_id, tool, type, category, language, severity, kev, cvss is not null, epss is not null)
    || disposition_dimensions(status, verdict, is_duplicate, is_subfinding, issue_owner, developers, review_requested_by_id)
  )) stored,
  cvss real,
  epss real,
  start_line integer,
  end_line integer,
  start_column integer,
  end_column integer,
  duplicate_of uuid,
  -- How sure it is that a duplicate says the same as its original: 1 likely (place and kind of weakness are close), 2 certain (one place
  -- and weakness, or one name of a vulnerability), 3 a person said so. Null: no duplicate, or marked before this was kept (certain).
  duplicate_certainty smallint check (duplicate_certainty between 1 and 3),
  parent uuid,
  issue_owner uuid,
  -- sorted ids of those it was sent to; null for nobody, so that most rows pay nothing
  developers uuid[],
  review_requested_by_id uuid,
  tags text[] not null default '{}',
  -- what our rules estimate, 0-100
  effort_for_fixing smallint,
  exploitability smallint,
  impact smallint,
  -- set while a person's severity stands: what the report says, for the day it is taken back
  reported_severity smallint,
  reported_severity_numerical smallint,
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
-- Each order of the list has its index; the included columns let a scan skip what a filter hides without reading the row.
create index findings_by_priority on findings (client_id, priority desc, id desc)
  include (cell, definition_id, file_id, date, cvss, effort_for_fixing, severity);
create index findings_by_date on findings (client_id, date desc, id desc)
  include (cell, definition_id, file_id, priority, cvss, severity, effort_for_fixing);
create index findings_by_cvss on findings (client_id, cvss desc, id desc) include (cell, definition_id, file_id) where cvss is not null;
create index findings_by_epss on findings (client_id, epss desc, id desc) include (cell, definition_id, file_id) where epss is not null;
-- also the filter by effort: findings not estimated yet come below 0
create index findings_by_effort on findings (client_id, effort_for_fixing desc nulls last, id desc) include (cell, definition_id, file_id);
create index findings_by_cell on findings (client_id, cell);
-- the highest priority of a definition, its findings in order, and charts and options under a filter by weakness, package or rule
create index findings_by_definition on findings (client_id, definition_id, priority desc, id desc) include (cell, date, file_id);
-- the same of a file; filters start_column and end_column are tested while scanning it
create index findings_by_file on findings (client_id, file_id, start_line)
  include (start_column, end_column, priority, cell, definition_id);
create index findings_duplicates on findings (client_id, duplicate_of) where duplicate_of is not null;
create index findings_children on findings (client_id, parent) where parent is not null;
-- filter and facet by tag: few findings carry one
create index findings_tagged on findings (client_id, id) where tags <> '{}';
-- accepted risks by the day they end
create index findings_expiring on findings (client_id, verdict_expires_at) where verdict_expires_at is not null;
-- closed findings, for the time it took to fix them
create index findings_closed on findings (client_id, closed_at) include (cell, severity, first_seen, definition_id, file_id)
  where status = 'mitigated' and closed_at is not null;

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
  -- a verdict that somebody asks a review of
  proposed_verdict text,
  proposed_reason text,
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
  -- events of one change of a person
  change_id uuid,
  -- what is restored when the change is taken back and from_value does not say
  before jsonb,
  primary key (client_id, finding_id, id)
);
-- whether anybody has decided anything yet
create index finding_events_by_people on finding_events (client_id) where actor is not null;
create index finding_events_of_change on finding_events (client_id, change_id, finding_id) where change_id is not null;

-- What people decided about which findings are the same. The latest word counts; rules never overrule it.
-- `repository_id` is that of the findings: of the repository or of a branch.
create table correlation_overrides (
  client_id uuid not null,
  repository_id uuid not null,
  finding_id uuid not null,
  -- the same as this one; itself: is no duplicate of anything
  other_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor uuid not null,
  reason text,
  primary key (client_id, finding_id, other_id)
);
create index correlation_overrides_of_repository on correlation_overrides (client_id, repository_id);

-- How one person sees the list of findings. Absent: the default columns, and no saved filter is in use.
create table finding_view_settings (
  client_id uuid not null,
  user_id uuid not null,
  -- keys of the shown columns in their order; null: the default ones
  columns text[],
  -- widths in px of columns that were resized, by key
  widths jsonb not null default '{}',
  -- whether the list opens with the active saved filter
  use_saved_filter boolean not null default true,
  primary key (client_id, user_id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);

-- Filters under a name, of one person.
create table saved_finding_filters (
  client_id uuid not null,
  user_id uuid not null,
  id uuid not null default new_id(),
  scope text not null check (scope in ('app', 'scm', 'cloud')),
  name text not null,
  is_active boolean not null default false,
  -- [{key: value}], as it was saved: what a later version no longer knows is left out by whoever reads it
  filters jsonb not null,
  primary key (client_id, user_id, id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create unique index saved_finding_filters_name on saved_finding_filters (client_id, user_id, scope, lower(name));
create unique index saved_finding_filters_active on saved_finding_filters (client_id, user_id, scope) where is_active;

-- Days that an organisation allows for fixing a finding of each severity; null: no limit. Without a row the default holds:
-- core/src/findings/model/sla.ts. When a finding is due is never stored: it is its date and these days.
create table sla_days (
  client_id uuid primary key references clients (id) on delete cascade,
  critical smallint check (critical between 1 and 3650),
  high smallint check (high between 1 and 3650),
  medium smallint check (medium between 1 and 3650),
  low smallint check (low between 1 and 3650),
  informational smallint check (informational between 1 and 3650),
  updated_by uuid,
  updated_at timestamptz not null default now()
);

call protect_tenant_table('finding_definitions', is_forced => false);
call protect_tenant_table('finding_files', is_forced => false);
call protect_tenant_table('findings');
call protect_tenant_table('finding_details');
call protect_tenant_table('finding_events');
call protect_tenant_table('correlation_overrides');
call protect_tenant_table('finding_view_settings');
call protect_tenant_table('saved_finding_filters');
call protect_tenant_table('sla_days');

-- Free text. LIKE is not leakproof, so under row-level security no index may serve it. Nor are md5 and lower. These functions run as the
-- owner and keep the client themselves; they return ids only. `pattern` is a LIKE pattern in lower case.
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
