-- EPSS and KEV that replace the delivered data: the same for every client. One row per source, replaced as a whole.
create table reference_feeds (
  source text primary key check (source in ('epss', 'kev')),
  -- grows with every replacement of either source
  version bigint not null,
  origin text not null check (origin in ('feed', 'file')),
  -- address without its query, or name of the file
  name text not null,
  data_date text not null,
  model text,
  entries integer not null,
  sha256 text not null,
  -- the file, unpacked, then zstd
  content bytea not null,
  loaded_at timestamptz not null default now()
);
alter table reference_feeds alter column content set storage external;

-- When a feed was last asked, and what came of it.
create table reference_feed_checks (
  source text primary key check (source in ('epss', 'kev')),
  address text not null,
  checked_at timestamptz not null default now(),
  -- why nothing was replaced; null when all went well
  failure text,
  etag text,
  last_modified text
);

-- How far the findings of a client have been scored with the newest data.
create table rescores (
  client_id uuid primary key references clients (id) on delete cascade,
  version bigint not null,
  -- definitions up to this one are done
  after_definition bigint not null default 0,
  finished_at timestamptz
);

-- The report's own prediction, to choose anew between it and ours.
alter table finding_definitions
  add column reported_epss real,
  add column reported_epss_percentile real,
  add column reported_epss_date text;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['reference_feeds', 'reference_feed_checks'] loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format('create policy readable on %I for select to breakwater_app using (true)', table_name);
    execute format(
      'create policy platform on %I to breakwater_app using (current_setting(''app.identity'', true) = ''on'') with check (current_setting(''app.identity'', true) = ''on'')',
      table_name);
  end loop;
  alter table rescores enable row level security;
  alter table rescores force row level security;
  create policy tenant on rescores to breakwater_app
    using (client_id = current_client()) with check (client_id = current_client());
  create policy sweep on rescores for select to breakwater_app using (current_setting('app.identity', true) = 'on');
end $$;

grant select, insert, update, delete on reference_feeds, reference_feed_checks, rescores to breakwater_app;
