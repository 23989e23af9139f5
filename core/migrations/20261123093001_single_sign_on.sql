-- How the people of an organisation sign in at their identity provider, by OpenID Connect or SAML 2.0.
create table single_sign_on (
  client_id uuid primary key references clients (id) on delete cascade,
  protocol text not null default 'oidc' check (protocol in ('oidc', 'saml')),
  is_enabled boolean not null default false,
  -- passwords do not count, except the one of an only admin
  is_enforced boolean not null default false,
  -- who is unknown gets an account at the first sign-in
  creates_accounts boolean not null default true,
  -- the provider sends no email_verified, and knows the addresses of its people itself
  trusts_emails boolean not null default false,
  default_role text not null default 'developer' check (default_role in ('admin', 'cyberoper', 'developer')),
  -- [{"group", "role"}]; empty: roles are given by hand
  role_rules jsonb not null default '[]',
  groups_claim text not null default 'groups',
  oidc_issuer text not null default '',
  -- its secret lies in the vault
  oidc_client_id text not null default '',
  saml_entity_id text not null default '',
  saml_sign_in_url text not null default '',
  -- PEM
  saml_certificates text[] not null default '{}',
  -- empty: the usual names, then the NameID
  saml_email_attribute text not null default '',
  -- the last test sign-in that was accepted; null after a change of the provider
  tested_at timestamptz,
  updated_at timestamptz not null default now()
);
comment on table single_sign_on is 'How the people of an organisation sign in at their identity provider.';
call protect_tenant_table('single_sign_on');

-- E-mail domains whose people an organisation signs in. A domain belongs to one organisation of the installation.
create table single_sign_on_domains (
  client_id uuid not null references single_sign_on (client_id) on delete cascade,
  domain text not null check (domain = lower(domain)),
  primary key (client_id, domain)
);
comment on table single_sign_on_domains is 'E-mail domains whose people an organisation signs in.';
create unique index single_sign_on_domains_domain on single_sign_on_domains (domain);
call protect_tenant_table('single_sign_on_domains');
-- the e-mail comes before the organisation is known
create policy identity on single_sign_on_domains for select to breakwater_app
  using (current_setting('app.identity', true) = 'on');

-- Who at the identity provider is which member: the e-mail counts at the first sign-in alone.
create table single_sign_on_identities (
  client_id uuid not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (client_id, issuer, subject),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table single_sign_on_identities is 'Who at the identity provider is which member.';
create index single_sign_on_identities_user on single_sign_on_identities (client_id, user_id);
call protect_tenant_table('single_sign_on_identities');

-- Sign-ins that have begun: each comes back once, within ten minutes, to the browser that began it.
create table single_sign_on_requests (
  client_id uuid not null references single_sign_on (client_id) on delete cascade,
  -- SHA-256 of the state, which stands in addresses alone; what else a sign-in needs is derived from it
  state_hash bytea not null,
  -- SHA-256 of the cookie
  browser_hash bytea not null,
  purpose text not null check (purpose in ('sign-in', 'test')),
  return_path text not null,
  -- what became of a SAML response, until the browser comes with its cookie
  result jsonb,
  expires_at timestamptz not null,
  primary key (client_id, state_hash)
);
comment on table single_sign_on_requests is 'Sign-ins at identity providers that have begun and not come back yet.';
create index single_sign_on_requests_ended on single_sign_on_requests (client_id, expires_at);
call protect_tenant_table('single_sign_on_requests');

-- Assertions that were accepted: none counts twice while it would still be valid.
create table single_sign_on_assertions (
  client_id uuid not null references single_sign_on (client_id) on delete cascade,
  -- SHA-256 of its ID
  assertion_hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, assertion_hash)
);
comment on table single_sign_on_assertions is 'SAML assertions that were accepted.';
create index single_sign_on_assertions_ended on single_sign_on_assertions (client_id, expires_at);
call protect_tenant_table('single_sign_on_assertions');
