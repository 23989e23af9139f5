-- Organisations, their people, and how they prove who they are.

create table clients (
  id uuid primary key default new_id(),
  organization_name text not null,
  legal_name text not null default '',
  address text not null default '',
  enable_false_positive_analysis boolean not null default false,
  schedule_scan text not null default 'none' check (schedule_scan in ('none', 'weekly', 'monthly')),
  pipeline_integration boolean not null default false,
  autonomous_scan boolean not null default false,
  excluded_tools text[] not null default '{}',
  account_setup_at timestamptz not null default now(),
  -- what an organisation says of itself beyond its name
  company jsonb not null default '{}',
  subscription_tier text not null default 'free'
);

create table users (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  email text not null,
  username text not null,
  password_hash text not null,
  role text not null check (role in ('superadmin', 'admin', 'cyberoper', 'developer')),
  status text not null default 'active' check (status in ('active', 'invited', 'disabled')),
  created_at timestamptz not null default now(),
  primary key (client_id, id)
);
create unique index users_email on users (lower(email));
create unique index users_username on users (lower(username));

create table sessions (
  client_id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  remember boolean not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (client_id, token_hash),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create unique index sessions_token on sessions (token_hash);
create index sessions_user on sessions (client_id, user_id);

-- Attempts of sign-ins and the like, counted across all processes. Keys are digests; `expire` is in milliseconds since 1970.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Tokens of machines, such as a pipeline that uploads reports. Only a digest is kept; a revoked one stays, so that history can
-- name who uploaded and the same token never comes back.
create table api_tokens (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  name text not null,
  token_hash bytea not null,
  hint text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  -- when people were told that it ends soon
  warned_at timestamptz,
  revoked_at timestamptz,
  primary key (client_id, id)
);
create unique index api_tokens_hash on api_tokens (token_hash);
create unique index api_tokens_name on api_tokens (client_id, lower(name)) where revoked_at is null;
create index api_tokens_newest on api_tokens (client_id, id desc) where revoked_at is null;
create index api_tokens_expiring on api_tokens (expires_at) where revoked_at is null and warned_at is null;

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

call protect_tenant_table('users');
call protect_tenant_table('sessions');
call protect_tenant_table('api_tokens');

alter table clients enable row level security;
alter table clients force row level security;
create policy tenant on clients to breakwater_app using (id = current_client()) with check (id = current_client());

-- Signing in, and work of the platform, look for a client, person or token before the client is known.
create policy identity on clients to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
create policy identity on users to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
create policy identity on sessions to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
create policy identity on api_tokens to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');

-- Rows are written and read, and never changed; they go when they are a year old. The database itself holds the application to it.
alter table client_accesses enable row level security;
alter table client_accesses force row level security;
create policy tenant on client_accesses for select to breakwater_app using (client_id = current_client());
create policy tenant_adds on client_accesses for insert to breakwater_app with check (client_id = current_client());
create policy tenant_deletes on client_accesses for delete to breakwater_app
  using (client_id = current_client() and at < now() - interval '1 year');
revoke update on client_accesses from breakwater_app;
