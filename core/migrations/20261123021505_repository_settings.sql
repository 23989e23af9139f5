-- What people set of a repository, with its history; and a repository that its provider renames is no new one.
alter table repositories add column schedule text check (schedule in ('none', 'weekly', 'monthly'));
comment on column repositories.schedule is 'How often it is scanned; null: as the organisation says.';

-- this migration reads the rows of all clients as the owner, whom forced row-level security would bind
alter table repositories no force row level security;
-- of several with one id at the provider the first keeps it
update repositories r set external_id = null
where exists (
  select from repositories o
  where o.client_id = r.client_id and o.source_control = r.source_control and o.external_id = r.external_id and o.id < r.id);
update repositories set external_id = null where external_id = '';
alter table repositories force row level security;
create unique index repositories_external_id on repositories (client_id, source_control, external_id) where external_id is not null;

create table repository_events (
  client_id uuid not null,
  id bigint generated always as identity,
  repository_id uuid not null,
  at timestamptz not null default now(),
  -- null: the server itself. The name stays when the account goes.
  actor uuid,
  actor_name text,
  -- "added", or the field that was changed
  field text not null,
  from_value text,
  to_value text,
  primary key (client_id, repository_id, id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
comment on table repository_events is 'Who changed what of a repository, values as people read them.';

call protect_tenant_table('repository_events');
