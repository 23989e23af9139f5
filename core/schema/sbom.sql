-- Inventories of components, and the licence policy they are checked against.

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
  -- class of all licences, by core/src/sbom/model/license-rules.ts; set by the import
  license_class text not null default 'unknown' check (
    license_class in ('permissive', 'weak_copyleft', 'strong_copyleft', 'network_copyleft', 'proprietary', 'unknown')),
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
-- the filter by class, in the order by name
create index components_by_license_class on components (client_id, license_class, full_name, id) where removed_at is null;
-- the same package in other applications
create index components_by_digest on components (client_id, digest) where removed_at is null;
-- an application's inventory package by package, for exports: one package may stand in several inventories
create index components_for_export on components (client_id, repository_id, digest) where removed_at is null;

create table component_edges (
  client_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  primary key (client_id, from_id, to_id)
);
create index component_edges_reverse on component_edges (client_id, to_id);

-- Which licences an organisation forbids or wants to look at. Without a row the default holds: core/src/sbom/model/license-policy.ts
create table license_policies (
  client_id uuid primary key references clients (id) on delete cascade,
  -- rule by class of licence, and rules for single licences
  classes jsonb not null,
  licenses jsonb not null,
  updated_by uuid,
  updated_at timestamptz not null default now()
);

-- Applications whose inventory is checked against the policy: asked for by imports of inventories and by changes of the policy.
create table license_checks (
  client_id uuid not null,
  repository_id uuid not null,
  -- grows with every request; done: up to which one
  asked bigint not null default 1,
  done bigint not null default 0,
  -- digest of what was found last; what stays the same is not imported again
  content bytea,
  primary key (client_id, repository_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
create index license_checks_open on license_checks (client_id, repository_id) where done < asked;

call protect_tenant_table('components');
call protect_tenant_table('component_edges');
call protect_tenant_table('license_policies');
call protect_tenant_table('license_checks');
call allow_poller('license_checks');
