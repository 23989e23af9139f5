-- Newest published versions and days of release, looked up at a public service where an organisation wants that.
create table version_lookup_settings (
  client_id uuid primary key references clients (id) on delete cascade,
  is_enabled boolean not null,
  -- patterns of private packages, which are never sent
  excluded text[] not null default '{}',
  updated_by uuid,
  updated_at timestamptz not null default now()
);
comment on table version_lookup_settings is 'Whether newest versions are looked up, and of which packages not; no row: they are not.';
call protect_tenant_table('version_lookup_settings');

-- By organisation, though what a registry publishes is public: that a name was asked for is not.
create table looked_up_packages (
  client_id uuid not null references clients (id) on delete cascade,
  system text not null check (system in ('npm', 'pypi', 'go', 'maven', 'cargo', 'nuget', 'rubygems')),
  name text not null check (length(name) <= 214),
  -- null until the first answer
  outcome text check (outcome in ('found', 'not_found', 'unreadable')),
  answered_at timestamptz,
  -- from when on it may be asked for; while it is being asked for, the end of that lease
  ask_at timestamptz not null default now(),
  -- day of release by version
  versions jsonb,
  primary key (client_id, system, name)
);
comment on table looked_up_packages is 'What a public service said of a package, and when it may be asked again.';
call protect_tenant_table('looked_up_packages');

create table component_releases (
  client_id uuid not null references clients (id) on delete cascade,
  -- of components
  digest uuid not null,
  released_on text,
  newest_version text,
  newest_released_on text,
  primary key (client_id, digest)
);
comment on table component_releases is 'When the version of a component was released, and which one is the newest; follows from looked_up_packages.';
create index component_releases_by_age on component_releases (client_id, released_on);
call protect_tenant_table('component_releases');
