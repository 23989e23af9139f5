-- Counts of findings, kept by the triggers of rollups.sql in the transaction of each change; lists, facets and charts read them instead of
-- counting rows. `npm run admin -- check-rollups` compares them with the findings.
--
-- Findings are counted by cell: all that a filter may name and few findings share. A cell is a source (what and where) in a disposition
-- (what was decided). The three numbers are aggregate_key of those dimensions, so that no import has to look one up.
-- A row whose count falls to zero is deleted. Sources and dispositions stay: history refers to them.

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
  developers uuid[],
  review_requested_by_id uuid,
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

create table aggregate_files (
  client_id uuid not null,
  file_id bigint not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, file_id, disposition)
);

create table aggregate_extensions (
  client_id uuid not null,
  extension text not null,
  cell bigint not null,
  count bigint not null,
  primary key (client_id, extension, cell)
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

-- Findings by cell and by the day of their date (UTC): what a chart over dates reads under a filter.
create table aggregate_dates (
  client_id uuid not null,
  cell bigint not null,
  day date not null,
  count bigint not null,
  primary key (client_id, cell, day) include (count)
);

-- How the number of findings changed on each day (UTC). The number now without the changes since is the number at the end of a day.
create table aggregate_changes (
  client_id uuid not null,
  day date not null,
  source bigint not null,
  disposition bigint not null,
  delta bigint not null,
  primary key (client_id, day, source, disposition) include (delta)
);

-- Both by day with only severity and type left of the source: a few rows a day, so that charts of everything or of one family stay fast.
-- `found`: findings by the day of their date. `changed`: sums of aggregate_changes.
create table aggregate_days (
  client_id uuid not null,
  field text not null check (field in ('found', 'changed')),
  day date not null,
  severity smallint not null,
  type text not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, field, day, severity, type, disposition) include (count)
);

-- By how much a statement changes the number of findings that are alike in all that the tables above count.
create type rollup_change as (
  client_id uuid,
  cell bigint,
  definition_id bigint,
  file_id bigint,
  priority smallint,
  day date,
  delta bigint
);

-- The same with the dimensions of the cell.
create type rollup_delta as (
  client_id uuid,
  cell bigint,
  source bigint,
  disposition bigint,
  severity smallint,
  type text,
  definition_id bigint,
  file_id bigint,
  priority smallint,
  day date,
  delta bigint
);

call protect_tenant_table('aggregate_sources');
call protect_tenant_table('aggregate_dispositions');
call protect_tenant_table('aggregate_cells');
call protect_tenant_table('aggregate_definitions');
call protect_tenant_table('aggregate_definition_dispositions');
call protect_tenant_table('aggregate_files');
call protect_tenant_table('aggregate_extensions');
call protect_tenant_table('aggregate_buckets');
call protect_tenant_table('aggregate_dates');
call protect_tenant_table('aggregate_changes');
call protect_tenant_table('aggregate_days');
