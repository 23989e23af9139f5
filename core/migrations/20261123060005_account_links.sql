-- Links in mails that open an account, each once: to verify a registration, to set a new password.
create table account_links (
  -- null: the organisation is made when the link of its registration is opened
  client_id uuid references clients (id) on delete cascade,
  -- SHA-256 of the token, which stands in the link alone
  token_hash bytea not null,
  -- unknown: written for an address that nobody has, so that asking for it takes as long as for any other
  purpose text not null check (purpose in ('register', 'reset', 'unknown')),
  user_id uuid,
  email text not null,
  organization_name text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique nulls not distinct (client_id, token_hash),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create unique index account_links_token on account_links (token_hash);
create index account_links_email on account_links (lower(email), purpose);
create index account_links_ended on account_links (expires_at);
comment on table account_links is 'Mailed links that open an account once.';
call protect_tenant_table('account_links');
-- who opens a link belongs to no client yet
create policy identity on account_links to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
