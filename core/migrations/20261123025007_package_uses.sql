-- Which packages the code of a repository imports, and so how it uses the packages that its findings are about: core/src/reachability.

-- What the newest analysis of a repository read, one row an ecosystem; replaced as a whole.
create table package_imports (
  client_id uuid not null,
  repository_id uuid not null,
  ecosystem text not null check (ecosystem in ('npm', 'pypi', 'maven', 'golang')),
  commit text not null,
  analysed_at timestamptz not null default now(),
  -- [{name, files, path, line}]
  imports jsonb not null,
  -- packages that the manifests name; null where one could not be read
  declared text[],
  aliases jsonb not null default '{}',
  is_dynamic boolean not null,
  is_complete boolean not null,
  primary key (client_id, repository_id, ecosystem),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
comment on table package_imports is 'Packages that the code of a repository imports, as of one commit.';

-- How a repository and its branches use the package of a definition. No row: not analysed, or its ecosystem is not covered.
create table package_uses (
  client_id uuid not null,
  repository_id uuid not null,
  definition_id bigint not null,
  use text not null check (use in ('imported', 'transitive', 'not_imported', 'unknown')),
  -- what imports it: the name, the first file and line, and how many files; null unless it is imported
  name text,
  path text,
  line integer,
  files integer,
  primary key (client_id, repository_id, definition_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
-- the filter: all packages of one use
create index package_uses_by_use on package_uses (client_id, use) include (repository_id, definition_id);
comment on table package_uses is 'How the code of a repository uses the packages that its findings are about.';

call protect_tenant_table('package_imports');
call protect_tenant_table('package_uses');
