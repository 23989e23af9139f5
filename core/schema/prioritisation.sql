-- What priorities rest on: EPSS and KEV from feeds, an organisation's own weights, and how far findings have been scored with them.

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
  -- open findings found to be listed in KEV anew since the last notice; notified when the scoring is at its end
  kev_found integer not null default 0,
  finished_at timestamptz
);

-- How an organisation weighs what a priority rests on: one row a change, the highest version holds. Without a row the product's
-- own weights hold: core/src/prioritisation/model/settings/priority-settings.ts
create table priority_settings (
  client_id uuid not null references clients (id) on delete cascade,
  version integer not null check (version > 0),
  settings jsonb not null,
  -- whether priorities may differ from those of the version before
  changes_priorities boolean not null,
  updated_by uuid not null,
  updated_at timestamptz not null default now(),
  primary key (client_id, version)
);

-- How far the findings of a client have been scored with its settings.
create table priority_rescores (
  client_id uuid primary key references clients (id) on delete cascade,
  version integer not null,
  -- findings up to this one are done
  after_finding uuid not null default '00000000-0000-0000-0000-000000000000',
  done integer not null default 0,
  total integer not null,
  -- the job of the person who saved; null once it has ended
  job_id uuid,
  finished_at timestamptz
);
create index priority_rescores_open on priority_rescores (client_id) where finished_at is null;

call protect_platform_table('reference_feeds');
call protect_platform_table('reference_feed_checks');
call protect_tenant_table('rescores');
call protect_tenant_table('priority_settings');
call protect_tenant_table('priority_rescores');
call allow_poller('rescores');
call allow_poller('priority_rescores');
