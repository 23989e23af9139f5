-- Who did what, when and from where: sign-ins, people, decisions in bulk, connectors, tokens, settings, exports, access of superadmins.
create table audit_entries (
  client_id uuid not null references clients (id) on delete cascade,
  -- UUID version 7: in order of time
  id uuid not null default new_id(),
  at timestamptz not null default now(),
  kind text not null,
  -- people and tokens may be removed: the entry names them itself
  actor_id uuid,
  actor text not null default '',
  actor_type text not null check (actor_type in ('person', 'token', 'superadmin', 'operator', 'system')),
  address text,
  agent text,
  subject text not null default '',
  details jsonb not null default '{}',
  primary key (client_id, id)
);
comment on table audit_entries is 'Who did what, when and from where. Added and read, never changed; deleted after the retention of the organisation.';
create index audit_entries_kind on audit_entries (client_id, kind, id desc);
create index audit_entries_actor on audit_entries (client_id, actor_id, id desc);
create index audit_entries_oldest on audit_entries (client_id, at);

-- Whatever the application does, the newest 90 days stay.
alter table clients add column audit_retention_days integer not null default 365
  check (audit_retention_days between 90 and 3650);

create function audit_retention() returns interval language sql stable as $$
  select make_interval(days => audit_retention_days) from clients where id = current_client()
$$;

-- Access of superadmins stood in a table of its own.
alter table client_accesses no force row level security;
insert into audit_entries (client_id, id, at, kind, actor_id, actor, actor_type, details)
select client_id, id, at, 'superadmin.read', user_id, username, 'superadmin', jsonb_build_object('path', address)
from client_accesses;
drop table client_accesses;

-- The database itself keeps the application from changing an entry, and from deleting one before its time.
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy tenant on audit_entries for select to breakwater_app using (client_id = current_client());
create policy tenant_adds on audit_entries for insert to breakwater_app with check (client_id = current_client());
create policy tenant_deletes on audit_entries for delete to breakwater_app
  using (client_id = current_client() and at < now() - audit_retention());
-- a sign-in is written before anybody is known to be inside an organisation
create policy identity_adds on audit_entries for insert to breakwater_app
  with check (current_setting('app.identity', true) = 'on');
revoke update on audit_entries from breakwater_app;

-- Where a session was opened from.
alter table sessions add column address text;
alter table sessions add column agent text;
-- what people name a session by; the hash of its token stays inside
alter table sessions add column id uuid not null default new_id();
create unique index sessions_id on sessions (client_id, id);
