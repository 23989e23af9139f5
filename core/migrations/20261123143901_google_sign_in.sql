-- Who at Google is which person, and what Google said of them last. A Google account belongs to one person of the installation.
create table google_identities (
  client_id uuid not null,
  user_id uuid not null,
  -- the claim "sub": stays the same whatever happens to name and e-mail
  subject text not null,
  email text not null,
  name text not null default '',
  last_used_at timestamptz not null default now(),
  primary key (client_id, user_id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table google_identities is 'Who at Google is which person.';
create unique index google_identities_subject on google_identities (subject);
call protect_tenant_table('google_identities');
-- who signs in belongs to no client yet
create policy identity on google_identities to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');

-- Sign-ins by Google that have begun: each nonce counts once, in the browser that it was drawn for.
create table google_sign_ins (
  -- SHA-256 of the nonce, which stands in the ID token
  nonce_hash bytea primary key,
  -- SHA-256 of the cookie
  browser_hash bytea not null,
  expires_at timestamptz not null
);
comment on table google_sign_ins is 'Sign-ins by Google that have begun and not come back yet.';
create index google_sign_ins_ended on google_sign_ins (expires_at);
alter table google_sign_ins enable row level security;
alter table google_sign_ins force row level security;
create policy identity on google_sign_ins to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
