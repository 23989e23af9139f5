-- What superadmins looked at inside a client. A superadmin belongs to another client, and may be removed: the row names them itself.
create table client_accesses (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  user_id uuid not null,
  username text not null,
  -- what was asked for: path and query
  address text not null,
  at timestamptz not null default now(),
  primary key (client_id, id)
);
create index client_accesses_oldest on client_accesses (client_id, at);

alter table client_accesses enable row level security;
alter table client_accesses force row level security;
-- Rows are written and read, and never changed; they go when they are a year old. The database itself holds the application to it.
create policy tenant on client_accesses for select to breakwater_app using (client_id = current_client());
create policy tenant_adds on client_accesses for insert to breakwater_app with check (client_id = current_client());
create policy tenant_forgets on client_accesses for delete to breakwater_app
  using (client_id = current_client() and at < now() - interval '1 year');
revoke update on client_accesses from breakwater_app;
