-- How sure it is that a duplicate says the same as its original: 1 likely (place and kind of weakness are close), 2 certain (one
-- place and weakness, or one name of a vulnerability), 3 a person said so. Null: no duplicate, or marked before this was kept (certain).
alter table findings add column duplicate_certainty smallint check (duplicate_certainty between 1 and 3);

-- What people decided about which findings are the same. The latest word counts; rules never overrule it.
create table correlation_overrides (
  client_id uuid not null,
  repository_id uuid not null,
  finding_id uuid not null,
  -- the same as this one; itself: is no duplicate of anything
  other_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor uuid not null,
  reason text,
  primary key (client_id, finding_id, other_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
create index correlation_overrides_of_repository on correlation_overrides (client_id, repository_id);

alter table correlation_overrides enable row level security;
alter table correlation_overrides force row level security;
create policy tenant on correlation_overrides to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on correlation_overrides to breakwater_app;
