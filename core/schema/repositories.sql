-- Repositories and their branches.

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

-- Branches of a repository other than its default one, once a report was imported for them. A finding of such a branch has the branch's id
-- as its repository_id, so that lists, counts and inventories of the repository are those of its default branch.
create table repository_branches (
  client_id uuid not null,
  id uuid not null default new_id(),
  repository_id uuid not null,
  name text not null,
  last_scan_at timestamptz,
  primary key (client_id, id),
  unique (client_id, repository_id, name),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);

call protect_tenant_table('repositories');
call protect_tenant_table('repository_branches');
