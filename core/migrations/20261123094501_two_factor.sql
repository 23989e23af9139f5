-- A second factor beside the password: codes of an authenticator, whose secret lies in the vault, and recovery codes.
-- two_factor_at: since when it is asked for; null: it is not. two_factor_step: the period of the last code taken, none counts twice.
alter table users
  add column two_factor_at timestamptz,
  add column two_factor_step integer not null default 0;

-- people who sign in with a password have to set it up
alter table clients add column require_2fa boolean not null default false;

-- how the person proved who they are
alter table sessions add column method text not null default 'password';

create table recovery_codes (
  client_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of a random code of 80 bits
  code_hash bytea not null,
  primary key (client_id, user_id, code_hash),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table recovery_codes is 'Codes that stand in for an authenticator, each once.';
call protect_tenant_table('recovery_codes');

create table sign_in_tickets (
  client_id uuid not null,
  -- SHA-256 of the token, which only the answer to the password held
  token_hash bytea not null,
  user_id uuid not null,
  remember boolean not null,
  method text not null,
  expires_at timestamptz not null,
  primary key (client_id, token_hash),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table sign_in_tickets is 'Who has given the right password and owes the second factor.';
create unique index sign_in_tickets_token on sign_in_tickets (token_hash);
create index sign_in_tickets_user on sign_in_tickets (client_id, user_id);
call protect_tenant_table('sign_in_tickets');
-- who finishes a sign-in belongs to no client yet
create policy identity on sign_in_tickets to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
