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

alter table repository_branches enable row level security;
alter table repository_branches force row level security;
create policy tenant on repository_branches to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on repository_branches to breakwater_app;

-- The branch as the sender named it; null: the default one.
alter table scans add column branch text;

-- A report speaks for one branch. Null: the default one.
alter table scan_scopes add column branch_id uuid;
alter table scan_scopes add foreign key (client_id, branch_id) references repository_branches (client_id, id) on delete cascade;
alter table scan_scopes drop constraint scan_scopes_client_id_repository_id_tool_target_key;
alter table scan_scopes add constraint scan_scopes_speaks_for
  unique nulls not distinct (client_id, repository_id, tool, target, branch_id);

-- Ties of a branch's findings have the branch's id, as the findings have; both are removed with the repository.
alter table correlation_overrides drop constraint correlation_overrides_client_id_repository_id_fkey;
