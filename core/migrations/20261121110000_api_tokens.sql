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

alter table api_tokens enable row level security;
alter table api_tokens force row level security;
create policy tenant on api_tokens to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
create policy identity on api_tokens to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
