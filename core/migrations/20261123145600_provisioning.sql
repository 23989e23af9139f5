-- People and groups as an identity provider provisions them (SCIM 2.0).

-- What it says of a member. Whoever it deactivates leaves the organisation and keeps a row here, so that it finds them again.
create table provisioned_users (
  client_id uuid not null,
  user_id uuid not null,
  -- as the provider writes it; compared without upper and lower case
  user_name text not null,
  external_id text,
  -- the address of the account, while the account has it or when it had it
  email text not null,
  -- {"displayName", "title", "name", "emails"}
  document jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (client_id, user_id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table provisioned_users is 'What an identity provider says of a member.';
create unique index provisioned_users_name on provisioned_users (client_id, lower(user_name));
create index provisioned_users_email on provisioned_users (client_id, lower(email));
call protect_tenant_table('provisioned_users');

create table provisioned_groups (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  -- what the rules of roles compare
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_id, id)
);
comment on table provisioned_groups is 'Groups of an identity provider.';
create unique index provisioned_groups_name on provisioned_groups (client_id, lower(display_name));
call protect_tenant_table('provisioned_groups');

create table provisioned_group_members (
  client_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (client_id, group_id, user_id),
  foreign key (client_id, group_id) references provisioned_groups (client_id, id) on delete cascade,
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table provisioned_group_members is 'Who belongs to a group of an identity provider.';
create index provisioned_group_members_user on provisioned_group_members (client_id, user_id);
call protect_tenant_table('provisioned_group_members');

-- tokens with which a provider calls
alter table api_tokens drop constraint api_tokens_scopes_check;
alter table api_tokens add constraint api_tokens_scopes_check
  check (cardinality(scopes) > 0 and scopes <@ array['upload', 'scan', 'read', 'scim']);
