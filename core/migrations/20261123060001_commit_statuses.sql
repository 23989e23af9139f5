-- What the providers of source control are told of the commits of a repository: core/src/scanning/server/statuses.
create table commit_statuses (
  client_id uuid not null,
  repository_id uuid not null,
  commit_hash text not null,
  -- as it stands at the provider; null: nothing was set yet
  state text check (state in ('pending', 'success', 'failure')),
  description text,
  -- digest of what stands there, and of what was tried last
  said text,
  tried text,
  attempts smallint not null default 0,
  -- why the last try failed, for people
  problem text,
  retry_at timestamptz,
  -- the newest comment on a pull request of this commit
  pull_request integer,
  comment_url text,
  changed_at timestamptz not null default now(),
  primary key (client_id, repository_id, commit_hash),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
comment on table commit_statuses is 'Status and comment of a commit at its provider, and why they could not be set.';

call protect_tenant_table('commit_statuses');
